import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

/** A region, and the credentials with which it is called. */
export interface AwsCaller {
  region: string;
  credentials: () => Promise<AwsCredentials>;
}

interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

interface AwsCall {
  url: URL;
  /** The operation with the name of its API, such as `AmazonSSM.GetParameter`. */
  target: string;
  body: string;
}

/** The headers of a signed call of an API of AWS that takes JSON, without `host`, which `fetch` adds itself. */
export async function signedHeaders(
  { service, region, credentials }: AwsCaller & { service: string },
  { url, target, body }: AwsCall,
) {
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  const { protocol, hostname, host, pathname: path } = url;
  const requestHeaders = { host, 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
  const request = { method: 'POST', protocol, hostname, path, query: {}, headers: requestHeaders, body };
  const { host: _, ...headers } = (await signer.sign(request)).headers;
  return headers;
}

/** The hash function that the signer needs. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(key));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
