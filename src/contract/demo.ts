import { z } from 'zod';
import { optional, phoneInput, shortText } from './values.ts';

/**
 * What the demo server speaks, where it is offered: `GET /api/public/platform` says `demo: true`. All under `/demo`;
 * refusals are problems like everywhere else.
 *
 * - `POST /demo/start` (admin) → `DemoStart`
 * - `POST /demo/ring` `{agent_code, from?, name?}` (admin, supervisor) → `DemoRing`, once it is over or answered;
 *   hanging up the request stops the ringing
 * - `GET /demo/inbox/events` (admin) → `text/event-stream`;
 * each event is `event: delivery` with a `DemoDelivery` as its
 *   data and the delivery's `sequence` as its id: first those that are kept, then each as it arrives. `Last-Event-ID`
 *   leaves out those up to it. Ends when the token does.
 * - `POST /demo/inbox` is where webhooks arrive
 */

/** Where the carrier's WebSocket is. */
export const demoSipPath = '/demo/sip';
/** Where a company's webhooks are taken. */
export const demoInboxPath = '/demo/inbox';

/** What becomes of a call to a number, by its last digits. `answers_high`: in another voice than the others. */
export const demoBehaviours = [
  'answers',
  'answers_high',
  'busy',
  'declines',
  'unknown',
  'never_answers',
  'hangs_up',
] as const;
export type DemoBehaviour = (typeof demoBehaviours)[number];

export type DemoCustomer = {
  /** E.164 */
  phone_number: string;
  name: string;
  tier: string | null;
  company: string;
  behaviour: DemoBehaviour;
};

/**
 * Where the company's webhooks go: `inbox`: to the inspector. `elsewhere`: the admin had set another URL, which is left
 * alone. `refused`: WEBHOOK_ALLOW_PRIVATE_NETWORKS forbids this machine.
 */
export const demoWebhooks = ['inbox', 'elsewhere', 'refused'] as const;
export type DemoWebhooks = (typeof demoWebhooks)[number];

/** Answer of `POST /demo/start`. `api_key` and `webhook_secret` only where this request made them; shown this once. */
export type DemoStart = {
  customers: DemoCustomer[];
  webhooks: DemoWebhooks;
  webhook_url: string | null;
  /** Whether there is a carrier that answers; without it calls need a telephone of the company's own. */
  carrier: boolean;
  api_key?: string | undefined;
  webhook_secret?: string | undefined;
};

export const demoRingRequest = z.strictObject({
  agent_code: z.string().min(1).max(200),
  from: optional(phoneInput),
  name: optional(shortText),
});
export type DemoRingRequest = z.infer<typeof demoRingRequest>;

/**
 * How a call to an agent went. `passed_on`: to somebody who is no agent of the carrier's. `not_registered`: the agent's
 * softphone is not at the carrier.
 */
export const demoRingResults = [
  'answered',
  'busy',
  'declined',
  'passed_on',
  'no_answer',
  'canceled',
  'failed',
  'not_registered',
] as const;
export type DemoRingResult = (typeof demoRingResults)[number];

/** Answer of `POST /demo/ring`. */
export type DemoRing = { result: DemoRingResult };

/**
 * What the receiver makes of a signature. `unsigned`: the company has no webhook secret. `refused`: a receiver must not
 * believe it; it was answered 401.
 */
export const demoVerdicts = ['verified', 'unsigned', 'refused'] as const;
export type DemoVerdict = (typeof demoVerdicts)[number];

/** Why: as `verify` of the receivers' package tells it, besides what only the demo's receiver can meet. */
export const demoSignatureReasons = [
  'verified',
  'unsigned',
  'unreadable_secret',
  'missing_signature',
  'malformed_header',
  'wrong_signature',
  'stale_timestamp',
  'malformed_body',
] as const;
export type DemoSignatureReason = (typeof demoSignatureReasons)[number];

/** One webhook as it arrived. */
export type DemoDelivery = {
  /** Rises by one per delivery, over all companies; a gateway that starts anew begins above what it told before. */
  sequence: number;
  received_at: string;
  /** `X-Service-Event`, `X-Service-Delivery`, `X-Service-Attempt`; null where they are missing. */
  event: string | null;
  delivery_id: string | null;
  attempt: number | null;
  /** All headers, names in lower case. */
  headers: Record<string, string>;
  /** As it came, byte for byte; read as UTF-8. */
  body: string;
  signature: {
    verdict: DemoVerdict;
    reason: DemoSignatureReason;
    /** The same for a person, in English, at length. */
    detail: string;
  };
  status_code: number;
};
