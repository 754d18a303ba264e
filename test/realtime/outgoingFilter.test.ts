import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AgentId, toId } from '../../src/domain/ids.ts';
import type { SoftphoneSocket } from '../../src/realtime/io.ts';
import { filterOutgoing, type OutgoingFilter } from '../../src/realtime/outgoingFilter.ts';

const [shown, hidden] = [toId<AgentId>(randomUUID()), toId<AgentId>(randomUUID())];

describe('what goes out to a supervisor of some teams', () => {
  let sent: string[];
  let seen: Set<AgentId>;
  let socket: SoftphoneSocket;
  let filter: OutgoingFilter;

  beforeEach(() => {
    sent = [];
    seen = new Set([shown]);
    const conn = { write: (data: string) => void sent.push(data) };
    socket = { conn } as unknown as SoftphoneSocket;
    filter = filterOutgoing(socket, (agentId) => seen.has(agentId));
  });

  /** As Socket.IO writes an event. */
  const write = (event: string, payload: object, ackId = '') => {
    const text = `2${ackId}${JSON.stringify([event, payload])}`;
    socket.conn.write(text);
    return text;
  };

  it.each(['agent_state_changed', 'live_call_changed'])('is %s of agents who are seen', (event) => {
    const [one, , other] = [
      write(event, { agent_id: shown, n: 1 }),
      write(event, { agent_id: hidden }),
      write(event, { agent_id: shown, n: 2 }),
    ];
    expect(sent).toEqual([one, other]);
  });

  it('is nothing that is of the whole company, and nothing that nobody has decided upon', () => {
    write('clicks_changed', { tallies: [] });
    write('agent_renamed', { agent_id: shown });
    write('constructor', {});
    expect(sent).toEqual([]);
  });

  it('is what is the connection’s own, with and without an acknowledgement, and all that is no event', () => {
    const own = [
      write('state_snapshot', { agent: { agent_id: hidden } }),
      write('crm_screen_pop', { call_id: '1' }, '17'),
      write('settings_changed', {}),
    ];
    const others = ['0{"sid":"x"}', '31[{"ok":true}]', '4{"message":"no"}'];
    for (const text of others) socket.conn.write(text);
    expect(sent).toEqual([...own, ...others]);
  });

  it('goes by who is seen when it goes out, also for what waited', () => {
    const before = write('agent_state_changed', { agent_id: shown, version: 1 });
    filter.hold();
    write('agent_state_changed', { agent_id: shown, version: 2 });
    const late = write('live_call_changed', { agent_id: hidden, version: 1 });
    const list = write('agents_snapshot', { agents: [] });
    expect(sent).toEqual([before, list]);
    seen = new Set([hidden]);
    filter.release();
    const last = write('agent_state_changed', { agent_id: hidden, version: 3 });
    expect(sent).toEqual([before, list, late, last]);
  });

  it('is read alike for each of several connections that get the same text', () => {
    const others: string[] = [];
    const other = { conn: { write: (data: string) => void others.push(data) } } as unknown as SoftphoneSocket;
    filterOutgoing(other, (agentId) => agentId === hidden);
    for (const agent_id of [shown, hidden]) {
      const text = `2${JSON.stringify(['agent_state_changed', { agent_id }])}`;
      for (const { conn } of [socket, other]) conn.write(text);
    }
    expect([sent, others].map((texts) => texts.map((text) => text.includes(shown)))).toEqual([[true], [false]]);
  });
});
