import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';
import { bareHost } from './target.ts';

export const connectSeconds = 5;

/** The address behind a name, or the address itself, is not one to connect to. */
class BlockedAddressError extends Error {
  readonly code = 'BLOCKED_ADDRESS';

  constructor(host: string) {
    super(`${host} leads to an address that is not public.`);
    this.name = 'BlockedAddressError';
  }
}

type IsAllowed = (address: string) => boolean;

/**
 * Resolves a name once and returns the addresses that it checked, so the connection goes to a checked address.
 * Every record must be allowed, because a mixed answer could lead to the wrong one.
 */
export const guardedLookup =
  (isAllowed: IsAllowed, lookUp: typeof resolve = resolve): LookupFunction =>
  (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new BlockedAddressError(hostname), '');
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };

/**
 * Checks literal addresses before the connection, because Node does not look them up. Certificates are always
 * verified.
 */
export function guardedConnector(
  isAllowed: IsAllowed,
  { lookUp, timeoutMs = connectSeconds * 1_000 }: { lookUp?: typeof resolve; timeoutMs?: number } = {},
): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(isAllowed, lookUp) });
  return (options, callback) => {
    const host = bareHost(options.hostname);
    if (isIP(host) && !isAllowed(host)) return callback(new BlockedAddressError(host), null);
    return connect(options, callback);
  };
}

interface GuardOptions {
  allowsLoopback: boolean;
  /** Replaces the resolver, in tests. */
  lookUp?: typeof resolve;
}

/**
 * Connects to public addresses with TLS. Without TLS, it connects only to this machine, if that is allowed. It
 * keeps no connection.
 */
export function guardedAgent({ allowsLoopback, lookUp }: GuardOptions): Agent {
  const resolver = lookUp && { lookUp };
  const secure = guardedConnector(isPublicAddress, resolver);
  const plain = guardedConnector((address) => allowsLoopback && isLoopbackAddress(address), resolver);
  const connect: buildConnector.connector = (options, callback) =>
    options.protocol === 'https:' ? secure(options, callback) : plain(options, callback);
  return new Agent({ connect, pipelining: 0 });
}
