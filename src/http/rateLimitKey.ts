import ipaddr from 'ipaddr.js';

/** Prefix that a network assigns to one customer, who may choose any address within it. */
const prefixV6 = 64;

/**
 * The key for limits per caller: an IPv4 address as it is, also when mapped into IPv6; an IPv6 address as its /64
 * network.
 */
export function rateLimitKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown address';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed.toString())}/${String(prefixV6)}`);
  return `${network.toString()}/${String(prefixV6)}`;
}

/** A link-local address may name the interface it was seen on: `fe80::1%eth0`. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
