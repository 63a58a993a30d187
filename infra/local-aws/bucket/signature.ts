import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { localAws } from '../local-aws.ts';
import { BucketRefusal } from './refusal.ts';

/** The requested address exactly as it was sent. Dots in its path are not resolved. */
export interface Address {
  path: string;
  query: URLSearchParams;
}

/** A signature of version 4, from the address or from the header. */
interface Signature {
  credential: string;
  signedHeaders: readonly string[];
  signature: string;
  /** The time of the signature, such as `20260101T120000Z`. */
  date: string;
  payloadHash: string;
  /** For how many seconds the signature is valid. In a header, it is valid for 15 minutes. */
  seconds: number;
  query: string;
}

const headerSeconds = 900;
const longestSeconds = 7 * 24 * 3_600;

/** Refuses a request that is not signed, was changed, or came too late. */
export function assertRequestSigned(request: IncomingMessage, address: Address, now: Date): void {
  const given = address.query.has('X-Amz-Signature') ? inAddress(address) : inHeader(request, address);
  if (!given) throw denied('Access Denied');
  const age = now.getTime() - timeOf(given.date);
  if (!(given.seconds > 0 && given.seconds <= longestSeconds))
    throw new BucketRefusal(400, 'AuthorizationQueryParametersError', 'X-Amz-Expires must be within a week.');
  if (!(age <= given.seconds * 1_000)) throw denied('Request has expired');
  assertHeadersSigned(request, given);
  const expected = Buffer.from(signatureOf(request, address, given));
  const presented = Buffer.from(given.signature);
  if (expected.length !== presented.length || !timingSafeEqual(expected, presented))
    throw new BucketRefusal(
      403,
      'SignatureDoesNotMatch',
      'The request signature does not match the signature you provided.',
    );
}

const denied = (message: string): BucketRefusal => new BucketRefusal(403, 'AccessDenied', message);

const timeOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Refuses a header with a meaning for S3 that is not signed. Otherwise, anyone who has the address could add it. */
function assertHeadersSigned({ headers }: IncomingMessage, { signedHeaders }: Signature): void {
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !signedHeaders.includes(name));
  if (unsigned.length > 0 || !signedHeaders.includes('host'))
    throw denied(`There were headers present in the request which were not signed: ${unsigned.join(', ')}`);
}

function inAddress({ query }: Address): Signature {
  const value = (name: string) => query.get(`X-Amz-${name}`) ?? '';
  return {
    credential: value('Credential'),
    signedHeaders: value('SignedHeaders').split(';'),
    signature: value('Signature'),
    date: value('Date'),
    payloadHash: 'UNSIGNED-PAYLOAD',
    seconds: Number(value('Expires')),
    query: canonicalQuery(query),
  };
}

function inHeader({ headers }: IncomingMessage, { query }: Address): Signature | undefined {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const [, credential, signed, signature] = parts;
  if (credential === undefined || signed === undefined || signature === undefined) return undefined;
  return {
    credential,
    signedHeaders: signed.split(';'),
    signature,
    date: String(headers['x-amz-date'] ?? ''),
    payloadHash: String(headers['x-amz-content-sha256'] ?? ''),
    seconds: headerSeconds,
    query: canonicalQuery(query),
  };
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');

function signatureOf({ method = '', headers }: IncomingMessage, { path: sent }: Address, given: Signature): string {
  const { credential, signedHeaders, date, payloadHash, query } = given;
  const [accessKeyId, ...scope] = credential.split('/');
  if (accessKeyId !== localAws.accessKeyId)
    throw new BucketRefusal(
      403,
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
    );
  const lines = signedHeaders.map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`).join('');
  const path = sent.split('/').map((part) => encoded(decodeURIComponent(part)));
  const canonical = [method, path.join('/'), query, lines, signedHeaders.join(';'), payloadHash].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), createHash('sha256').update(canonical).digest('hex')];
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${localAws.secretAccessKey}`);
  return hmac(key, text.join('\n')).toString('hex');
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
