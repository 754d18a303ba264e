import type { WebSocket } from 'ws';
import { createDigest, type Digest } from './digest.ts';
import type { SipRequest } from './sipMessage.ts';
import { responseText, sipDomain, type Answer } from './sipText.ts';

/** What a page does not read in time is not kept for it. */
const maxWaitingBytes = 1024 * 1024;

/** A page's WebSocket. */
export interface Line {
  readonly isOpen: boolean;
  readonly digest: Digest;
  /** Does nothing once it is closed. */
  send(text: string): void;
  reply(request: SipRequest, answer: Answer): void;
  /** Counts what a proper telephone never does; too much of it closes the line. */
  strike(): void;
}

/** So many faults a telephone may have. */
const maxStrikes = 20;

export function createLine(socket: WebSocket): Line {
  let strikes = 0;
  const line: Line = {
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    digest: createDigest(sipDomain),
    send(text) {
      if (!line.isOpen) return;
      if (socket.bufferedAmount > maxWaitingBytes) socket.terminate();
      else socket.send(text);
    },
    reply: (request, answer) => line.send(responseText(request, answer)),
    strike() {
      strikes += 1;
      if (strikes === maxStrikes) socket.close(1008, 'too many faults');
    },
  };
  return line;
}
