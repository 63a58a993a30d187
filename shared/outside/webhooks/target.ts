import { isIP } from 'node:net';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { type BrokenRule, brokenRule } from '../../domain/rules/rules.ts';
import { hasUserInfo } from '../../domain/user-info.ts';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';

/** The rules for webhook addresses. */
export interface TargetPolicy {
  /** Whether http to this machine is allowed, which is only so in the local sandbox. */
  allowsLoopback: boolean;
  /** The host of this service. Webhooks to it are refused. */
  ownHost: string;
}

const ports = new Set(['', '443', '8443']);
const maxHostLength = 253;

/** The host without the brackets of IPv6 and without a final dot. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/**
 * Why an address cannot receive webhooks; undefined if it can. The name is looked up later, when the connection is
 * made.
 */
export function whyNotTarget(text: string, policy: TargetPolicy): BrokenRule | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\u0000-\u0020\\\u007F]/.test(text) || !URL.canParse(text)) return brokenRule(sentences.absolute_address);
  const url = new URL(text);
  if (hasUserInfo(text)) return brokenRule(sentences.address_credentials);
  if (text.includes('#')) return brokenRule(sentences.address_fragment);
  if (policy.allowsLoopback && isPlainLoopback(url)) return undefined;
  if (url.protocol !== 'https:') return brokenRule(sentences.https_address);
  if (!ports.has(url.port)) return brokenRule(sentences.address_port);
  return whyNotHost(bareHost(url.hostname), policy);
}

function whyNotHost(host: string, { ownHost }: TargetPolicy): BrokenRule | undefined {
  if (host.length === 0 || host.length > maxHostLength)
    return brokenRule(sentences.address_host, { most: maxHostLength });
  if (isIP(host)) return isPublicAddress(host) ? undefined : brokenRule(sentences.address_public);
  if (host === ownHost) return brokenRule(sentences.address_own);
  const isInternal = !host.includes('.') || /\.(internal|local|localhost|localdomain|home\.arpa)$/.test(host);
  return isInternal ? brokenRule(sentences.address_internal) : undefined;
}

/** Whether the address uses http and leads to this machine, by name or by number. */
function isPlainLoopback(url: URL): boolean {
  const host = bareHost(url.hostname);
  return url.protocol === 'http:' && (host === 'localhost' || isLoopbackAddress(host));
}
