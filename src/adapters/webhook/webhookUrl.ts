import { isIP } from 'node:net';
import type { WebhookCause } from '../../contract/causes.ts';
import { addressRefusal } from './addressPolicy.ts';
import type { NetworkPolicy, WebhookScheme } from './addressPolicy.ts';

/** `host` is bare: an IPv6 literal has no brackets, a name no final dot. */
export type ParsedWebhookUrl = { kind: 'ok'; url: URL; scheme: WebhookScheme; host: string } | RefusedUrl;

/** `detail` is a sentence for the admin, `cause` says the same as a code. */
type RefusedUrl = { kind: 'refused'; detail: string; cause: WebhookCause };

const maxLength = 2048;

/** Names that only a local network answers for (RFC 6761, 6762, 8375, ICANN's `internal`). */
const localName = /(?:^|\.)(?:local|internal|localhost|home\.arpa|lan|intranet)$/;

/** Reads a webhook URL and refuses what the text alone shows to be outside the policy. Asks no DNS. */
export function parseWebhookUrl(text: string, policy: NetworkPolicy): ParsedWebhookUrl {
  if (text.length > maxLength) {
    return refused(`is longer than ${String(maxLength)} characters`, {
      code: 'url_too_long',
      params: { max: maxLength },
    });
  }
  // The URL parser drops tabs and line breaks and reads \ as /: the URL called would not be the one written.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text))
    return refused('is not a valid absolute URL', { code: 'url_invalid' });
  const url = new URL(text);
  const scheme = url.protocol;
  if (scheme !== 'https:' && scheme !== 'http:')
    return refused('must start with https://', { code: 'url_needs_https' });
  if (scheme === 'http:' && policy === 'public')
    return refused('must start with https://', { code: 'url_needs_https' });
  if (url.username !== '' || url.password !== '')
    return refused('must not carry a user name or password', { code: 'url_with_login' });
  if (text.includes('#')) return refused('must not have a fragment (#…)', { code: 'url_with_fragment' });
  // The parser would also add missing slashes.
  if (!/^https?:\/\/[^/]/i.test(text))
    return refused('must name its host after https://', { code: 'url_without_host' });
  if (url.port === '0') return refused('names port 0, where nothing can listen', { code: 'url_port_zero' });
  const host = bareHost(url.hostname);
  if (host.split('.').includes('')) return refused('names a host with an empty part', { code: 'url_incomplete_host' });
  const refusal = isIP(host) === 0 ? nameRefusal(host, policy) : addressRefusal(host, scheme, policy);
  if (refusal === null) return { kind: 'ok', url, scheme, host };
  return refused(`names a host that is ${refusal.words}`, { code: refusal.code, params: { host } });
}

/** Takes the brackets off an IPv6 literal and the final dot off a name. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function nameRefusal(host: string, policy: NetworkPolicy): { words: string; code: 'host_on_local_network' } | null {
  if (policy === 'any') return null;
  if (policy === 'loopback' && /(?:^|\.)localhost$/.test(host)) return null;
  if (host.includes('.') && !localName.test(host)) return null;
  return { words: 'known on a local network only', code: 'host_on_local_network' };
}

function refused(reason: string, cause: WebhookCause): RefusedUrl {
  return { kind: 'refused', detail: `The webhook URL ${reason}.`, cause };
}
