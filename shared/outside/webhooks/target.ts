import { isIP } from 'node:net';
import { hasUserInfo } from '../../domain/user-info.ts';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';

/** The rules for webhook addresses. */
export interface TargetPolicy {
  /** Allows http to this machine, in the local sandbox only. */
  allowsLoopback: boolean;
  /** The host of this service. Webhooks to it are refused. */
  ownHost: string;
}

const ports = new Set(['', '443', '8443']);
const maxHostLength = 253;

/** The host without the brackets of IPv6 and without a final dot. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Why an address cannot receive webhooks; undefined if it can. Host names are resolved later, when connecting. */
export function whyNotTarget(text: string, policy: TargetPolicy): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression refuses these characters
  if (/[\u0000-\u0020\\\u007F]/.test(text) || !URL.canParse(text)) return 'must be an absolute https address';
  const url = new URL(text);
  if (hasUserInfo(text)) return 'must not contain credentials';
  if (text.includes('#')) return 'must not have a fragment';
  if (policy.allowsLoopback && isPlainLoopback(url)) return undefined;
  if (url.protocol !== 'https:') return 'must be an https address';
  if (!ports.has(url.port)) return 'must use port 443 or 8443';
  return whyNotHost(bareHost(url.hostname), policy);
}

function whyNotHost(host: string, { ownHost }: TargetPolicy): string | undefined {
  if (host.length === 0 || host.length > maxHostLength) return `must have a host of 1 to ${maxHostLength} characters`;
  if (isIP(host)) return isPublicAddress(host) ? undefined : 'must lead to a public address';
  if (host === ownHost) return 'must not be an address of this service';
  const isInternal = !host.includes('.') || /\.(internal|local|localhost|localdomain|home\.arpa)$/.test(host);
  return isInternal ? 'must have a public host name' : undefined;
}

/** Whether the address is http to this machine, by name or by number. */
function isPlainLoopback(url: URL): boolean {
  const host = bareHost(url.hostname);
  return url.protocol === 'http:' && (host === 'localhost' || isLoopbackAddress(host));
}
