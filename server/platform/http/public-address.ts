import { BlockList, isIP } from 'node:net';

// What the IANA registries of special-purpose addresses (RFC 6890) keep from the public internet, and multicast:
// a server with live keys must never be led to its own host or the networks around it.
const NOT_PUBLIC_IPV4 = subnets('ipv4', [
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
  ['224.0.0.0', 3],
]);

// For IPv6 it is shorter to say what is public: global unicast, less the parts of it that are not, and less 6to4
// and Teredo, whose addresses have any IPv4 address inside them.
const GLOBAL_IPV6 = subnets('ipv6', [['2000::', 3]]);
const NOT_PUBLIC_IPV6 = subnets('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);
const IPV4_MAPPED = subnets('ipv6', [['::ffff:0:0', 96]]);

function subnets(family: 'ipv4' | 'ipv6', networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}

/** True for loopback, private, link-local, multicast and every other address that is not public. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 4) return NOT_PUBLIC_IPV4.check(address, 'ipv4');
  if (isIP(address) !== 6) return true;
  // A list of IPv4 networks sees through an IPv4-mapped address, however that is written (RFC 4291 §2.5.5.2).
  if (IPV4_MAPPED.check(address, 'ipv6')) return NOT_PUBLIC_IPV4.check(address, 'ipv6');
  return !GLOBAL_IPV6.check(address, 'ipv6') || NOT_PUBLIC_IPV6.check(address, 'ipv6');
}
