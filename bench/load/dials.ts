// Agents who dial by hand, at a steady rate, each call answered and wrapped up a moment later: three events per call.
import { setTimeout as delay } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { ClientToServerEvents, ServerToClientEvents } from '../../src/contract/socket.ts';
import { instant } from '../measure/instant.ts';
import { serveVerbs } from '../worker.ts';

/** An event as the softphone knows it: `at` is the `instant` at which the gateway had told it that it is recorded. */
export type RecordedEvent = { callId: string; sequence: number; at: number };
export type Dials = {
  /** Connects one softphone per token; resolves when all are connected. */
  connect(options: { url: string; tokens: string[] }): Promise<void>;
  /** Dials at that rate until the time is over, or until `stop`; resolves when every call has ended. */
  dial(options: { callsPerSecond: number; seconds: number }): Promise<RecordedEvent[]>;
  stop(nothing: null): void;
};

/** Between two events of a call: the one has left before the next is written. */
const pauseMs = 500;

type Line = Socket<ServerToClientEvents, ClientToServerEvents>;
const idle: Line[] = [];
let stopped = false;

serveVerbs({
  async connect({ url, tokens }: { url: string; tokens: string[] }) {
    const lines = tokens.map((token): Line =>
      io(url, { transports: ['websocket'], forceNew: true, reconnection: false, auth: { token } }),
    );
    await Promise.all(lines.map((line) => connected(line)));
    idle.push(...lines);
  },

  async dial({ callsPerSecond, seconds }: { callsPerSecond: number; seconds: number }) {
    stopped = false;
    const recorded: RecordedEvent[] = [];
    const underWay: Promise<void>[] = [];
    const begun = performance.now();
    for (let dialed = 0; !stopped && dialed < callsPerSecond * seconds; dialed++) {
      await delay(Math.max(0, begun + (dialed * 1000) / callsPerSecond - performance.now()));
      const line = idle.shift();
      // All are on a call: that dial does not happen, and the rate is a little lower.
      if (line === undefined) continue;
      underWay.push(callOnce(line, dialed, recorded).finally(() => idle.push(line)));
    }
    await Promise.all(underWay);
    return recorded;
  },

  stop() {
    stopped = true;
  },
} satisfies Dials);

async function callOnce(line: Line, number: number, recorded: RecordedEvent[]): Promise<void> {
  const dialed = await line.emitWithAck('start_call', { phone_number: `+1555${1_000_000 + (number % 1_000_000)}` });
  if (!dialed.ok) throw new Error(`a dial was refused: ${dialed.error.detail}`);
  const { id: callId } = dialed.call;
  const note = (sequence: number): number => recorded.push({ callId, sequence, at: instant() });
  note(1);
  await delay(pauseMs);
  mustBeOk(await line.emitWithAck('call_progress', { call_id: callId, state: 'connected' }));
  note(2);
  await delay(pauseMs);
  mustBeOk(await line.emitWithAck('call_progress', { call_id: callId, state: 'ended' }));
  mustBeOk(await line.emitWithAck('submit_disposition', { call_id: callId, code: 'resolved' }));
  note(3);
}

function mustBeOk(ack: { ok: boolean; error?: { detail: string } }): void {
  if (!ack.ok) throw new Error(`the gateway refused: ${ack.error?.detail}`);
}

function connected(line: Line): Promise<void> {
  return new Promise((resolve, reject) => {
    line.once('state_snapshot', () => resolve());
    line.once('connect_error', reject);
  });
}
