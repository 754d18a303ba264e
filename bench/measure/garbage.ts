import { request, WebSocket } from 'undici';

/** Lets `collectGarbage` reach a process that Node.js starts with this argument. */
export function collectable(inspectorPort: number): string {
  return `--inspect=127.0.0.1:${inspectorPort}`;
}

/** Has a process throw away what it no longer needs, so that its memory tells what it holds. */
export async function collectGarbage(inspectorPort: number): Promise<void> {
  const { body } = await request(`http://127.0.0.1:${inspectorPort}/json/list`);
  const [target] = (await body.json()) as { webSocketDebuggerUrl: string }[];
  if (target === undefined) throw new Error('the process has no inspector');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await event(socket, 'open');
  // Twice: what the first round sets free may have kept something else alive.
  for (const id of [1, 2]) {
    const answered = event(socket, 'message');
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
    await answered;
  }
  const closed = event(socket, 'close');
  socket.close();
  await closed;
}

function event(socket: WebSocket, name: 'open' | 'message' | 'close'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener(name, () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error('the inspector went away')), { once: true });
  });
}
