import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DomainError } from '../domain/errors.ts';
import { env } from '../env.ts';
import { logInfo } from '../log.ts';
import { type HttpResponse, presentProblem } from './problem.ts';

/** The header that the CDN in front of the API adds. It proves that a request came through the CDN. */
const header = 'x-origin-secret';

/** The secret that the CDN sends, and the hashes with which the functions check it. */
export interface OriginSecret {
  value: string;
  /** SHA-256, in hexadecimal, of the previous, the current and the next version. */
  hashes: string[];
}

const secretOf = (master: string, version: number): string =>
  createHmac('sha256', master).update(`origin secret ${version}`).digest('base64url');

const digestOf = (value: string): Buffer => createHash('sha256').update(value).digest();

/**
 * A version of the secret. It is derived from a master that never leaves the table. The functions already accept the
 * next version. So a deployment that changes the secret refuses no request, in any order of its steps.
 */
export const originSecret = (master: string, version: number): OriginSecret => ({
  value: secretOf(master, version),
  hashes: [version - 1, version, version + 1].map((each) => digestOf(secretOf(master, each)).toString('hex')),
});

function isThroughFront({ headers }: APIGatewayProxyEventV2, accepted: readonly string[]): boolean {
  const presented = digestOf(headers[header] ?? '');
  return accepted.map((hash) => timingSafeEqual(presented, Buffer.from(hash, 'hex'))).includes(true);
}

/**
 * The error for a request that did not come through the CDN. Undefined for other requests, or if there is no CDN. It
 * applies to every route.
 */
export function refuseDirectCall({ event }: { event: APIGatewayProxyEventV2 }): HttpResponse | undefined {
  const accepted = env.originSecretHashes();
  if (accepted.length === 0 || isThroughFront(event, accepted)) return undefined;
  const { requestContext, routeKey: route, rawPath: path } = event;
  const { requestId } = requestContext;
  const error = new DomainError('FORBIDDEN', `Call this API at its public address, ${env.publicUrl()}.`);
  logInfo('request', { request_id: requestId, route, status: 403, code: 'DIRECT_CALL' });
  return presentProblem(error, { path, requestId });
}

/**
 * The network of a request. The CDN appends the address that it sees, and then the gateway appends the CDN's own.
 * Anything before these two was sent by the client, and may be forged.
 */
export function sourceOf({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const hops = (headers['x-forwarded-for'] ?? '').split(',').map((hop) => hop.trim());
  const hasFront = env.originSecretHashes().length > 0;
  return networkOf((hasFront ? hops.at(-2) : undefined) ?? requestContext.http.sourceIp);
}

const groups = 8;
const networkGroups = 4;

/**
 * The network of an address. For IPv6, it is the first half of the address, because one customer has all addresses with
 * this half.
 */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head.split(':');
  const right = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, groups - left.length - right.length);
  const all = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return all
    .slice(0, networkGroups)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':');
}
