import ipaddr from 'ipaddr.js';

/** What one customer of a network gets: who may choose among its addresses counts as one caller. */
const prefixV6 = 64;

/**
 * Whose address it is, for limits per caller: an IPv4 address as such, also one that came mapped into IPv6, and an
 * IPv6 address as its /64 network.
 */
export function rateLimitKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown address';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed.toString())}/${String(prefixV6)}`).toString()}/${String(prefixV6)}`;
}

/** A link-local address may name the interface it was seen on: `fe80::1%eth0`. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
