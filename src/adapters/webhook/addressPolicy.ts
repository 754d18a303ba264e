import ipaddr from 'ipaddr.js';

/**
 * Where webhooks may go.
 * - `public`: https to public unicast addresses.
 * - `loopback`: that, and http or https to this machine's loopback.
 * - `any`: everywhere, http too; for development networks.
 */
export type NetworkPolicy = 'public' | 'loopback' | 'any';

export type WebhookScheme = 'http:' | 'https:';

const globalUnicastV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public in form, but answered inside the data centre: Azure's platform address. */
const deniedByName = new Set(['168.63.129.16']);

/**
 * What an IP address is: `public`, `loopback`, or words for why it is neither. IPv6 addresses that carry an IPv4
 * address (mapped, compatible, NAT64, 6to4, Teredo) are never public: what they reach depends on the network.
 */
function kindOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unreadable';
  const parsed = ipaddr.parse(address);
  if (deniedByName.has(parsed.toString())) return 'cloud platform';
  const range = parsed.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast') return wordsFor[range] ?? 'special-purpose';
  // The library calls all of IPv6 that it has no name for "unicast", ::7f00:1 too; IANA hands out 2000::/3 only.
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicastV6)) return 'special-purpose';
  return 'public';
}

const wordsFor: Partial<Record<string, string>> = {
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  linkLocal: 'link-local',
  multicast: 'multicast',
  broadcast: 'broadcast',
  unspecified: 'unspecified',
};

/** Why an address is refused: `words` are the end of a sentence ("… is a private address, …"), `code` says the same. */
export type AddressRefusal = { words: string; code: 'host_not_public' | 'host_needs_https' };

/** Why this policy keeps webhooks away from an IP address; null when it does not. */
export function addressRefusal(address: string, scheme: WebhookScheme, policy: NetworkPolicy): AddressRefusal | null {
  if (policy === 'any') return null;
  const kind = kindOf(address);
  if (kind === 'loopback' && policy === 'loopback') return null;
  if (kind !== 'public') {
    const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
    return { words: `${article} ${kind} address, and webhooks go to public ones only`, code: 'host_not_public' };
  }
  if (scheme === 'https:') return null;
  return { words: 'a public address, and those are reached over https only', code: 'host_needs_https' };
}
