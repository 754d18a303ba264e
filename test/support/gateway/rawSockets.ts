import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import type { Ack, Refusal } from '../../../src/contract/socket.ts';
import { comes, wholePatienceMs } from '../time/pace.ts';

/** Why a connection was not let in: with `data` by the gateway's own word, without at the transport. */
export class NotLetIn extends Error {
  readonly data: Refusal | null;

  constructor(error: Error & { data?: Refusal }) {
    super(error.message);
    this.data = error.data ?? null;
  }
}

export type RawOptions = Partial<ManagerOptions & SocketOptions>;

/** Socket.IO connections as anybody can open them, without the softphone client; closed together. */
export interface RawSockets {
  /**
   * Resolves when connected; rejects with NotLetIn.
   * @param listen adds listeners for what comes with the connection
   */
  open(
    url: string,
    auth: Record<string, unknown>,
    options?: RawOptions,
    listen?: (socket: Socket) => void,
  ): Promise<Socket>;
  /** Why a connection is not let in; null when it is. */
  whyNot(url: string, auth: Record<string, unknown>, options?: RawOptions): Promise<NotLetIn | null>;
  closeAll(): void;
}

export function createRawSockets(): RawSockets {
  const sockets: Socket[] = [];
  const open: RawSockets['open'] = (url, auth, options = {}, listen = () => {}) => {
    const socket = io(url, { transports: ['websocket'], reconnection: false, forceNew: true, auth, ...options });
    sockets.push(socket);
    listen(socket);
    return new Promise((resolve, reject) => {
      socket.once('connect', () => resolve(socket));
      socket.once('connect_error', (error) => reject(new NotLetIn(error)));
    });
  };
  return {
    open,
    async whyNot(...how) {
      try {
        await open(...how);
        return null;
      } catch (error) {
        if (error instanceof NotLetIn) return error;
        throw error;
      }
    },
    closeAll() {
      for (const socket of sockets.splice(0)) socket.disconnect();
    },
  };
}

/** Sends an event with whatever arguments, and resolves with its acknowledgement. */
export function ask(socket: Socket, event: string, ...args: unknown[]): Promise<Ack<Record<string, unknown>>> {
  return socket.timeout(wholePatienceMs()).emitWithAck(event, ...args) as Promise<Ack<Record<string, unknown>>>;
}

/** Resolves with what a socket's next event of that name brings, if it fits. */
export function arrival<T>(socket: Socket, event: string, fits: (value: T) => boolean = () => true): Promise<T> {
  let came: { value: T } | undefined;
  const listen = (tell: () => void) => {
    const listener = (value: T) => {
      if (came !== undefined || !fits(value)) return;
      came = { value };
      tell();
    };
    socket.on(event, listener);
    return () => void socket.off(event, listener);
  };
  return comes(
    () => came,
    listen,
    () => `no fitting "${event}" came`,
  ).then(({ value }) => value);
}
