import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Watcher, type WatcherState } from '../../../src/client/watcher.ts';
import type { Refusal } from '../../../src/contract/socket.ts';
import { api } from '../shared/api.ts';
import { setSignIn, useSignIn } from '../shared/signIn.ts';
import { whenOnline } from '../shared/whenOnline.ts';
import { noteGatewayTime, restartGatewayTime } from './gatewayClock.ts';
import type { Topic } from './topic.ts';
import { Wall } from './wall.ts';
import type { WallRow } from './wallRow.ts';

/** `downSince`: milliseconds since the epoch by this machine; null while it is up. `connects`: how often it came up. */
export type WallLine = { state: WatcherState; refusal: Refusal | null; downSince: number | null; connects: number };

const tokenRefusals: readonly string[] = ['unauthenticated', 'invalid_token', 'token_expired'];

type WatchedWall = {
  wall: Wall;
  line: WallLine;
  /** How often the company's settings were changed, or may have been while the line was down. */
  changes: number;
  connect: () => void;
};

/** Watches the company for as long as the page is shown, and whoever is signed in may. */
export function useWall(): WatchedWall {
  const token = useSignIn()?.token ?? null;
  const [wall] = useState(() => new Wall());
  const watcher = useRef<Watcher | null>(null);
  const [line, setLine] = useState<WallLine>({ state: 'connecting', refusal: null, downSince: null, connects: 0 });
  const [told, setTold] = useState(0);

  useEffect(() => {
    if (token === null) return;
    const current = new Watcher({ url: window.location.origin, token });
    feed(current, wall);
    current.on('line', (state, refusal) => {
      setLine((before) => nextLine(before, state, refusal ?? null));
      if (state === 'refused') void learnWhy(refusal ?? null);
    });
    current.on('settingsChanged', () => setTold((times) => times + 1));
    current.connect();
    watcher.current = current;
    const endOnline = whenOnline(() => {
      if (current.line === 'reconnecting') current.connect();
    });
    return () => {
      endOnline();
      current.close();
      current.off();
    };
  }, [token, wall]);

  useEffect(() => () => wall.stop(), [wall]);

  const connect = useCallback(() => watcher.current?.connect(), []);
  return { wall, line, changes: told + Math.max(0, line.connects - 1), connect };
}

/** Every change of the topic is a rendering. */
export function useTopic<T>(topic: Topic<T>): T {
  return useSyncExternalStore(topic.subscribe, topic.read);
}

/** Only changes of that part are renderings; it must be a plain value. */
export function useTopicPart<T, P extends string | number | boolean>(topic: Topic<T>, part: (value: T) => P): P {
  return useSyncExternalStore(topic.subscribe, () => part(topic.read()));
}

/** The agent's row; a rendering for each change of it. */
export function useWallRow(wall: Wall, id: string): WallRow | null {
  const subscribe = useCallback((listener: () => void) => wall.subscribeRow(id, listener), [wall, id]);
  return useSyncExternalStore(subscribe, () => wall.row(id));
}

function feed(watcher: Watcher, wall: Wall): void {
  watcher.on('agents', (agents, serverTime) => {
    restartGatewayTime(serverTime);
    wall.replaceAgents(agents);
  });
  watcher.on('agent', (agent) => {
    // A change of the state has just happened; others, of the connection for one, tell an old `since` again.
    if (agent.since !== null && wall.agent(agent.agent_id)?.since !== agent.since) noteGatewayTime(agent.since);
    wall.changeAgent(agent);
  });
  watcher.on('calls', (calls) => wall.replaceCalls(calls));
  watcher.on('call', (call) => wall.changeCall(call));
  watcher.on('clicks', (tallies) => wall.clicks.set(tallies));
}

function nextLine(before: WallLine, state: WatcherState, refusal: Refusal | null): WallLine {
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
