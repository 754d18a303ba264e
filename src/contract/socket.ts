import { z } from 'zod';
import type { AgentStateView } from './agents.ts';
import type { CallView, TransferredFrom } from './calls.ts';
import { dispositionRequest, reportedQuality } from './calls.ts';
import type { CauseParam } from './causes.ts';
import type { ErrorCode } from './errors.ts';
import type { ClickTally, LiveCall } from './live.ts';
import type { MessageNotice } from './messages.ts';
import { chooseRecordRequest, type ExactTexts, type ScreenPop } from './screenPops.ts';
import type { TaskView } from './tasks.ts';
import type { IceServer, SessionSettings } from './telephony.ts';
import {
  callerInput,
  code,
  optional,
  phoneInput,
  shortText,
  sipCallId,
  uuid,
  type CodeWithLabel,
  type DispositionOption,
} from './values.ts';
import {
  endReasons,
  type ListeningMode,
  listeningModes,
  reportableCallStates,
  reportedEndDetails,
  requestableStates,
  type AgentState,
  type Direction,
  type EndReason,
  type Trigger,
} from './vocabulary.ts';

/** The Socket.IO contract (default namespace): one typed event map for gateway, client, pages and tests. */

export const socketPath = '/socket.io/';
/** Both transports are served; `@readyline/client` uses WebSocket alone. */
export const socketTransports = ['websocket', 'polling'] as const;

/**
 * `auth` of the handshake. `session`: resume that softphone session. `watch`: a supervisor's view without a softphone.
 * `transfers`: this softphone answers `transfer_offer`; colleagues hand calls on to no other. `listening`: it answers
 * `listener_joins`; supervisors listen to no other.
 */
export const handshakeAuth = z.object({
  token: z.string().min(1).max(8192),
  session: optional(uuid),
  watch: optional(z.boolean()),
  transfers: optional(z.boolean()),
  listening: optional(z.boolean()),
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
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.string().max(100), detail: optional(z.string().max(1000)) }),
  }),
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
  /** Of an inbound call: the number that the customer called; absent where it was not told. */
  dialed_number?: string;
  /** Of an inbound call: where it waited; likewise. */
  queue?: string;
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
  /** The number that the customer is to see; absent: as the PBX has it. */
  caller_id?: string;
  contact_id?: string;
  external_id?: string;
  campaign_id?: string;
  metadata?: Record<string, unknown>;
  exact?: ExactTexts;
  expires_at: string;
};

/**
 * A colleague hands a call on, or asks about it: the record is on the screen, and the telephone network is about to
 * ring here. The softphone acknowledges it where its telephone can take that call; `call_state_changed` then tells of
 * it as `ringing`, and what rings is that call. `offer_rescinded`: it will not ring.
 */
export type TransferOffer = {
  call_id: string;
  claim_id: string;
  /** The customer's; null: it was withheld. */
  phone_number: string | null;
  /** In place of a number, as the network told it. */
  caller?: string;
  from: TransferredFrom;
  expires_at: string;
};

export type StateSnapshot = {
  /** Present it as `auth.session` when connecting again. */
  session: string;
  /** ISO 8601; lets the softphone correct its clock. */
  server_time: string;
  agent: AgentStateView;
  call: CallView | null;
  /** Another one beside it (see `call_waiting` of the company); absent in what gateways of before tell. */
  second_call?: CallView | null;
  offer: ClickToDialOffer | null;
  dispositions: DispositionOption[];
  /** All that the agent may choose from: the standard ones, then the company's own. */
  not_ready_reasons: CodeWithLabel[];
};

export type OfferRescinded = { call_id: string; claim_id: string; reason: string };

/**
 * This gateway is about to close. Connect anew with the same token and session, to the same address, within that time:
 * the session and everything about it is kept. Then close the old connection.
 */
export type GatewayClosing = { within_ms: number };

/**
 * A supervisor listens to the agent's call, or speaks in it: page to page, over a connection of their own
 * (WebRTC). The softphone acknowledges with its SDP offer, whose candidates are all in it. `by`: null where the
 * company does not let agents know.
 */
export type ListenerJoins = {
  listen_id: string;
  call_id: string;
  mode: ListeningMode;
  by: { id: string; name: string } | null;
};
/** How a softphone acknowledges it. */
export const listenerAck = z.union([
  z.object({ ok: z.literal(true), sdp: z.string().min(1).max(20_000) }),
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.string().max(100), detail: optional(z.string().max(1000)) }),
  }),
]);
export type ListenerAck = z.infer<typeof listenerAck>;
/** What it is told of the listener from then on. */
export type ListenerNews =
  | { event: 'listener_answered'; about: { listen_id: string; sdp: string } }
  | { event: 'listener_changed'; about: { listen_id: string; mode: ListeningMode } }
  | { event: 'listener_left'; about: { listen_id: string } };

/** `call_id`: the colleague's call, as it was answered to `start_transfer`. */
export type TransferEnded = { call_id: string; end_reason: EndReason };

export type TaskClosed = { id: string; version: number };

