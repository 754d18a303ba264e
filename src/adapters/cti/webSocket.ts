import { type Dispatcher, WebSocket } from 'undici';
import type { Clock } from '../../ports/clock.ts';
import type { LineEvents } from '../../ports/cti.ts';

/** Opens a WebSocket: `open` once it is. What it tells before that is not lost. */
export type OpenSocket = (
  url: string,
  headers: Record<string, string>,
  events: LineEvents,
) => Promise<{ kind: 'open'; close: () => void } | { kind: 'failed'; said: string }>;

/** For the handshake. Milliseconds. */
const openWithinMs = 10_000;
/** The longest message that is passed on. Bytes; longer ones end the line. */
const longestMessage = 1024 * 1024;

/** @param dispatcher reaches nothing but what the network policy allows */
export function socketOpener({ clock, dispatcher }: { clock: Clock; dispatcher: Dispatcher }): OpenSocket {
  return (url, headers, { closed, message }) =>
    new Promise((resolve) => {
      const socket = new WebSocket(url, { dispatcher, headers });
      socket.binaryType = 'arraybuffer';
      let isOpen = false;
      let isOver = false;
      const end = (said: string) => {
        if (isOver) return;
        isOver = true;
        cancel();
        socket.close();
        if (isOpen) closed(said);
        else resolve({ kind: 'failed', said });
      };
      const cancel = clock.after(openWithinMs, () => end('The platform did not open its WebSocket in time.'));
      socket.addEventListener('open', () => {
        cancel();
        if (isOver) return socket.close();
        isOpen = true;
        resolve({
          kind: 'open',
          close() {
            isOver = true;
            socket.close();
          },
        });
      });
      socket.addEventListener('message', ({ data }: { data: unknown }) => {
        if (isOver) return;
        const read = data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : data;
        const text = typeof read === 'string' ? read : '';
        if (Buffer.byteLength(text) > longestMessage) end('The platform sent a message of more than 1 MiB.');
        else message(text);
      });
      socket.addEventListener('error', () => end('The WebSocket of the platform broke, or was refused.'));
      socket.addEventListener('close', () => end('The platform closed its WebSocket.'));
    });
}
