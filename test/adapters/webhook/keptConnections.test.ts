import net from 'node:net';
import tls from 'node:tls';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../src/adapters/clock/systemClock.ts';
import { exchange } from '../../../src/adapters/crm/exchange.ts';
import { createWebhookAgent } from '../../../src/adapters/webhook/guardedConnector.ts';
import type { CrmRequest } from '../../../src/providers/provider.ts';
import { certificate, closeLater, listen, selfSignedKeys } from '../../support/webhooks/listeners.ts';
import { post, sender, toThisMachine } from './testSender.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
type Ending = (socket: net.Socket) => void;

/** What becomes of a request: its number on its connection, and the connection's number, both from 1. */
type Talk = (socket: net.Socket, request: number, connection: number) => void;

/** Hands each whole request to `talk`. @param isTls with the certificate of tests */
async function talking(talk: Talk, isTls = false) {
  let heard = 0;
  let made = 0;
  const serve = (socket: net.Socket) => {
    const connection = ++made;
    let request = 0;
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let end = endOf(text); end > 0; end = endOf(text)) {
        text = text.slice(end);
        heard += 1;
        talk(socket, (request += 1), connection);
      }
    });
  };
  const server = isTls ? tls.createServer(selfSignedKeys, serve) : net.createServer(serve);
  const below: net.Socket[] = [];
  server.on('connection', (socket: net.Socket) => below.push(socket));
  return {
    ...(await listen(server)),
    heard: () => heard,
    /** Resets the newest connection, whatever is spoken over it. */ reset: () => void below.at(-1)?.resetAndDestroy(),
  };
}

/** Where the first request in a text ends; 0: it is not whole. */
function endOf(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, Math.max(head, 0)))?.[1] ?? 0);
  return head < 0 || text.length < head + 4 + length ? 0 : head + 4 + length;
}

/** Answers the first request of each connection, and ends the connection at the second. */
const onceEach =
  (end: Ending): Talk =>
  (socket, request) =>
    request === 1 ? socket.write(ok) : end(socket);

const closes: Ending = (socket) => socket.end();
const resets: Ending = (socket) => socket.resetAndDestroy();
const arrived = { kind: 'response', statusCode: 200, body: 'ok' };
const closedWithoutAnswer = {
  kind: 'error',
  code: 'protocol',
  cause: { code: 'closed_without_answer', params: { host: '127.0.0.1' } },
};

/**
 * Two attempts over one connection, unless the first has ended it: what came of the second.
 * A connection is free again a turn after its answer.
 */
async function twice<T>(send: () => Promise<T>): Promise<T> {
  expect(await send()).toMatchObject({ kind: expect.stringMatching(/^(response|answer)$/) });
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return send();
}

