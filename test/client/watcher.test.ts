import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveCall } from '../../src/contract/live.ts';
import { agentView, FakeGateway } from '../support/gateway/fakeGateway.ts';
import { eventually } from '../support/time/waiting.ts';
import { WatchedWallboard } from '../support/gateway/watchedWallboard.ts';

const at = (seconds: number) => new Date(Date.parse('2026-11-21T09:00:00.000Z') + seconds * 1_000).toISOString();
const [ada, bob] = ['01a1fd9a-df84-76de-b312-4c71c7114efa', '01a1fd9a-df84-76de-b312-4c71c7114efb'];
const agent = (changes: Parameters<typeof agentView>[0]) => agentView({ agent_id: ada, since: at(0), ...changes });
const call = (changes: Partial<LiveCall>): LiveCall => ({
  ...{
    id: 'one',
    agent_id: ada,
    direction: 'outbound',
    trigger: 'click_to_dial',
    state: 'dialing',
    phone: '+15551230001',
    caller: null,
  },
  ...{ name: null, created_at: at(0), answered_at: null, version: 1 },
  ...changes,
});
const quarter = (begins: string, dialed: number) => ({
  at: begins,
  dialed,
  no_ready_agent: 0,
  agent_not_ready: 0,
  failed: 0,
});

describe('a watcher', () => {
  let gateway: FakeGateway;
  let wallboard: WatchedWallboard;
  beforeEach(async () => {
    gateway = await FakeGateway.start();
    gateway.answers = false;
    wallboard = new WatchedWallboard(gateway.url, 'token of a supervisor');
  });
  afterEach(async () => {
    wallboard.watcher.close();
    await gateway.close();
  });

  const arrived = (count: number) => eventually(() => gateway.lines.length === count);
  async function connected(): Promise<void> {
    wallboard.watcher.connect();
    await arrived(1);
    gateway.last.emit('agents_snapshot', { agents: [] });
    await eventually(() => wallboard.watcher.line === 'connected');
  }

  it('presents its token, watches only, and is connected with the first list', async () => {
    await connected();
    expect(gateway.auths).toEqual([{ token: 'token of a supervisor', watch: true }]);
    expect(gateway.last.conn.transport.name).toBe('websocket');
    expect(wallboard.lines.map(({ state }) => state)).toEqual(['connecting', 'connected']);
    wallboard.watcher.close();
    expect(wallboard.watcher.line).toBe('closed');
  });

  it('is told the gateway’s time, by a gateway that tells it', async () => {
    await connected();
    expect(wallboard.serverTime).toBeNull();
    gateway.last.emit('agents_snapshot', { agents: [], server_time: at(7) });
    await eventually(() => wallboard.serverTime === at(7));
  });

  it('takes of an agent what is newer, in whatever order it comes', async () => {
    await connected();
    gateway.last.emit('agent_state_changed', agent({ version: 2, state: 'on_call' }));
    gateway.last.emit('agent_state_changed', agent({ version: 1, state: 'ready' }));
    gateway.last.emit('agent_state_changed', agent({ version: 2, state: 'ready' }));
    gateway.last.emit('agent_state_changed', agent({ version: 3, state: 'wrap_up', since: at(5) }));
    await eventually(() => wallboard.agentChanges.length >= 2);
    expect(wallboard.agentChanges.map(({ state }) => state)).toEqual(['on_call', 'wrap_up']);
  });

  it('knows an agent who was logged out and begins again at a low version, and what comes late from before', async () => {
    await connected();
    gateway.last.emit('agent_state_changed', agent({ version: 8, state: 'ready', since: at(1) }));
    gateway.last.emit('agent_state_changed', agent({ version: 9, state: 'offline', since: at(2) }));
    gateway.last.emit('agent_state_changed', agent({ version: 7, state: 'not_ready', since: at(0) }));
    gateway.last.emit('agent_state_changed', agent({ version: 1, state: 'not_ready', since: at(3) }));
    gateway.last.emit('agent_state_changed', agent({ version: 8, state: 'ready', since: at(1), reason: 'late' }));
    gateway.last.emit('agent_state_changed', agent({ version: 2, state: 'ready', since: at(4) }));
    await eventually(() => wallboard.agentChanges.some(({ since }) => since === at(4)));
    expect(wallboard.agentChanges.map(({ version, state }) => [version, state])).toEqual([
      [8, 'ready'],
      [9, 'offline'],
      [1, 'not_ready'],
      [2, 'ready'],
    ]);
  });

  it('shows in a list what was told ahead of it and is newer', async () => {
    wallboard.watcher.connect();
    await arrived(1);
    gateway.last.emit('agent_state_changed', agent({ version: 5, state: 'on_call' }));
    gateway.last.emit('agent_state_changed', agent({ agent_id: bob, version: 3, state: 'offline' }));
    gateway.last.emit('live_call_changed', call({ version: 3, state: 'ended' }));
    gateway.last.emit('live_call_changed', call({ id: 'two' }));
    gateway.last.emit('agents_snapshot', {
      agents: [agent({ version: 4, state: 'ready' }), agent({ agent_id: bob, version: 2, state: 'ready' })],
    });
    gateway.last.emit('calls_snapshot', { calls: [call({ version: 2, state: 'connected' })] });
    await eventually(() => wallboard.callLists.length === 1);
    expect(wallboard.agentLists).toEqual([[agent({ version: 5, state: 'on_call' })]]);
    expect(wallboard.callLists).toEqual([[call({ id: 'two' })]]);
    gateway.last.emit('live_call_changed', call({ version: 2, state: 'connected' }));
    gateway.last.emit('live_call_changed', call({ id: 'two', version: 2, state: 'ringing' }));
    await eventually(() => wallboard.statesOf('two').includes('ringing'));
    expect(wallboard.statesOf('one')).toEqual(['ended']);
  });

  it('adds up nothing: of two sums of a quarter the higher counts', async () => {
    await connected();
    gateway.last.emit('clicks_snapshot', { tallies: [quarter(at(900), 4), quarter(at(0), 2)] });
    gateway.last.emit('clicks_changed', { tallies: [quarter(at(900), 6)] });
    gateway.last.emit('clicks_changed', { tallies: [quarter(at(900), 5)] });
    await eventually(() => wallboard.clickLists.length === 3);
    expect(wallboard.clickLists.at(-1)).toEqual([quarter(at(0), 2), quarter(at(900), 6)]);
    const twoDaysLater = 48 * 3_600;
    gateway.last.emit('clicks_changed', { tallies: [quarter(at(twoDaysLater + 900), 1)] });
    await eventually(() => wallboard.clickLists.length === 4);
    expect(wallboard.clickLists.at(-1)).toEqual([quarter(at(900), 6), quarter(at(twoDaysLater + 900), 1)]);
  });

  it('comes back by itself when the line is lost, and forgets what it was told before', async () => {
    await connected();
    gateway.last.emit('agent_state_changed', agent({ version: 9, state: 'on_call' }));
    gateway.last.emit('live_call_changed', call({ version: 2 }));
    gateway.last.emit('clicks_snapshot', { tallies: [quarter(at(0), 7)] });
    await eventually(() => wallboard.clickLists.length === 1);
    gateway.last.conn.close();
    await eventually(() => wallboard.watcher.line === 'reconnecting');
    await arrived(2);
    const restarted = agent({ version: 1, state: 'not_ready' });
    gateway.last.emit('agents_snapshot', { agents: [restarted] });
    gateway.last.emit('calls_snapshot', { calls: [] });
    gateway.last.emit('clicks_snapshot', { tallies: [quarter(at(0), 3)] });
    await eventually(() => wallboard.clickLists.length === 2);
    expect([wallboard.agentLists.at(-1), wallboard.callLists.at(-1), wallboard.clickLists.at(-1)]).toEqual([
      [restarted],
      [],
      [quarter(at(0), 3)],
    ]);
    expect(wallboard.lines.map(({ state }) => state)).toEqual(['connecting', 'connected', 'reconnecting', 'connected']);
  });

  it('leaves a gateway that is about to close for the others', async () => {
    await connected();
    gateway.last.emit('gateway_closing', { within_ms: 15_000 });
    await arrived(2);
    await eventually(() => gateway.lines[0]?.connected === false);
  });

  it('stays refused until it is told to try again', async () => {
    const refusal = { code: 'invalid_token', detail: 'The token has expired.' } as const;
    gateway.refusal = refusal;
    wallboard.watcher.connect();
    await eventually(() => wallboard.watcher.line === 'refused');
    expect(wallboard.lines.at(-1)).toEqual({ state: 'refused', refusal });
    gateway.refusal = null;
    await wallboard.watcher.renewToken('another token');
    await connected();
    expect(gateway.auths).toEqual([{ token: 'another token', watch: true }]);
    gateway.last.disconnect(true);
    await eventually(() => wallboard.watcher.line === 'refused');
  });

  it('tries again where the gateway cannot tell just now', async () => {
    const refusal = { code: 'dependency_unavailable', detail: 'The token could not be checked now.' } as const;
    gateway.refusal = refusal;
    wallboard.watcher.connect();
    await eventually(() => wallboard.watcher.line === 'reconnecting');
    expect(wallboard.lines.at(-1)).toEqual({ state: 'reconnecting', refusal });
    gateway.refusal = null;
    await arrived(1);
  });

  it('says why it cannot come back, and no longer than that is so', async () => {
    await connected();
    const refusal = { code: 'dependency_unavailable', detail: 'The token could not be checked now.' } as const;
    gateway.refusal = refusal;
    gateway.last.conn.close();
    await eventually(() => wallboard.lines.length === 4);
    expect(wallboard.lines.slice(2)).toEqual([{ state: 'reconnecting' }, { state: 'reconnecting', refusal }]);
    gateway.refusal = null;
    await arrived(2);
    gateway.last.conn.close();
    await eventually(() => wallboard.lines.length === 5);
    expect(wallboard.lines.at(-1)).toEqual({ state: 'reconnecting' });
  });

  it('renews its token on the line that it has', async () => {
    await connected();
    const renewed: unknown[] = [];
    gateway.last.on('renew_token', (payload, acknowledge) => {
      renewed.push(payload);
      acknowledge({ ok: true, expires_at: at(0) });
    });
    await wallboard.watcher.renewToken('a fresh token');
    expect(renewed).toEqual([{ token: 'a fresh token' }]);
    gateway.last.conn.close();
    await arrived(2);
    expect(gateway.auths[1]).toEqual({ token: 'a fresh token', watch: true });
  });
});
