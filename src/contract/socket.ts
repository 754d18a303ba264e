import { z } from 'zod';
import type { AgentStateView } from './agents.ts';
import type { CallView } from './calls.ts';
import { dispositionRequest } from './calls.ts';
import type { CauseParam } from './causes.ts';
import type { ErrorCode } from './errors.ts';
import type { ClickTally, LiveCall } from './live.ts';
import { chooseRecordRequest, type ExactTexts, type ScreenPop } from './screenPops.ts';
import type { TaskView } from './tasks.ts';
import type { SessionSettings } from './telephony.ts';
import { callerInput, code, optional, phoneInput, shortText, uuid, type CodeWithLabel, type DispositionOption } from './values.ts';
import {
  endReasons,
  reportableCallStates,
  reportedEndDetails,
  requestableStates,
  type AgentState,
  type Direction,
  type Trigger,
} from './vocabulary.ts';

/** The Socket.IO contract (default namespace): one typed event map for gateway, client, pages and tests. */

export const socketPath = '/socket.io/';
/** Both transports are served; `@readyline/client` uses WebSocket alone. */
export const socketTransports = ['websocket', 'polling'] as const;

/** `auth` of the handshake. `session`: resume that softphone session. `watch`: a supervisor's view without a softphone. */
export const handshakeAuth = z.object({
  token: z.string().min(1).max(8192),
  session: optional(uuid),
  watch: optional(z.boolean()),
});
export type HandshakeAuth = z.infer<typeof handshakeAuth>;

/** Why an event was refused. `agent_state`: with refused transitions, what the agent is doing now. */
export type Refusal = {
  code: ErrorCode;
  detail: string;
  /** What `detail` says, as a code that is closer than `code`. */
  cause?: { code: string; params?: Record<string, CauseParam> };
  /** With `invalid_request`: the fields of the payload that do not fit. */
  errors?: { path: string; message: string; code: string; params?: Record<string, CauseParam> }[];
  agent_state?: { state: AgentState; reason: string | null; since: string | null };
};
/** How every event is acknowledged. */
export type Ack<T extends object = object> = ({ ok: true } & T) | { ok: false; error: Refusal };

/** How a softphone acknowledges an offer. */
export const offerAck = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string().max(100), detail: optional(z.string().max(1000)) }) }),
]);
export type OfferAck = z.infer<typeof offerAck>;

/** What the gateway knows of the customer, shown on one agent's screen for one call. */
export type CrmScreenPop = {
  pop_id: string;
  call_id: string;
  claim_id?: string;
  trigger: Trigger;
  direction: Direction;
  /** Null: an inbound caller without a number that can be dialed. */
  phone_number: string | null;
  /** What the network told in place of a number, e.g. an extension; absent where it was withheld too. */
  caller?: string;
  found: boolean;
  screen_pop: ScreenPop;
  contact_id?: string;
  external_id?: string;
  campaign_id?: string;
  metadata?: Record<string, unknown>;
  exact?: ExactTexts;
  /** The CRM is being asked who that is. The `call_state_changed` that ends it says `looking_up: false`. */
  looking_up?: true;
  /** ISO 8601 by the presence store's clock, which `server_time` tells; a pop that arrives later must not be shown. */
  expires_at: string;
};

/**
 * The offer to dial. The softphone acknowledges it, and dials when `call_state_changed` reports the call as
 * `dialing`; `offer_rescinded` means that the call must not be made.
 */
export type ClickToDialOffer = {
  call_id: string;
  claim_id: string;
  phone_number: string;
  contact_id?: string;
  external_id?: string;
  campaign_id?: string;
  metadata?: Record<string, unknown>;
  exact?: ExactTexts;
  expires_at: string;
};

export type StateSnapshot = {
  /** Present it as `auth.session` when connecting again. */
  session: string;
  /** ISO 8601; lets the softphone correct its clock. */
  server_time: string;
  agent: AgentStateView;
  call: CallView | null;
  offer: ClickToDialOffer | null;
  dispositions: DispositionOption[];
  not_ready_reasons: CodeWithLabel[];
};

export type OfferRescinded = { call_id: string; claim_id: string; reason: string };

/**
 * This gateway is about to close. Connect anew with the same token and session, to the same address, within that time:
 * the session and everything about it is kept. Then close the old connection.
 */
export type GatewayClosing = { within_ms: number };

export type TaskClosed = { id: string; version: number };

