import type { WebSocket } from 'ws';
import { createDigest, type Digest } from './digest.ts';
import type { SipRequest } from './sipMessage.ts';
import { responseText, sipDomain, type Answer } from './sipText.ts';

/** Unsent bytes per page; beyond it the connection is cut. */
const maxWaitingBytes = 1024 * 1024;

/** A page's WebSocket. */
export interface SipConnection {
  readonly isOpen: boolean;
  readonly digest: Digest;
  /** Does nothing once it is closed. */
  send(text: string): void;
  reply(request: SipRequest, answer: Answer): void;
  /** Counts violations of the protocol; too many close the connection. */
  strike(): void;
}

/** Violations after which the connection is closed. */
const maxStrikes = 20;

export function createSipConnection(socket: WebSocket): SipConnection {
  let strikes = 0;
  const connection: SipConnection = {
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    digest: createDigest(sipDomain),
    send(text) {
      if (!connection.isOpen) return;
      if (socket.bufferedAmount > maxWaitingBytes) socket.terminate();
      else socket.send(text);
    },
    reply: (request, answer) => connection.send(responseText(request, answer)),
    strike() {
      strikes += 1;
      if (strikes === maxStrikes) socket.close(1008, 'too many faults');
    },
  };
  return connection;
}