describe('a kept connection that the receiver was closing', () => {
  it.each<[string, Ending]>([
    ['in order', closes],
    ['with a reset', resets],
    ['with nothing said', (socket) => socket.destroy()],
  ])('%s is no failed attempt: it goes once more on a new one', async (_how, end) => {
    const { port, heard, connections } = await talking(onceEach(end));
    const send = sender();
    expect(await twice(() => post(send, port))).toMatchObject(arrived);
    expect([heard(), connections()]).toEqual([3, 2]);
  });

  it.each(['closed', 'reset'])('and %s under TLS is none either', async (how) => {
    const { port, heard, connections, reset } = await talking(
      onceEach((socket) => (how === 'reset' ? reset() : closes(socket))),
      true,
    );
    const send = sender({ resolveHost: toThisMachine, certificateAuthorities: [certificate] });
    const attempt = { url: `https://receiver.test:${String(port)}/`, headers: {}, body: '{}' };
    expect(await twice(() => send(attempt))).toMatchObject(arrived);
    expect([heard(), connections()]).toEqual([3, 2]);
  });

  it('may be one of many, all of them closed at their second request: no attempt fails', async () => {
    const { port } = await talking(onceEach(closes));
    const send = sender();
    for (let round = 0; round < 3; round += 1) {
      const results = await Promise.all(Array.from({ length: 40 }, () => post(send, port)));
      expect(results.filter(({ kind }) => kind === 'error')).toEqual([]);
    }
  });

  it('may be closed after each answer, told or not, and before another request: no attempt fails', async () => {
    const { port } = await talking((socket, request) => void (request === 1 && socket.end(ok)));
    const send = sender();
    for (let sent = 0; sent < 20; sent += 1) expect(await post(send, port)).toMatchObject(arrived);
  });

  it('that is closed again, though it is new by then, is a failed attempt: it goes once more, not for ever', async () => {
    const { port, heard, connections } = await talking((socket, request, connection) =>
      connection === 1 && request === 1 ? socket.write(ok) : closes(socket),
    );
    const send = sender();
    expect(await twice(() => post(send, port))).toMatchObject(closedWithoutAnswer);
    expect([heard(), connections()]).toEqual([3, 2]);
  });

  it.each(['H', 'HTTP/1.1 2', 'HTTP/1.1 103 Early Hints\r\n', '\r\n'])(
    'after it has said %j is a failed attempt',
    async (beginning) => {
      const { port, heard } = await talking((socket, request) =>
        request === 1 ? socket.write(ok) : socket.end(beginning),
      );
      const send = sender();
      expect(await twice(() => post(send, port))).toMatchObject({ kind: 'error', code: 'protocol' });
      expect(heard()).toBe(2);
    },
  );
});

describe('a new connection that the receiver closes', () => {
  it('is a failed attempt', async () => {
    for (const end of [closes, resets]) {
      const { port, heard } = await talking(end);
      expect(await post(sender(), port)).toMatchObject(closedWithoutAnswer);
      expect(heard()).toBe(1);
    }
  });
});

describe('an answer that is longer than is read at once, and ends with its connection', () => {
  it('ends nothing else, however late it is read', async () => {
    const body = 'x'.repeat(65_536);
    const { port } = await talking((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`),
    );
    const agent = createWebhookAgent({ policy: 'loopback', connectTimeoutMs: 5_000, resolveHost: toThisMachine });
    closeLater(() => agent.close());
    const closed = new Promise((resolve) => agent.once('disconnect', resolve));
    const answer = await request(`http://127.0.0.1:${port}/`, { dispatcher: agent });
    await closed;
    expect(await answer.body.text()).toBe(body);
  });
});

describe('a request to a CRM over a kept connection that was being closed', () => {
  it.each<[string, Omit<CrmRequest, 'url'>, number, object]>([
    ['that reads', { method: 'GET' }, 3, { kind: 'answer' }],
    ['that searches', { method: 'POST', body: '{}', isSearch: true }, 3, { kind: 'answer' }],
    [
      'that creates',
      { method: 'POST', body: '{}' },
      2,
      { kind: 'failed', trouble: { kind: 'no_answer', isUnknown: true } },
    ],
    [
      'that sets',
      { method: 'PUT', body: '{}' },
      2,
      { kind: 'failed', trouble: { kind: 'no_answer', isUnknown: true } },
    ],
    [
      'that changes',
      { method: 'PATCH', body: '{}' },
      2,
      { kind: 'failed', trouble: { kind: 'no_answer', isUnknown: true } },
    ],
  ])('%s is repeated where that does no harm', async (_which, request, times, outcome) => {
    const { port, heard } = await talking(onceEach(closes));
    const dispatcher = createWebhookAgent({ policy: 'loopback', connectTimeoutMs: 5_000, resolveHost: toThisMachine });
    closeLater(() => dispatcher.close());
    const sent: Omit<CrmRequest, 'url'>[] = [{ method: 'GET' }, request];
    const send = () =>
      exchange(
        { dispatcher, clock: createSystemClock() },
        { ...(sent.shift() ?? request), url: `http://127.0.0.1:${port}/` },
        10_000,
      );
    expect(await twice(send)).toMatchObject(outcome);
    expect(heard()).toBe(times);
  });
});
