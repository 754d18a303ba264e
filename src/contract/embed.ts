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
  state: AgentState;
  reason: string | null;
  since: string | null;
  /** Whether the page is connected to the gateway, and owns the agent's softphone. */
  connected: boolean;
  /** Whether the telephone is ready to make a call. */
  phone_ready: boolean;
  call: { id: string; direction: Direction; state: CallState; phone: string; end_reason: EndReason | null } | null;
};

/** From the softphone. */
export type EmbedMessage =
  /** On loading, on every change, and when asked. */
  | { type: 'readyline:state'; state: EmbedState }
  /** A customer is shown to the agent: open the record. */
  | { type: 'readyline:pop'; pop: CrmScreenPop }
  | { type: 'readyline:dialed'; request_id: string; ok: true; call_id: string }
  | { type: 'readyline:dialed'; request_id: string; ok: false; error: { code: string; detail: string } };
