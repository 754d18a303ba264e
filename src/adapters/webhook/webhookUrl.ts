import { isIP } from 'node:net';
import { addressRefusal } from './addressPolicy.ts';
import type { NetworkPolicy, WebhookScheme } from './addressPolicy.ts';

/** `host` is bare: an IPv6 literal has no brackets, a name no final dot. */
export type ParsedWebhookUrl =
  | { kind: 'ok'; url: URL; scheme: WebhookScheme; host: string }
  | { kind: 'refused'; detail: string };

const maxLength = 2048;

/** Names that only a local network answers for (RFC 6761, 6762, 8375, ICANN's `internal`). */
const localName = /(?:^|\.)(?:local|internal|localhost|home\.arpa|lan|intranet)$/;

/** Reads a webhook URL and refuses what the text alone shows to be outside the policy. Asks no DNS. */
export function parseWebhookUrl(text: string, policy: NetworkPolicy): ParsedWebhookUrl {
  if (text.length > maxLength) return refused(`is longer than ${String(maxLength)} characters`);
  // The URL parser drops tabs and line breaks and reads \ as /: the URL called would not be the one written.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return refused('is not a valid absolute URL');
  const url = new URL(text);
  const scheme = url.protocol;
  if (scheme !== 'https:' && scheme !== 'http:') return refused('must start with https://');
  if (scheme === 'http:' && policy === 'public') return refused('must start with https://');
  if (url.username !== '' || url.password !== '') return refused('must not carry a user name or password');
  if (text.includes('#')) return refused('must not have a fragment (#…)');
  // The parser would also add missing slashes.
  if (!/^https?:\/\/[^/]/i.test(text)) return refused('must name its host after https://');
  if (url.port === '0') return refused('names port 0, where nothing can listen');
  const host = bareHost(url.hostname);
  if (host.split('.').includes('')) return refused('names a host with an empty part');
  const refusal = isIP(host) === 0 ? nameRefusal(host, policy) : addressRefusal(host, scheme, policy);
  return refusal === null ? { kind: 'ok', url, scheme, host } : refused(`names a host that is ${refusal}`);
}

/** Takes the brackets off an IPv6 literal and the final dot off a name. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function nameRefusal(host: string, policy: NetworkPolicy): string | null {
  if (policy === 'any') return null;
  if (policy === 'loopback' && /(?:^|\.)localhost$/.test(host)) return null;
  if (!host.includes('.') || localName.test(host)) return 'known on a local network only';
  return null;
}

function refused(reason: string): { kind: 'refused'; detail: string } {
  return { kind: 'refused', detail: `The webhook URL ${reason}.` };
}
