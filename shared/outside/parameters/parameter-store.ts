import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod';

/** The address of the parameter store, and the caller's credentials. */
export interface ParameterAccess {
  region: string;
  credentials: () => Promise<AwsCredentials>;
  /** The address; by default, AWS's address in the region. */
  endpoint?: string | undefined;
}

interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** Thrown if the store did not answer, or refused. The message contains the name of the error, but never a value. */
export class ParameterStoreError extends Error {
  override name = 'ParameterStoreError';
  /** The name of the error, as AWS writes it. */
  readonly reason: string;

  constructor(operation: string, reason: string) {
    super(`The parameter store did not do ${operation}: ${reason}.`);
    this.reason = reason;
  }
}

const mostAttempts = 3;
const timeoutMs = 1_000;
const firstPauseMs = 50;

/**
 * Makes one call to AWS Systems Manager. AWS's own signer signs it, which every bundle already contains. The official
 * client would add 78 kB to a bundle and 6 ms to a cold start.
 */
export async function callParameterStore(
  access: ParameterAccess,
  operation: 'GetParameter' | 'PutParameter' | 'DeleteParameters',
  input: object,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(access, operation, JSON.stringify(input));
    if (answer.ok) return answer.body;
    if (!answer.isRepeatable || attempt === mostAttempts) throw new ParameterStoreError(operation, answer.reason);
    await pause(firstPauseMs * 2 ** attempt);
  }
}

type Answer = { ok: true; body: unknown } | { ok: false; reason: string; isRepeatable: boolean };

async function send(access: ParameterAccess, operation: string, body: string): Promise<Answer> {
  const url = new URL(access.endpoint ?? endpointOf(access.region));
  try {
    const headers = await signedHeaders(access, url, operation, body);
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    return read(response.status, await response.text());
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.name : 'unknown', isRepeatable: true };
  }
}

const endpointOf = (region: string): string =>
  `https://ssm.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}/`;

/** The headers without `host`, which `fetch` adds itself. */
async function signedHeaders(access: ParameterAccess, url: URL, operation: string, body: string) {
  const { region, credentials } = access;
  const signer = new SignatureV4({ service: 'ssm', region, credentials, sha256: Sha256 });
  const { protocol, hostname, host, pathname: path } = url;
  const requestHeaders = {
    host,
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AmazonSSM.${operation}`,
  };
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

const Fault = z.object({ __type: z.string() });

function read(status: number, text: string): Answer {
  const body = parsed(text);
  if (status === 200 && body !== undefined) return { ok: true, body };
  const type = Fault.safeParse(body).data?.__type.replace(/^.*#/, '');
  const isRepeatable = status >= 500 || status === 429 || type === 'ThrottlingException';
  return { ok: false, reason: type ?? `status ${status}`, isRepeatable };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