export interface ServerToClientEvents {
  state_snapshot: (snapshot: StateSnapshot) => void;
  crm_screen_pop: (pop: CrmScreenPop, acknowledge: (ack: OfferAck) => void) => void;
  click_to_dial: (offer: ClickToDialOffer, acknowledge: (ack: OfferAck) => void) => void;
  /** To softphones that have said `transfers` alone. */
  transfer_offer: (offer: TransferOffer, acknowledge: (ack: OfferAck) => void) => void;
  agent_state_changed: (state: AgentStateView) => void;
  call_state_changed: (call: CallView) => void;
  offer_rescinded: (rescinded: OfferRescinded) => void;
  /** To softphones that have said `listening` alone. */
  listener_joins: (joins: ListenerJoins, acknowledge: (ack: ListenerAck) => void) => void;
  listener_answered: (answered: { listen_id: string; sdp: string }) => void;
  listener_changed: (changed: { listen_id: string; mode: ListeningMode }) => void;
  listener_left: (left: { listen_id: string }) => void;
  /**
   * To the softphone that hands a call on: the colleague's call is over, whether or not their telephone has said so.
   */
  transfer_ended: (ended: TransferEnded) => void;
  /**
   * A task is due: the agent's own, or nobody's yet, which is for those who are Ready.
   * Also at each connect, and again with a higher `version` when it was changed.
   */
  task_due: (task: TaskView) => void;
  /**
   * It is not due any more, or has become another's. Of a task that is shown with that `version` or a
   * higher one it does not count.
   */
  task_closed: (closed: TaskClosed) => void;
  /**
   * A supervisor wrote to the agent. At once, and at each connect until the agent has read it or it is over;
   * each may come more than once.
   */
  message_posted: (message: MessageNotice) => void;
  /** It was taken back. */
  message_closed: (closed: { id: string }) => void;
  session_replaced: () => void;
  gateway_closing: (closing: GatewayClosing) => void;
  /** What `read_settings` answered may be out of date, and the company's words as supervisors see them: ask again. */
  settings_changed: () => void;
  /**
   * To supervisors, at each connect: everyone who is not offline. Changes come as `agent_state_changed`. `server_time`:
   * ISO 8601, by the clock of every `since`; gateways of before do not tell it. `team_ids`: the teams whose agents
   * those are; null or left out: everybody. Comes again, with the other two lists, when the supervisor sees others;
   * whoever is not in it is seen no more.
   */
  agents_snapshot: (snapshot: { agents: AgentStateView[]; server_time?: string; team_ids?: string[] | null }) => void;
  /** To supervisors, at each connect: the calls that last. */
  calls_snapshot: (snapshot: { calls: LiveCall[] }) => void;
  live_call_changed: (call: LiveCall) => void;
  /**
   * To supervisors, at each connect: the clicks of the last 48 hours; quarters without a click are left out.
   * None to those of some teams.
   */
  clicks_snapshot: (snapshot: { tallies: ClickTally[] }) => void;
  /** The sums of the quarters that have changed. */
  clicks_changed: (changed: { tallies: ClickTally[] }) => void;
}

/** What is no Call-ID of SIP is taken for none: no call is lost for it. */
const toldSipCallId = optional(sipCallId).catch(undefined) as unknown as z.ZodOptional<typeof sipCallId>;
/** What the telephone network told of somebody who calls. */
const ring = {
  phone_number: callerInput,
  display_name: optional(shortText),
  sip_call_id: toldSipCallId,
  /** The number that they called, as the network told it. What is too long is taken for none. */
  dialed_number: optional(callerInput).catch(undefined) as unknown as z.ZodOptional<typeof callerInput>,
  /** Where they waited, as the network calls that. What is no name is taken for none. */
  queue: optional(shortText).catch(undefined) as unknown as z.ZodOptional<typeof shortText>,
};

