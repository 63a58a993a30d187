import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';
import { bareHost } from './target.ts';

export const connectSeconds = 5;

/** Thrown if webhooks may not be sent to the address. */
class BlockedAddressError extends Error {
  readonly code = 'BLOCKED_ADDRESS';

  constructor(host: string) {
    super(`${host} leads to an address that is not public.`);
    this.name = 'BlockedAddressError';
  }
}

type IsAllowed = (address: string) => boolean;

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/**
 * Looks up a name only once for all callers that ask at the same time. Node looks up four names at a time. Without
 * this, ten events of one call could fill these places with one slow name, and all other connections would wait.
 * Results are not cached.
 */
function sharedLookup(lookUp: typeof resolve): (hostname: string, options: LookupOptions, found: Found) => void {
  const asking = new Map<string, Found[]>();
  return (hostname, options, found) => {
    const key = JSON.stringify([hostname, options.family, options.hints]);
    const others = asking.get(key);
    if (others) return void others.push(found);
    const all = [found];
    asking.set(key, all);
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      asking.delete(key);
      for (const one of all) one(error, addresses);
    });
  };
}

/**
 * Looks up a name once and returns the checked addresses, so the connection is made to a checked address. Every address
 * of the name must be allowed, because the connection may use any of them.
 */
export function guardedLookup(isAllowed: IsAllowed, lookUp: typeof resolve = resolve): LookupFunction {
  const shared = sharedLookup(lookUp);
  return (hostname, options, callback) => {
    shared(hostname, options, (error, addresses) => {
      if (error) return callback(error, '');
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new BlockedAddressError(hostname), '');
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

/**
 * Checks addresses that are written as numbers before the connection, because Node does not look them up. Certificates
 * are always verified.
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
  /** Replaces the lookup of names in tests. */
  lookUp?: typeof resolve;
}

/**
 * Makes connections for webhooks. With TLS, they go to public addresses. Without TLS, they go only to this machine, if
 * that is allowed. No connection is kept open.
 */
export function guardedAgent({ allowsLoopback, lookUp }: GuardOptions): Agent {
  const resolver = lookUp && { lookUp };
  const secure = guardedConnector(isPublicAddress, resolver);
  const plain = guardedConnector((address) => allowsLoopback && isLoopbackAddress(address), resolver);
  const connect: buildConnector.connector = (options, callback) =>
    options.protocol === 'https:' ? secure(options, callback) : plain(options, callback);
  return new Agent({ connect, pipelining: 0 });
}
