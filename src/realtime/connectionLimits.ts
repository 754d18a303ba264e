import { closeSoon, cut, webSocketOf, type EngineConnection, type Transport } from './engineConnection.ts';
import type { Io, SoftphoneSocket } from './io.ts';

/** What may wait for a client that does not read, in bytes, beside the largest message of those; beyond that it is cut off. */
export const maxWaitingBytes = 4 * 1024 * 1024;
/** What a packet costs beside its text. */
const packetBytes = 200;
/** A client that is not admitted yet sends its token and answers pings. A token has 8 KiB at most. */
const maxBytesBefore = 16 * 1024;
const maxPacketsBefore = 20;
/** A change from polling to WebSocket is tried once or twice. */
const maxProbes = 20;
/** What an admitted client may send within a second: a packet counts one, and one more for each KiB. */
const maxWeight = 2_000;

/** `not_admitted`: it has done what nobody does who connects; `flood`: it sent too much; `slow_consumer`: it does not read. */
export type CutReason = 'not_admitted' | 'flood' | 'slow_consumer';
/** @param socket null: it was not admitted */
export type TellCut = (reason: CutReason, socket: SoftphoneSocket | null, waitingBytes: number) => void;

type Packet = { type: string; data?: string | Buffer };

/**
 * Bounds what one connection can cost, on whatever way packets come and go. Each may ask once to be let in, before
 * anything else, and is closed when it is refused.
 * @param io attached already
 * @param tell hears of those that were cut off
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
  /** The largest packets, in bytes: of those held, and of those that were handed on together last. */
  let largestHeld = 0;
  let largestLeaving = 0;
  let probes = 0;
  let isCut = false;

  const waitingBytes = () => heldBytes + (webSocketOf(connection.transport)?.bufferedAmount ?? 0);

  /** A supervisor of ten thousand agents gets a list that is larger than all else together, and reads it slowly. */
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

  /** Browsers send no such pings; they are answered by the WebSocket itself. */
  function watch(transport: Transport): void {
    webSocketOf(transport)?.on('ping', (data: Buffer) => take(data.length));
  }

  connection.on('packet', ({ type, data }: Packet) => {
    take(sizeOf(data));
    if (type !== 'message') return;
    if (typeof data !== 'string' || !data.startsWith('0')) {
      // Anything before the question is no client's; what comes before its answer is none that waits for it.
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
    // Behind the refusal.
    if (isRefusal) setImmediate(() => closeSoon(connection));
  });
  connection.on('flush', () => {
    heldBytes = 0;
    largestLeaving = largestHeld;
    largestHeld = 0;
  });

  watch(connection.transport);
  // A polling client's WebSocket asks whether it works, and may do so before it is the connection's own.
  connection.on('upgrading', (transport: Transport) => {
    probes += 1;
    if (probes > maxProbes) webSocketOf(transport)?.terminate();
  });
  connection.on('upgrade', watch);
  // Whoever does not say goodbye would keep it for half a minute.
  connection.once('close', () => closeSoon(connection));
}

function sizeOf(data: string | Buffer | undefined): number {
  return data === undefined ? 0 : Buffer.byteLength(data);
}

/** Tells whether a weight is within what a second allows. */
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
