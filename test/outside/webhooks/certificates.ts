import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate and its key, as a TLS server wants them. */
export interface Certified {
  cert: string;
  key: string;
}

interface Signer {
  name: string;
  key: KeyObject;
}

/** One element of DER: tag, length, contents. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const bits = (value: Buffer): Buffer => der(0x03, Buffer.from([0]), value);
const nameOf = (value: string): Buffer => sequence(der(0x31, sequence(oid('550403'), text(value))));
const time = (year: number): Buffer => der(0x18, Buffer.from(`${year}0101000000Z`));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value));

const subjectAltName = (host: string): Buffer => extension('551d11', sequence(der(0x82, Buffer.from(host))));
const isAuthority = extension('551d13', sequence(der(0x01, Buffer.from([255]))));

function issue(
  host: string,
  untilYear: number,
  issuer?: Signer,
  extensions = [subjectAltName(host)],
): Certified & { signer: Signer } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = issuer ?? { name: host, key: privateKey };
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(signer.name),
    sequence(time(2020), time(untilYear)),
    nameOf(host),
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signed = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, signer.key)));
  const cert = `-----BEGIN CERTIFICATE-----\n${signed.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return {
    cert,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    signer: { name: host, key: privateKey },
  };
}

const root = issue('authority.example.com', 2100, undefined, [isAuthority]);

/** Created in every run, for hook.example.com except `otherHost`, signed by `authority` except `selfSigned`. */
export const certificates = {
  authority: root.cert,
  good: issue('hook.example.com', 2100, root.signer),
  otherHost: issue('other.example.com', 2100, root.signer),
  expired: issue('hook.example.com', 2021, root.signer),
  selfSigned: issue('hook.example.com', 2100),
};
