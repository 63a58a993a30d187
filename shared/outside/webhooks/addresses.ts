import { BlockList, isIP } from 'node:net';

/** Address ranges that are not public, from the IANA registries of special-purpose addresses. */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special.addSubnet(network, prefix, 'ipv4');

/**
 * The ranges of public IPv6 addresses: global unicast, without the ranges for benchmarks, documentation or embedded
 * IPv4 addresses.
 */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, prefix, 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** The address without its interface. In `fe80::1%eth0`, only the part before `%` is the address. */
const bare = (address: string): string => address.replace(/%.*$/, '');

/** Whether an address is reachable on the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(bare(address));
  if (version === 4) return !special.check(bare(address), 'ipv4');
  if (version !== 6) return false;
  return globalUnicast.check(bare(address), 'ipv6') && !special.check(bare(address), 'ipv6');
}

/** Whether an address belongs to this machine, in its common notations. */
export function isLoopbackAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !/^::ffff:/i.test(address) && loopback.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
