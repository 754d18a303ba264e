import type net from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startNeverAccepting } from '../../support/webhooks/neverAccepting.ts';
import {
  certificate,
  closeLater,
  rawReceiver,
  receiver,
  selfSignedReceiver,
} from '../../support/webhooks/listeners.ts';
import { wholePatienceMs } from '../../support/time/pace.ts';
import { freePort, post, sender, toThisMachine } from './testSender.ts';

describe('a server that takes its time', () => {
  it('to accept a connection is told apart from one that is connected and does not answer', async () => {
    const stuck = await startNeverAccepting();
    closeLater(() => stuck.close());
    const { port } = await rawReceiver(() => {});
    expect(await post(sender({ connectTimeoutMs: 300 }), stuck.port)).toMatchObject({
      code: 'connect_timeout',
      detail:
        `127.0.0.1 port ${String(stuck.port)} ` +
        'did not accept a connection within 0.3 s: the host is down, or a firewall drops what comes.',
    });
    expect(await post(sender({ totalTimeoutMs: 400 }), port)).toMatchObject({
      code: 'timeout',
      detail: '127.0.0.1 accepted the connection, but did not answer within 0.4 s. Answer first, then work.',
    });
  });

  it('by dripping its headers does not outlast the total time-out', async () => {
    const { port } = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'X-More: 1\r\n');
    });
    const result = await post(sender({ totalTimeoutMs: 200 }), port);
    expect(result).toMatchObject({
      kind: 'error',
      code: 'timeout',
      detail: expect.stringContaining('accepted the connection, but did not answer within 0.2 s'),
    });
  });

  it('by dripping its body does not either, and counts by its status', async () => {
    const { port } = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 201 Created\r\nContent-Length: 100000\r\n\r\n');
      drip(socket, '.');
    });
    expect(await post(sender({ totalTimeoutMs: 200 }), port)).toMatchObject({ kind: 'response', statusCode: 201 });
  });

  it('by saying nothing times out', async () => {
    const { port } = await rawReceiver(() => {});
    expect(await post(sender({ totalTimeoutMs: 100 }), port)).toMatchObject({ kind: 'error', code: 'timeout' });
  });

  it('in the TLS handshake is given up after the connect time-out', async () => {
    const { port } = await rawReceiver(() => {});
    const send = sender({ connectTimeoutMs: 100 });
    const result = await send({ url: `https://127.0.0.1:${String(port)}/`, headers: {}, body: '{}' });
    expect(result).toMatchObject({
      kind: 'error',
      code: 'tls',
      detail: expect.stringContaining('did not finish the TLS handshake within 0.1 s'),
    });
  });

  it('or a DNS that does, is given up after the connect time-out', async () => {
    const send = sender({ connectTimeoutMs: 100, resolveHost: () => new Promise(() => {}) });
    const result = await send({ url: 'https://silent.example/', headers: {}, body: '{}' });
    expect(result).toMatchObject({ kind: 'error', code: 'dns', detail: expect.stringContaining('within 0.1 s') });
  });

  it('is left when the caller says so, before or during the attempt', async () => {
    const stop = new AbortController();
    const { port, connections } = await rawReceiver(() => {
      stop.abort();
    });
    const attempt = { url: `http://127.0.0.1:${String(port)}/`, headers: {}, body: '{}', signal: stop.signal };
    const send = sender();
    expect(await send(attempt)).toMatchObject({ kind: 'error', code: 'timeout' });
    expect(await send(attempt)).toMatchObject({ kind: 'error', code: 'timeout' });
    expect(connections()).toBe(1);
  });
});

