import type { WebSocket } from 'ws';
import type { Io, SoftphoneSocket } from './io.ts';

/** Unsent bytes allowed per connection, not counting the largest message among them; beyond that it is cut off. */
export const maxWaitingBytes = 4 * 1024 * 1024;
/** Memory per waiting packet beside its text, in bytes. */
const packetBytes = 200;
/** Before admission a client only sends its token (8 KiB at most) and answers pings. */
const maxBytesBefore = 16 * 1024;
const maxPacketsBefore = 20;
/** Upgrades from polling to WebSocket that one connection may try; clients try once or twice. */
const maxProbes = 20;
/** Weight an admitted client may send per second: 1 per packet plus 1 per KiB. */
const maxWeight = 2_000;

/** `not_admitted`: broke the rules before admission; `flood`: sent too much; `slow_consumer`: does not read. */
export type CutReason = 'not_admitted' | 'flood' | 'slow_consumer';
/** @param socket null: it was not admitted */
export type TellCut = (reason: CutReason, socket: SoftphoneSocket | null, waitingBytes: number) => void;

type Packet = { type: string; data?: string | Buffer };

/**
 * Bounds what one connection can cost, over WebSocket and over polling. A connection may ask once to be admitted,
 * before anything else, and is closed when it is refused.
 * @param io already attached to the HTTP server
 * @param tell is told of every connection that was cut off
 */
export function limitConnections(io: Io, tell: TellCut): void {
  const admitted = new WeakMap<EngineConnection, SoftphoneSocket>();
  io.engine.on('connection', (connection: EngineConnection) =>
    limit(connection, () => admitted.get(connection) ?? null, tell),
  );
  io.on('connection', (socket) => {
    admitted.set(socket.conn, socket);
    socket.once('disconnect', () => closeSoon(socket.conn));
  });
}

function limit(connection: EngineConnection, socket: () => SoftphoneSocket | null, tell: TellCut): void {
  const incoming = { hasAsked: false, packets: 0, bytes: 0 };
  const pace = createPace();
  let heldBytes = 0;
  /** Largest packet in bytes: of those still held, and of the batch last handed to the transport. */
  let largestHeld = 0;
  let largestLeaving = 0;
  let probes = 0;
  let isCut = false;

  const waitingBytes = () => heldBytes + (webSocketOf(connection.transport)?.bufferedAmount ?? 0);

  /**
   * The largest message is not counted: a supervisor of 10,000 agents may be reading a long list over a slow network.
   */
  function isSlow(): boolean {
    if (connection.transport.writable) largestLeaving = 0;
    return waitingBytes() - Math.max(largestHeld, largestLeaving) > maxWaitingBytes;
  }

  function end(reason: CutReason): void {
    if (isCut) return;
    isCut = true;
    tell(reason, socket(), waitingBytes());
    cut(connection);
  }

  function take(bytes: number): void {
    incoming.packets += 1;
    incoming.bytes += bytes;
    const isTooMuch = incoming.packets > maxPacketsBefore || incoming.bytes > maxBytesBefore;
    if (socket() === null && isTooMuch) end('not_admitted');
    else if (!pace(1 + Math.floor(bytes / 1024))) end('flood');
  }

  /** WebSocket pings, which browsers never send, bypass the packet handler. */
  function watch(transport: Transport): void {
    webSocketOf(transport)?.on('ping', (data: Buffer) => take(data.length));
  }

  connection.on('packet', ({ type, data }: Packet) => {
    take(sizeOf(data));
    if (type !== 'message') return;
    if (typeof data !== 'string' || !data.startsWith('0')) {
      // Clients send nothing before they ask for admission, and nothing until it is answered.
      if (socket() === null) end('not_admitted');
    } else if (incoming.hasAsked) end(socket() === null ? 'not_admitted' : 'flood');
    incoming.hasAsked = true;
  });

  connection.on('packetCreate', ({ type, data }: Packet) => {
    if (isSlow()) return end('slow_consumer');
    const bytes = packetBytes + sizeOf(data);
    heldBytes += bytes;
    largestHeld = Math.max(largestHeld, bytes);
    const isRefusal = type === 'message' && typeof data === 'string' && data.startsWith('4');
    // After the refusal has been queued.
    if (isRefusal) setImmediate(() => closeSoon(connection));
  });
  connection.on('flush', () => {
    heldBytes = 0;
    largestLeaving = largestHeld;
    largestHeld = 0;
  });

  watch(connection.transport);
  // A polling client probes its WebSocket before switching to it.
  connection.on('upgrading', (transport: Transport) => {
    probes += 1;
    if (probes > maxProbes) webSocketOf(transport)?.terminate();
  });
  connection.on('upgrade', watch);
  // A client that does not close its end would keep the socket for half a minute.
  connection.once('close', () => closeSoon(connection));
}

function sizeOf(data: string | Buffer | undefined): number {
  return data === undefined ? 0 : Buffer.byteLength(data);
}

/** Whether another weight still fits into the current second. */
function createPace(): (weight: number) => boolean {
  let began = performance.now();
  let sum = 0;
  return (weight) => {
    sum += weight;
    if (sum <= maxWeight) return true;
    const now = performance.now();
    if (now - began < 1_000) return false;
    began = now;
    sum = weight;
    return true;
  };
}

/** A client's Engine.IO connection, by WebSocket or by polling; Socket.IO's packets travel in it. */
type EngineConnection = SoftphoneSocket['conn'];
type Transport = EngineConnection['transport'];

/** Time for a refusal to reach the client before the socket is cut. Milliseconds. */
const graceMs = 2_000;

/** The WebSocket of a transport; null when it is polling. */
function webSocketOf(transport: Transport): WebSocket | null {
  return 'socket' in transport ? (transport.socket as WebSocket) : null;
}

/** Ends a connection at once and drops packets that have arrived but are not handled yet. */
function cut(connection: EngineConnection): void {
  // Close before terminating: then packets read in the same chunk are ignored as well.
  connection.close(true);
  webSocketOf(connection.transport)?.terminate();
}

/** Ends a connection when its pending output is sent, at the latest after a grace period. */
function closeSoon(connection: EngineConnection): void {
  connection.close();
  setTimeout(() => cut(connection), graceMs).unref();
}

/** Resolves when all output has been handed to the network, or the connection has ended. */
export async function whenTaken(connection: EngineConnection): Promise<void> {
  while (connection.readyState === 'open' && !connection.transport.writable) {
    const { transport } = connection;
    await new Promise<void>((resolve) => {
      const goOn = () => {
        transport.off('ready', goOn);
        connection.off('upgrade', goOn).off('close', goOn);
        resolve();
      };
      transport.once('ready', goOn);
      connection.once('upgrade', goOn).once('close', goOn);
    });
  }
}
