import type { ServerToClientEvents } from '../contract/socket.ts';
import { type AgentId, toId } from '../domain/ids.ts';
import type { SoftphoneSocket } from './io.ts';

/**
 * What a supervisor of some teams gets of each event. `ofAgent`: where its `agent_id` is one of theirs.
 * `never`: it is of the whole company. The others are the connection's own, or made for whom it shows.
 */
const limits: Record<keyof ServerToClientEvents, 'always' | 'ofAgent' | 'never'> = {
  agent_state_changed: 'ofAgent',
  live_call_changed: 'ofAgent',
  clicks_changed: 'never',
  agents_snapshot: 'always',
  calls_snapshot: 'always',
  clicks_snapshot: 'always',
  state_snapshot: 'always',
  crm_screen_pop: 'always',
  click_to_dial: 'always',
  transfer_offer: 'always',
  transfer_ended: 'always',
  call_state_changed: 'always',
  offer_rescinded: 'always',
  listener_joins: 'always',
  listener_answered: 'always',
  listener_changed: 'always',
  listener_left: 'always',
  message_posted: 'always',
  message_closed: 'always',
  task_due: 'always',
  task_closed: 'always',
  session_replaced: 'always',
  gateway_closing: 'always',
  settings_changed: 'always',
};

/** `of`: whose agent's it is; null: nobody's in particular. */
type Outgoing = { limit: 'always' | 'ofAgent' | 'never'; of: AgentId | null };

export interface OutgoingFilter {
  /** What tells of agents waits from now on. */
  hold(): void;
  /** What waits goes out, as far as it may by now. */
  release(): void;
}

/**
 * Stands between a connection and all that it is sent, also what is broadcast to its rooms: every gateway where one
 * supervisor watches gets all of the company, and here it is decided what of it goes on. A broadcast is one text for
 * all connections, and read once for all that are filtered.
 * @param isShown whether changes of that agent go out now
 */
export function filterOutgoing(socket: SoftphoneSocket, isShown: (agentId: AgentId) => boolean): OutgoingFilter {
  const { conn } = socket;
  const write = conn.write.bind(conn);
  let waiting: (() => void)[] | null = null;

  conn.write = (data, options, callback) => {
    const { limit, of } = typeof data === 'string' ? readOutgoing(data) : whole;
    if (limit === 'always') return write(data, options, callback);
    if (limit === 'never' || of === null) return conn;
    const send = () => void (isShown(of) && write(data, options, callback));
    if (waiting === null) send();
    else waiting.push(send);
    return conn;
  };

  return {
    hold: () => void (waiting ??= []),
    release() {
      const held = waiting ?? [];
      waiting = null;
      for (const send of held) send();
    },
  };
}

const whole: Outgoing = { limit: 'always', of: null };
const unknown: Outgoing = { limit: 'never', of: null };

/** The text that was read last: a broadcast brings the same one to every connection. */
let latest: { text: string; outgoing: Outgoing } = { text: '', outgoing: whole };

/** Reads a packet of Socket.IO's protocol (revision 5); only events, which begin with 2, tell of anything. */
function readOutgoing(text: string): Outgoing {
  if (!text.startsWith('2')) return whole;
  if (latest.text === text) return latest.outgoing;
  const [, name = ''] = /^2\d*\["(\w+)"/.exec(text) ?? [];
  const outgoing = readEvent(name, text);
  latest = { text, outgoing };
  return outgoing;
}

function readEvent(name: string, text: string): Outgoing {
  // Of another name than these nothing is known, so nothing of it goes out.
  if (!Object.hasOwn(limits, name)) return unknown;
  const limit = limits[name as keyof ServerToClientEvents];
  if (limit !== 'ofAgent') return { limit, of: null };
  const [, told] = JSON.parse(text.slice(text.indexOf('['))) as [string, { agent_id: string }];
  return { limit, of: toId<AgentId>(told.agent_id) };
}
