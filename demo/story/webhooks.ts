import type { CallWebhook, Webhook } from '../../src/webhooks/verify.ts';
import { CommandError } from '../commandLine.ts';
import { startWebhookReceiver, type ReceivedWebhook } from '../webhookReceiver.ts';
import { must, within, type Timeline } from './timeline.ts';

const patienceMs = 20_000;

/** The customer's end of the webhooks. */
export interface StoryWebhooks {
  url: string;
  /** From now on each webhook is verified with it. */
  useSecret(secret: string): void;
  /** Waits for one webhook of each name, of that call; in this order and each verified. */
  expect(events: readonly string[], callId: string | null): Promise<void>;
  /** How many webhooks were verified. */
  verified(): number;
  close(): void;
}

/** Receives webhooks on a free port of 127.0.0.1 and holds them against what must come. */
export async function receiveWebhooks(timeline: Timeline): Promise<StoryWebhooks> {
  const received: ReceivedWebhook[] = [];
  let secrets: string[] = [];
  let look = () => {};
  const receiver = await startWebhookReceiver({
    port: 0,
    secrets: () => secrets,
    onWebhook: (webhook) => {
      received.push(webhook);
      look();
    },
    onOther: (what) => timeline.note(`the webhook receiver was asked something else: ${what}`),
  });

  /** In the order of arrival, each delivery once: a webhook may come twice. */
  function arrivedFor(callId: string | null): ReceivedWebhook[] {
    const once = new Map(received.map((webhook) => [webhook.deliveryId, webhook]));
    return [...once.values()].filter(({ body }) => (callOf(body)?.call_id ?? null) === callId);
  }

  return {
    url: receiver.url,
    useSecret: (shown) => void (secrets = [shown]),
    async expect(events, callId) {
      const all = new Promise<void>((resolve) => {
        look = () => {
          if (arrivedFor(callId).length >= events.length) resolve();
        };
        look();
      });
      await within(patienceMs, `the arrival of ${events.join(', ')}`, all);
      const arrived = arrivedFor(callId);
      const names = arrived.map(({ body }) => body.event).join(', ');
      must(names === events.join(', '), `these webhooks came in this order: ${events.join(', ')} (but ${names} did)`);
      for (const [index, { body, signature, refusal }] of arrived.entries()) {
        if (signature !== 'verified') throw new CommandError(`${body.event} was not verified: ${refusal ?? signature}`);
        const call = callOf(body);
        must(call === null || call.sequence === index + 1, `${body.event} has sequence ${String(index + 1)}`);
      }
    },
    verified: () => new Set(received.filter((one) => one.signature === 'verified').map((one) => one.deliveryId)).size,
    close: () => receiver.close(),
  };
}

/** What a webhook tells of a call; null where it tells of none. */
function callOf(webhook: Webhook): CallWebhook['data'] | null {
  return webhook.event !== 'unknown' && 'call_id' in webhook.data ? webhook.data : null;
}