/** Payloads of softphone to server; unknown fields are refused. */
export const clientPayloads = {
  set_state: z.strictObject({ state: z.enum(requestableStates), reason: optional(code) }),
  /** `override_do_not_call`: of supervisors and admins alone. */
  start_call: z.strictObject({
    phone_number: phoneInput,
    override_do_not_call: optional(z.boolean()),
    contact_id: optional(uuid),
    /** One of the company's outgoing numbers; without it the agent's. */
    caller_id: optional(phoneInput),
  }),
  incoming_call: z.strictObject(ring),
  /** Who called meanwhile, and heard that the agent is busy. */
  caller_turned_away: z.strictObject(ring),
  /**
   * The telephone network names another caller of the agent's own call, which has come in: its record and its screen
   * pop follow. The same caller again, or a withheld number, changes nothing. At most 20 times in a call.
   */
  caller_changed: z.strictObject({ call_id: uuid, phone_number: callerInput, display_name: optional(shortText) }),
  call_progress: z
    .strictObject({
      call_id: uuid,
      state: z.enum(reportableCallStates),
      end_reason: optional(z.enum(endReasons)),
      ended_by: optional(z.enum(['agent', 'customer'])),
      sip_code: optional(z.int().min(100).max(699)),
      /** The first one told of a call is its key for ever: SIP has more of one call, after a reload for example. */
      sip_call_id: toldSipCallId,
      end_detail: optional(z.enum(reportedEndDetails)),
      /** Whom the agent handed the call on to, or passed the caller on to, as it was dialed. */
      transferred_to: optional(phoneInput),
      /** Over the whole call, as far as this softphone had it. */
      quality: optional(reportedQuality),
    })
    .refine(({ quality, state }) => quality === undefined || state === 'ended', {
      path: ['quality'],
      message: 'only with state ended',
    })
    .refine(
      ({ end_detail, end_reason, state, transferred_to }) =>
        transferred_to === undefined ||
        (state === 'ended' && (end_reason === 'transferred' || end_detail === 'passed_on')),
      {
        path: ['transferred_to'],
        message: 'only with state ended, and end_reason transferred or end_detail passed_on',
      },
    ),
  /**
   * Reserves a Ready colleague for the agent's own call `call_id`, which is connected or held: the one named, or
   * whoever is idle longest, of all or of a team. Their softphone shows the record, the agent's notes and who hands it
   * on; then it is for the agent's softphone to call `extension` of the answer, and to have the network join both. One
   * at a time: what the agent asked before is taken back.
   */
  start_transfer: z
    .strictObject({ call_id: uuid, agent_id: optional(uuid), team_code: optional(code) })
    .refine(({ agent_id, team_code }) => agent_id === undefined || team_code === undefined, {
      path: ['team_code'],
      message: 'not together with agent_id',
    }),
  /**
   * Frees the colleague whose `call_id` was answered to `start_transfer`, unless they have answered;
   * then their softphone tells how it ends.
   */
  cancel_transfer: z.strictObject({ call_id: uuid }),
  /**
   * The agent is typing: 30 seconds of the wrap-up are left from now, as far as the company's maximum allows.
   * Once every few seconds will do. The agent's state tells when it ends.
   */
  extend_wrap_up: z.strictObject({ call_id: uuid }),
  submit_disposition: dispositionRequest.extend({ call_id: uuid }),
  /** Several records have the number of that call: this one is the customer. Another one may be chosen later. */
  choose_record: chooseRecordRequest.extend({ call_id: uuid }),
  /** The agent has read that message. Safe to repeat. */
  acknowledge_message: z.strictObject({ message_id: uuid }),
  /**
   * Of supervisors and admins, whether or not they have a softphone: to be in an agent's call that is connected or
   * held. Each time, and each change of `mode`, is kept in the audit. Ends with this connection at the latest.
   */
  start_listening: z.strictObject({ agent_id: uuid, call_id: uuid, mode: z.enum(listeningModes) }),
  /** The SDP answer to the offer that `start_listening` was answered, with all candidates. */
  answer_listening: z.strictObject({ listen_id: uuid, sdp: z.string().min(1).max(20_000) }),
  change_listening: z.strictObject({ listen_id: uuid, mode: z.enum(listeningModes) }),
  stop_listening: z.strictObject({ listen_id: uuid }),
  renew_token: z.strictObject({ token: z.string().min(1).max(8192) }),
  /** Answered only to the connection that owns the agent's softphone: the answer holds the agent's SIP secret. */
  read_settings: z.strictObject({}),
  /**
   * For a softphone whose machine slept, or whose clock was set: it can judge no `expires_at`
   * until it has measured again.
   */
  read_time: z.strictObject({}),
} as const;
type Payload<E extends keyof typeof clientPayloads> = z.input<(typeof clientPayloads)[E]>;

/** What each acknowledged event answers beside `ok`. */
export type ClientAnswers = {
  set_state: { agent: AgentStateView };
  start_call: { call: CallView };
  incoming_call: { call: CallView; found: boolean; screen_pop: ScreenPop };
  /** It is over, and none of the softphone's. */
  caller_turned_away: { call: CallView };
  caller_changed: { call: CallView };
  call_progress: { call: CallView };
  /** `call_id`: the colleague's call. `extension`: by which the PBX knows them. */
  start_transfer: { call_id: string; agent: { id: string; agent_code: string; name: string }; extension: string };
  cancel_transfer: object;
  extend_wrap_up: { agent: AgentStateView };
  submit_disposition: { call: CallView };
  choose_record: { call: CallView };
  acknowledge_message: object;
  /** `sdp`: the offer of the agent's page. `is_visible`: the agent sees it. */
  start_listening: { listen_id: string; sdp: string; ice_servers: IceServer[]; is_visible: boolean };
  answer_listening: object;
  change_listening: object;
  stop_listening: object;
  renew_token: { expires_at: string };
  read_settings: { settings: SessionSettings };
  /** ISO 8601 by the presence store's clock, which all gateways share. */
  read_time: { server_time: string };
};
export type ClientEvent = keyof typeof clientPayloads;

export type ClientToServerEvents = {
  [E in ClientEvent]: (payload: Payload<E>, acknowledge: (ack: Ack<ClientAnswers[E]>) => void) => void;
};
