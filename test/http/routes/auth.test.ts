import { describe, expect, it } from 'vitest';
import { rateLimitKey } from '../../../src/http/rateLimitKey.ts';

describe('the network of a caller', () => {
  it.each([
    ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
    ['an IPv4 address that came mapped into IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['the /64 of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['the /64 of a link-local address with its interface', 'fe80::1:2%eth0', 'fe80::/64'],
    ['one name for what a proxy made up', 'unknown', 'unknown address'],
  ])('is %s', (_what, address, network) => {
    expect(rateLimitKey(address)).toBe(network);
  });

  it('is the same for every address that one customer may choose from', () => {
    expect(rateLimitKey('2001:db8:1:2:ffff::1')).toBe(rateLimitKey('2001:db8:1:2::2'));
    expect(rateLimitKey('2001:db8:1:3::1')).not.toBe(rateLimitKey('2001:db8:1:2::1'));
  });

  it('is known without an address', () => {
    expect(rateLimitKey(undefined)).toBe('unknown address');
  });
});
