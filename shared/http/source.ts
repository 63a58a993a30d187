import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { env } from '../env.ts';

/**
 * The network of a request. A distribution in front adds the address that it sees before its own. What stands before
 * that was sent by the client and is worth nothing.
 */
export function sourceOf({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const hops = (headers['x-forwarded-for'] ?? '').split(',').map((hop) => hop.trim());
  const hasFront = env.originSecretHashes().length > 0;
  return networkOf((hasFront ? hops.at(-2) : undefined) ?? requestContext.http.sourceIp);
}

const groups = 8;
const networkGroups = 4;

/** A customer of an IPv6 network has all addresses of its second half. */
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
