import { io, type Socket } from 'socket.io-client';
import type { BareToClient, BareToServer } from '../bare/bareIo.ts';
import type { ClientToServerEvents, ServerToClientEvents } from '../../src/contract/socket.ts';

export type Stack = 'readyline' | 'bare';

/** What a softphone under load tells: a customer came on its screen; its agent is Ready again after that call. */
export type LineListener = { popped(phone: string): void; finished(phone: string): void };

/** One agent's softphone: takes each dial at once, ends the call at once, wraps up at once. */
export interface LoadedLine {
  /** Resolves when the agent is connected. */
  connect(): Promise<void>;
  becomeReady(): Promise<void>;
}

/** A softphone that knows the wire, not the client package: the same effort for both stacks. */
export function openLine(stack: Stack, url: string, token: string, listener: LineListener): LoadedLine {
  return stack === 'readyline' ? readylineLine(url, token, listener) : bareLine(url, token, listener);
}

const socketOptions = { transports: ['websocket'], autoConnect: false, forceNew: true, reconnection: false };

function readylineLine(url: string, token: string, listener: LineListener): LoadedLine {
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io(url, { ...socketOptions, auth: { token } });
  const dialed = new Set<string>();
  socket.on('crm_screen_pop', (pop, acknowledge) => {
    listener.popped(pop.phone_number ?? '');
    acknowledge({ ok: true });
  });
  socket.on('click_to_dial', (_offer, acknowledge) => acknowledge({ ok: true }));
  socket.on('call_state_changed', (call) => {
    if (call.state !== 'dialing' || dialed.has(call.id)) return;
    dialed.add(call.id);
    void finish(call.id).then(() => listener.finished(call.phone ?? ''));
  });
  async function finish(call_id: string): Promise<void> {
    mustBeOk(await socket.emitWithAck('call_progress', { call_id, state: 'ended' }));
    mustBeOk(await socket.emitWithAck('submit_disposition', { call_id, code: 'resolved' }));
  }
  return {
    connect: () => connected(socket, 'state_snapshot'),
    becomeReady: async () => mustBeOk(await socket.emitWithAck('set_state', { state: 'ready' })),
  };
}

function bareLine(url: string, token: string, listener: LineListener): LoadedLine {
  const socket: Socket<BareToClient, BareToServer> = io(url, { ...socketOptions, auth: { token } });
  socket.on('click_to_dial', ({ call_id, phone_number }, acknowledge) => {
    listener.popped(phone_number);
    acknowledge({ ok: true });
    void finish(call_id).then(() => listener.finished(phone_number));
  });
  async function finish(call_id: string): Promise<void> {
    await socket.emitWithAck('ended', { call_id });
    await socket.emitWithAck('disposition', { call_id, code: 'resolved' });
  }
  return {
    connect: () => connected(socket, 'connect'),
    becomeReady: async () => void (await socket.emitWithAck('ready')),
  };
}

function connected(socket: Socket, sign: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(sign, () => resolve());
    socket.once('connect', () => socket.io.engine.on('packet', countFrame));
    socket.once('connect_error', reject);
    socket.connect();
  });
}

const frames = new Map<string, number>();

/** A frame of Socket.IO: `2["agent_state",…` is an event, `3…` an answer. */
function countFrame({ type, data }: { type: string; data?: unknown }): void {
  const text = typeof data === 'string' ? data : '';
  const told = text.startsWith('3') ? 'answer' : (/^2\d*\["(\w+)"/.exec(text)?.[1] ?? 'other');
  const what = type === 'message' ? told : type;
  frames.set(what, (frames.get(what) ?? 0) + 1);
}

/** The frames of all softphones since it was asked last, by what they tell. */
export function framesSoFar(): Record<string, number> {
  const counted = Object.fromEntries(frames);
  frames.clear();
  return counted;
}

/** What the gateway refuses would make the figures those of something else. */
function mustBeOk(ack: { ok: boolean; error?: { code: string; detail: string } }): void {
  if (!ack.ok) throw new Error(`the gateway refused: ${ack.error?.code} ${ack.error?.detail}`);
}
