import dns from 'node:dns';

/** Resolves names below `localhost` to this machine (RFC 6761), which not every resolver does, for the commands of a run. */
const lookup = dns.lookup;
dns.lookup = (host, ...others) => lookup(host.endsWith('.localhost') ? '127.0.0.1' : host, ...others);