describe('a server that misbehaves', () => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  const answered = (body: string) => ({ kind: 'response', statusCode: 200, body });
  const failed = (code: string, words: string, cause: string) => ({
    kind: 'error',
    code,
    detail: expect.stringContaining(words),
    cause: expect.objectContaining({ code: cause }),
  });

  it.each<[string, string, object]>([
    [
      'breaks off its headers',
      `${ok}Content-Le`,
      failed('protocol', 'closed the connection without an answer', 'closed_without_answer'),
    ],
    ['names a length that is none', `${ok}Content-Length: lots\r\n\r\n`, failed('protocol', 'HTTP/1.1', 'not_http')],
    [
      'names two lengths',
      `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      failed('protocol', 'another length than it announced', 'wrong_length'),
    ],
    ['names a status that is none', 'HTTP/1.1 2OO OK\r\n\r\n', failed('protocol', 'HTTP/1.1', 'not_http')],
    [
      'says 100 (Continue) unasked, and no more',
      'HTTP/1.1 100 Continue\r\n\r\n',
      failed('protocol', 'closed the connection without an answer', 'closed_without_answer'),
    ],
    [
      'switches protocols',
      'HTTP/1.1 101 Moving\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      failed('protocol', '101', 'switched_protocols'),
    ],
    ['speaks TLS in return', '\u0015\u0003\u0001\u0000\u0002\u0002\u0046', failed('protocol', 'HTTP/1.1', 'not_http')],
    ['sends more than it announced', `${ok}Content-Length: 2\r\n\r\nokay, and more`, answered('ok')],
    ['sends less than it announced', `${ok}Content-Length: 20\r\n\r\nokay`, answered('okay')],
    ['sends chunks that are none', `${ok}Transfer-Encoding: chunked\r\n\r\nZZ\r\nokay`, answered('')],
    [
      'says 100 (Continue) unasked first',
      `HTTP/1.1 100 Continue\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`,
      answered('ok'),
    ],
    [
      'says it again and again first',
      `${'HTTP/1.1 100 Continue\r\nX-More: 1\r\n\r\n'.repeat(50)}${ok}Content-Length: 2\r\n\r\nok`,
      answered('ok'),
    ],
    [
      'sends hints first',
      `HTTP/1.1 102 Working\r\n\r\nHTTP/1.1 103 Early\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`,
      answered('ok'),
    ],
  ])('and %s has an end, and its connection too', async (_what, text, outcome) => {
    const listener = await rawReceiver((socket) => socket.end(text));
    expect(await post(sender(), listener.port)).toMatchObject(outcome);
    await listener.allClosed();
  });

  it.each<[string, (socket: net.Socket) => void]>([
    [
      'sends a hint without end',
      (socket) => {
        socket.write('HTTP/1.1 103 Early Hints\r\n');
        drip(socket, 'X-More: 1\r\n');
      },
    ],
    ['sends spaces before its answer', (socket) => drip(socket, '\r\n')],
  ])('and %s is left at the total time-out', async (_what, talk) => {
    const listener = await rawReceiver(talk);
    expect(await post(sender({ totalTimeoutMs: 200 }), listener.port)).toMatchObject(
      failed('timeout', 'within 0.2 s', 'answer_timeout'),
    );
    await listener.allClosed();
  });

  it.each(['100 Continue', '102 Processing', '103 Early Hints', '199 Whatever'])(
    'and says %s without end has an end',
    async (status) => {
      const flood = `HTTP/1.1 ${status}\r\n\r\n`.repeat(1_000);
      const listener = await rawReceiver((socket) => {
        const pour = (): void => {
          while (!socket.destroyed && socket.write(flood));
        };
        socket.on('drain', pour);
        pour();
      });
      expect(await post(sender(), listener.port)).toMatchObject(
        failed('protocol', 'interim answers (1xx) one after the other', 'only_interim_answers'),
      );
      await listener.allClosed();
    },
  );

  it.each<[string, string, number, object]>([
    ['does not answer is left at the total time-out', '', 200, failed('timeout', 'within 0.2 s', 'answer_timeout')],
    [
      'answers counts by its status',
      'HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig',
      wholePatienceMs(),
      { statusCode: 413, body: 'big' },
    ],
  ])('and does not read the request but %s', async (_what, answer, totalTimeoutMs, outcome) => {
    const sockets: net.Socket[] = [];
    let isLeft = false;
    const listener = await rawReceiver((socket) => {
      // Only who reads sees that the other side is gone.
      if (!isLeft) sockets.push(socket.pause());
      socket.write(answer);
    });
    const send = sender({ totalTimeoutMs });
    const body = 'x'.repeat(8 * 1024 * 1024);
    expect(await send({ url: `http://127.0.0.1:${String(listener.port)}/`, headers: {}, body })).toMatchObject(outcome);
    isLeft = true;
    for (const socket of sockets) socket.resume();
    await listener.allClosed();
  });

  it('and answers with a compressed bomb is not unpacked, and the log says so', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const { port } = await receiver((_request, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    );
    const result = await post(sender(), port);
    expect(result).toMatchObject(
      answered(`(The answer's body came as gzip, ${String(bomb.length)} bytes, and was not unpacked.)`),
    );
  });
});

