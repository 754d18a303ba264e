import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Watcher, type WatcherState } from '../../../../src/client/watcher.ts';
import type { Refusal } from '../../../../src/contract/socket.ts';
import { api } from '../../lib/gateway/api.ts';
import { setSignIn, useSignIn } from '../../lib/gateway/signIn.ts';
import { whenOnline } from '../../lib/gateway/whenOnline.ts';
import { noteGatewayTime, restartGatewayTime } from './gatewayClock.ts';
import type { SupervisorListening } from './supervisorListening.ts';
import { type Shown, Wallboard } from './wallboard.ts';
import type { WallboardRow } from './wallboardOrder.ts';

/** `downSince`: milliseconds since the epoch by this machine; null while it is up. `connects`: how often it came up. */
export type WallboardLine = {
  state: WatcherState;
  refusal: Refusal | null;
  downSince: number | null;
  connects: number;
};

const tokenRefusals: readonly string[] = ['unauthenticated', 'invalid_token', 'token_expired'];

type WatchedWallboard = {
  wallboard: Wallboard;
  line: WallboardLine;
  /** How often the company's settings were changed, or may have been while the line was down. */
  changes: number;
  connect: () => void;
};

/**
 * Watches the company for as long as the page is shown, and whoever is signed in may.
 * @param listening goes over the same connection
 */
export function useWallboard(listening: SupervisorListening): WatchedWallboard {
  const token = useSignIn()?.token ?? null;
  const [wallboard] = useState(() => new Wallboard());
  const watcher = useRef<Watcher | null>(null);
  const [line, setLine] = useState<WallboardLine>({ state: 'connecting', refusal: null, downSince: null, connects: 0 });
  const [told, setTold] = useState(0);

  useEffect(() => {
    if (token === null) return;
    const current = new Watcher({ url: window.location.origin, token });
    feed(current, wallboard);
    current.on('line', (state, refusal) => {
      setLine((before) => nextLine(before, state, refusal ?? null));
      if (state !== 'connected') listening.lost();
      if (state === 'refused') void learnWhy(refusal ?? null);
    });
    current.on('settingsChanged', () => setTold((times) => times + 1));
    current.connect();
    watcher.current = current;
    listening.use(current);
    const endOnline = whenOnline(() => {
      if (current.line === 'reconnecting') current.connect();
    });
    return () => {
      endOnline();
      listening.use(null);
      current.close();
      current.off();
    };
  }, [token, wallboard, listening]);

  useEffect(() => () => wallboard.stop(), [wallboard]);

  const connect = useCallback(() => watcher.current?.connect(), []);
  return { wallboard, line, changes: told + Math.max(0, line.connects - 1), connect };
}

/** A part of what is shown; a rendering only where that part is another one. */
export function useShown<P>(wallboard: Wallboard, part: (shown: Shown) => P): P {
  return useStore(wallboard.shown, part);
}

/** The agent's row, a rendering for each change of it; null: nothing was told of this agent, who is offline then. */
export function useWallboardRow(wallboard: Wallboard, id: string): WallboardRow | null {
  return useShown(wallboard, ({ rows }) => rows.get(id) ?? null);
}

function feed(watcher: Watcher, wallboard: Wallboard): void {
  watcher.on('agents', (agents, serverTime, teamIds) => {
    restartGatewayTime(serverTime);
    wallboard.replaceAgents(agents, teamIds);
  });
  watcher.on('agent', (agent) => {
    // A change of the state has just happened; others, of the connection for one, tell an old `since` again.
    if (agent.since !== null && wallboard.agent(agent.agent_id)?.since !== agent.since) noteGatewayTime(agent.since);
    wallboard.changeAgent(agent);
  });
  watcher.on('calls', (calls) => wallboard.replaceCalls(calls));
  watcher.on('call', (call) => wallboard.changeCall(call));
  watcher.on('clicks', (tallies) => wallboard.replaceClicks(tallies));
}

function nextLine(before: WallboardLine, state: WatcherState, refusal: Refusal | null): WallboardLine {
  const isUp = state === 'connected';
  const downSince = isUp ? null : (before.downSince ?? Date.now());
  return { state, refusal, downSince, connects: before.connects + (isUp ? 1 : 0) };
}

/** The gateway ends the connections of tokens that are not taken any more, often without a word: asked, it tells. */
async function learnWhy(refusal: Refusal | null): Promise<void> {
  if (refusal !== null && tokenRefusals.includes(refusal.code)) return setSignIn(null);
  await api.get('/api/me').catch(() => {
    // An ended log-in has signed out by now; anything else shows in the state of the line.
  });
}
