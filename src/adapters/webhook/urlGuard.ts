import { isIP } from 'node:net';
import type { WebhookUrlGuard, WebhookUrlVerdict } from '../../ports/webhookSender.ts';
import type { NetworkPolicy } from './addressPolicy.ts';
import { resolverFor, resolvedRefusal } from './hostResolver.ts';
import type { HostResolver } from './hostResolver.ts';
import { parseWebhookUrl } from './webhookUrl.ts';

/** How long a save waits for DNS, in milliseconds. */
const resolveTimeoutMs = 3000;

/**
 * Checks webhook URLs when they are saved, to tell the admin early.
 * Safety is up to the sender, which checks the addresses again when it connects.
 */
export function createWebhookUrlGuard(options: { policy: NetworkPolicy; resolveHost?: HostResolver }): WebhookUrlGuard {
  const { policy, resolveHost = resolverFor(options.policy) } = options;

  async function check(text: string): Promise<WebhookUrlVerdict> {
    const parsed = parseWebhookUrl(text, policy);
    if (parsed.kind === 'refused') return parsed;
    if (policy === 'any' || isIP(parsed.host) !== 0) return { kind: 'ok', url: text };
    const addresses = await withinTime(resolveHost(parsed.host));
    const refusal = resolvedRefusal(addresses, parsed.scheme, policy);
    if (refusal === null) return { kind: 'ok', url: text };
    const detail = `The webhook URL's host ${parsed.host} ${refusal.words}.`;
    return { kind: 'refused', detail, cause: { code: refusal.code, params: { host: parsed.host } } };
  }

  return { check };
}

/** The addresses, or none when there are none or the time is over. */
async function withinTime(resolving: ReturnType<HostResolver>): ReturnType<HostResolver> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<[]>((resolve) => {
    timer = setTimeout(resolve, resolveTimeoutMs, []);
  });
  try {
    return await Promise.race([resolving.catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}