describe('a failing network', () => {
  it('that refuses the connection is a connect error', async () => {
    const { port } = await freePort();
    expect(await post(sender(), port)).toMatchObject({
      kind: 'error',
      code: 'connect',
      detail: `127.0.0.1 port ${String(port)} refused the connection: nothing listens there.`,
    });
  });

  it('that does not know the name is a dns error', async () => {
    const send = sender({ resolveHost: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await send({ url: 'https://no.example/', headers: {}, body: '{}' })).toMatchObject({
      code: 'dns',
      detail: 'The host name no.example could not be resolved.',
    });
  });

  it('that knows the name without an address is a dns error', async () => {
    const send = sender({ resolveHost: () => Promise.resolve([]) });
    expect(await send({ url: 'https://no.example/', headers: {}, body: '{}' })).toMatchObject({ code: 'dns' });
  });

  it('that closes before an answer is a protocol error', async () => {
    const { port } = await rawReceiver((socket) => socket.end());
    expect(await post(sender(), port)).toMatchObject({ code: 'protocol', detail: expect.stringContaining('closed') });
  });

  it('that resets before an answer is a protocol error', async () => {
    const { port } = await rawReceiver((socket) => socket.resetAndDestroy());
    expect(await post(sender(), port)).toMatchObject({ code: 'protocol' });
  });

  it('that speaks no HTTP is a protocol error', async () => {
    const { port } = await rawReceiver((socket) => socket.end('220 mail.example ESMTP\r\n'));
    expect(await post(sender(), port)).toMatchObject({ code: 'protocol', detail: expect.stringContaining('HTTP') });
  });

  it('that floods headers is a protocol error', async () => {
    const { port } = await rawReceiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${`X-Much: ${'x'.repeat(1000)}\r\n`.repeat(64)}\r\n`);
    });
    expect(await post(sender(), port)).toMatchObject({ code: 'protocol', detail: expect.stringContaining('headers') });
  });

  it('fails many attempts at once, each with its own answer', async () => {
    const { port } = await freePort();
    const send = sender();
    const results = await Promise.all(Array.from({ length: 100 }, () => post(send, port)));
    expect(new Set(results.map((result) => (result.kind === 'error' ? result.code : result.kind)))).toEqual(
      new Set(['connect']),
    );
  });
});

describe('TLS', () => {
  it('refuses a self-signed server and says so', async () => {
    const { port, allClosed } = await selfSignedReceiver((_request, response) => response.end());
    const result = await sender()({ url: `https://127.0.0.1:${String(port)}/`, headers: {}, body: '{}' });
    expect(result).toMatchObject({ code: 'tls', detail: expect.stringContaining('is self-signed') });
    await allClosed();
  });

  it('refuses a certificate for another name and says so', async () => {
    const { port, allClosed } = await selfSignedReceiver((_request, response) => response.end());
    const send = sender({ resolveHost: toThisMachine, certificateAuthorities: [certificate] });
    const result = await send({ url: `https://other.example:${String(port)}/`, headers: {}, body: '{}' });
    expect(result).toMatchObject({ code: 'tls', detail: expect.stringContaining('for another host name') });
    await allClosed();
  });

  it.each<[string, (socket: net.Socket) => void, string, string]>([
    [
      'speaks plain HTTP',
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'plain HTTP perhaps',
      'tls_not_spoken',
    ],
    ['closes the connection', (socket) => socket.end(), 'it closed the connection', 'tls_closed'],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'it closed the connection', 'tls_closed'],
    [
      'ends the handshake with an alert',
      (socket) => socket.end('\x15\x03\x03\x00\x02\x02\x28'),
      'no cipher in common',
      'tls_no_common_cipher',
    ],
  ])('fails on a server that %s, and says so', async (_what, talk, words, cause) => {
    const { port, allClosed } = await rawReceiver(talk);
    const result = await sender()({ url: `https://127.0.0.1:${String(port)}/`, headers: {}, body: '{}' });
    expect(result).toMatchObject({
      kind: 'error',
      code: 'tls',
      detail: expect.stringContaining(words),
      cause: { code: cause, params: { host: '127.0.0.1', error: expect.any(String) } },
    });
    await allClosed();
  });

  it('delivers to a trusted server, by name, over kept connections', async () => {
    const { port, connections } = await selfSignedReceiver((request, response) => {
      request.resume().on('end', () => response.end('ok'));
    });
    const send = sender({ resolveHost: toThisMachine, certificateAuthorities: [certificate] });
    const attempt = { url: `https://receiver.test:${String(port)}/`, headers: {}, body: '{}' };
    for (let sent = 0; sent < 10; sent += 1) {
      expect(await send(attempt)).toMatchObject({ kind: 'response', statusCode: 200, body: 'ok' });
    }
    // Two, not one: a connection is free again one turn after its answer was read.
    expect(connections()).toBeLessThanOrEqual(2);
  });
});

/** Writes the text again and again, until the other side has enough. */
function drip(socket: net.Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => {
    clearInterval(timer);
  });
}
