import { defaultWebhookEvents, webhookEvents, type WebhookEvent } from './vocabulary.ts';

/**
 * The events that a company's webhook gets, in the order of the catalog. A test is sent whatever was chosen: an admin
 * asks for it by hand.
 * @param chosen null: nothing was chosen; repetitions count once
 */
export function sentEvents(chosen: readonly WebhookEvent[] | null): WebhookEvent[] {
  const wanted = new Set<WebhookEvent>(chosen ?? defaultWebhookEvents).add('integration_test');
  return webhookEvents.filter((event) => wanted.has(event));
}
