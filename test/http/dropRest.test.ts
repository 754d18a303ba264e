import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { dropRest } from '../../src/http/dropRest.ts';

const piece = Buffer.alloc(65_536, 'x');
const head = `POST / HTTP/1.1\r\nHost: here\r\nContent-Length: ${String(20 * piece.length)}\r\n\r\n`;

it('who hangs up while the rest of their request is dropped does not slow down those who come after', async () => {
  const server = createServer((request, response) => {
    response.once('prefinish', () => dropRest(request));
    response.writeHead(413).end();
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const refused = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    socket.write(piece);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    return socket;
  };
  for (let gone = 0; gone < 5; gone += 1) {
    const theirs = once(server, 'connection');
    const socket = await refused();
    const [accepted] = (await theirs) as [Socket];
    const isGone = new Promise((resolve) => accepted.on('close', resolve));
    socket.destroy();
    await isGone;
  }

  const waits = vi.spyOn(globalThis, 'setTimeout');
  const patient = await refused();
  for (let sent = 1; sent < 20; sent += 1) patient.write(piece);
  // On the same connection, once all of it was dropped.
  patient.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  await once(patient, 'data');
  const pauses = waits.mock.calls
    .map(([, ms]) => ms)
    .filter((ms) => ms !== undefined && ms > 0 && ms % 5 === 0 && ms < 100);
  waits.mockRestore();
  expect(new Set(pauses)).toEqual(new Set([5]));
});
