import type { CrmScreenPop } from './socket.ts';
import type { AgentState, CallState, Direction, EndReason } from './vocabulary.ts';

/**
 * What the softphone page and the CRM page that holds it in an iframe tell each other by `postMessage`. Only pages of
 * EMBED_ORIGINS may hold it.
 */

/** To the softphone. */
export type EmbedRequest =
  /** Dial this number as if the agent had typed it. Answered with `readyline:dialed`. */
  | { type: 'readyline:dial'; request_id: string; phone_number: string }
  /** Tell the state now. */
  | { type: 'readyline:read_state' };

/** What the agent's softphone is doing. */
export type EmbedState = {
  /** Null while nobody is logged in. */
  agent: { id: string; agent_code: string; name: string } | null;
  /** Never `ready` while the gateway sends no calls: without a connection it is `not_ready`, with `connection_lost`. */
  state: AgentState;
  reason: string | null;
  since: string | null;
  /** Whether the page is connected to the gateway, and owns the agent's softphone. */
  connected: boolean;
  /** Whether the telephone is ready to make a call. */
  phone_ready: boolean;
  call: EmbedCall | null;
};

/** The call that lasts, or was the last, with what leads to the customer's record, also after a reload. */
export type EmbedCall = {
  id: string;
  direction: Direction;
  state: CallState;
  /** Null: no number that can be dialed. */
  phone: string | null;
  /** What the network told in its place, e.g. an extension; null where there is a number, and where it was withheld. */
  caller: string | null;
  /** The number that the customer called; null: not told, or the agent has called. */
  dialed_number: string | null;
  /** Where they waited, as the network told it; null likewise. */
  queue: string | null;
  end_reason: EndReason | null;
  /** Of the customer; null: not known. */
  name: string | null;
  external_system: string | null;
  external_id: string | null;
  /** Where the customer's record is opened in the CRM. */
  record_url: string | null;
  contact_id: string | null;
  campaign_id: string | null;
};

/** From the softphone. */
export type EmbedMessage =
  /** On loading, on every change, and when asked. */
  | { type: 'readyline:state'; state: EmbedState }
  /**
   * A customer is shown to the agent: open the record. `repeated`: the softphone was loaded anew in the middle of the
   * call, or has taken it over from another tab; the record may be open already.
   */
  | { type: 'readyline:pop'; pop: CrmScreenPop; repeated: boolean }
  /**
   * More is known of the customer who is shown, another record was chosen,
   * or the CRM has told nothing (`looking_up` is gone).
   */
  | { type: 'readyline:pop_changed'; pop: CrmScreenPop }
  | { type: 'readyline:dialed'; request_id: string; ok: true; call_id: string }
  | { type: 'readyline:dialed'; request_id: string; ok: false; error: { code: string; detail: string } };
