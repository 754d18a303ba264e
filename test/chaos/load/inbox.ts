import { startWebhookReceiver } from '../../../demo/webhookReceiver.ts';
import type { Ledger } from '../ledger.ts';

/** A company's webhook endpoint that checks signatures and notes what comes. */
export type Inbox = { url: string; expectSecret(secret: string): void; close(): void };

export async function openInbox(ledger: Ledger): Promise<Inbox> {
  let known: string[] = [];
  const receiver = await startWebhookReceiver({
    port: 0,
    secrets: () => known,
    onWebhook({ body, deliveryId, signature }) {
      const callId = body.event !== 'unknown' && 'call_id' in body.data ? body.data.call_id : null;
      ledger.webhooks.push({
        at: ledger.now(),
        companyId: body.company_id,
        deliveryId,
        event: body.event,
        callId,
        verdict: signature,
      });
    },
    onOther: (what) => ledger.count(`no webhook: ${what}`),
  });
  return { url: receiver.url, expectSecret: (secret) => void (known = [secret]), close: () => receiver.close() };
}