export interface ServerToClientEvents {
  state_snapshot: (snapshot: StateSnapshot) => void;
  crm_screen_pop: (pop: CrmScreenPop, acknowledge: (ack: OfferAck) => void) => void;
  click_to_dial: (offer: ClickToDialOffer, acknowledge: (ack: OfferAck) => void) => void;
  agent_state_changed: (state: AgentStateView) => void;
  call_state_changed: (call: CallView) => void;
  offer_rescinded: (rescinded: OfferRescinded) => void;
  /**
   * A task is due: the agent's own, or nobody's yet, which is for those who are Ready. Also at each connect, and again with a higher
   * `version` when it was changed.
   */
  task_due: (task: TaskView) => void;
  /** It is not due any more, or has become another's. Of a task that is shown with that `version` or a higher one it does not count. */
  task_closed: (closed: TaskClosed) => void;
  session_replaced: () => void;
  gateway_closing: (closing: GatewayClosing) => void;
  /** What `read_settings` answered may be out of date, and the company's words as supervisors see them: ask again. */
  settings_changed: () => void;
  /**
   * To supervisors, at each connect: everyone who is not offline. Changes come as `agent_state_changed`. `server_time`:
   * ISO 8601, by the clock of every `since`; gateways of before do not tell it.
   */
  agents_snapshot: (snapshot: { agents: AgentStateView[]; server_time?: string }) => void;
  /** To supervisors, at each connect: the calls that last. */
  calls_snapshot: (snapshot: { calls: LiveCall[] }) => void;
  live_call_changed: (call: LiveCall) => void;
  /** To supervisors, at each connect: the clicks of the last 48 hours; quarters without a click are left out. */
  clicks_snapshot: (snapshot: { tallies: ClickTally[] }) => void;
  /** The sums of the quarters that have changed. */
  clicks_changed: (changed: { tallies: ClickTally[] }) => void;
}

/** Payloads of softphone to server; unknown fields are refused. */
export const clientPayloads = {
  set_state: z.strictObject({ state: z.enum(requestableStates), reason: optional(code) }),
  /** `override_do_not_call`: of supervisors and admins alone. */
  start_call: z.strictObject({ phone_number: phoneInput, override_do_not_call: optional(z.boolean()) }),
  incoming_call: z.strictObject({ phone_number: callerInput, display_name: optional(shortText) }),
  call_progress: z
    .strictObject({
      call_id: uuid,
      state: z.enum(reportableCallStates),
      end_reason: optional(z.enum(endReasons)),
      ended_by: optional(z.enum(['agent', 'customer'])),
      sip_code: optional(z.int().min(100).max(699)),
      end_detail: optional(z.enum(reportedEndDetails)),
      /** Whom the agent handed the call on to, as it was dialed. */
      transferred_to: optional(phoneInput),
    })
    .refine(({ end_reason, state, transferred_to }) => transferred_to === undefined || (state === 'ended' && end_reason === 'transferred'), {
      path: ['transferred_to'],
      message: 'only with state ended and end_reason transferred',
    }),
  /**
   * The agent is typing: 30 seconds of the wrap-up are left from now, as far as the company's maximum allows. Once every
   * few seconds will do. The agent's state tells when it ends.
   */
  extend_wrap_up: z.strictObject({ call_id: uuid }),
  submit_disposition: dispositionRequest.extend({ call_id: uuid }),
  /** Several records have the number of that call: this one is the customer. Another one may be chosen later. */
  choose_record: chooseRecordRequest.extend({ call_id: uuid }),
  renew_token: z.strictObject({ token: z.string().min(1).max(8192) }),
  /** Answered only to the connection that owns the agent's softphone: the answer holds the agent's SIP secret. */
  read_settings: z.strictObject({}),
  /** For a softphone whose machine slept, or whose clock was set: it can judge no `expires_at` until it has measured again. */
  read_time: z.strictObject({}),
} as const;
type Payload<E extends keyof typeof clientPayloads> = z.input<(typeof clientPayloads)[E]>;

/** What each acknowledged event answers beside `ok`. */
export type ClientAnswers = {
  set_state: { agent: AgentStateView };
  start_call: { call: CallView };
  incoming_call: { call: CallView; found: boolean; screen_pop: ScreenPop };
  call_progress: { call: CallView };
  extend_wrap_up: { agent: AgentStateView };
  submit_disposition: { call: CallView };
  choose_record: { call: CallView };
  renew_token: { expires_at: string };
  read_settings: { settings: SessionSettings };
  /** ISO 8601 by the presence store's clock, which all gateways share. */
  read_time: { server_time: string };
};
export type ClientEvent = keyof typeof clientPayloads;

export type ClientToServerEvents = {
  [E in ClientEvent]: (payload: Payload<E>, acknowledge: (ack: Ack<ClientAnswers[E]>) => void) => void;
};
