import dns from 'node:dns';

/**
 * Resolves names that end with `.localhost` to this machine (RFC 6761), which not every resolver does. The commands of
 * a run use it.
 */
const lookup = dns.lookup;
dns.lookup = (host, ...others) => lookup(host.endsWith('.localhost') ? '127.0.0.1' : host, ...others);
