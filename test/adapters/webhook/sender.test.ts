import http from 'node:http';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createWebhookAgent } from '../../../src/adapters/webhook/guardedConnector.ts';
import type { HostResolver } from '../../../src/adapters/webhook/hostResolver.ts';
import { createWebhookSender, type WebhookSenderOptions } from '../../../src/adapters/webhook/sender.ts';
import type { WebhookSender } from '../../../src/ports/webhookSender.ts';
import { startNeverAccepting } from '../../support/webhooks/neverAccepting.ts';
import { certificate, closeLater, deferred, listen, rawReceiver, receiver, selfSignedReceiver } from '../../support/webhooks/listeners.ts';

function sender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const made = createWebhookSender({ policy: 'loopback', ...options });
  closeLater(() => made.close());
  return made.send;
}

const toThisMachine: HostResolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

function post(send: WebhookSender, port: number, path = '/hook') {
  return send({ url: `http://127.0.0.1:${String(port)}${path}`, headers: {}, body: '{}' });
}

describe('an answer', () => {
  it('is reported with status, headers, body and latency; the request arrives byte for byte', async () => {
    let arrived: unknown;
    const { port } = await receiver((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        arrived = { method: request.method, url: request.url, event: request.headers['x-service-event'], body };
        response.writeHead(202, { 'X-Trace': ['a', 'b'] }).end('danke schön');
      });
    });
    const body = '{"name":"Zoë 😀"}';
    const result = await sender()({
      url: `http://127.0.0.1:${String(port)}/hook?tenant=1`,
      headers: { 'X-Service-Event': 'call_started' },
      body,
    });

    expect(arrived).toEqual({ method: 'POST', url: '/hook?tenant=1', event: 'call_started', body });
    expect(result).toMatchObject({ kind: 'response', statusCode: 202, body: 'danke schön' });
    expect(result).toMatchObject({ headers: { 'x-trace': 'a, b' }, latencyMs: expect.any(Number) });
    expect(result).not.toHaveProperty('retryAfterSeconds');
    expect(Number.isInteger(result.latencyMs)).toBe(true);
  });

  it('that redirects is reported and not followed', async () => {
    const paths: unknown[] = [];
    const { port } = await receiver((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    expect(await post(sender(), port)).toMatchObject({ statusCode: 307, headers: { location: '/elsewhere' } });
    expect(paths).toEqual(['/hook']);
  });

  it.each([
    ['17', 17],
    ['0', 0],
    ['9'.repeat(400), 31_536_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ])('with Retry-After %.40s asks for %d seconds', async (value, seconds) => {
    const { port } = await receiver((_request, response) => response.writeHead(429, { 'Retry-After': value }).end());
    expect(await post(sender(), port)).toMatchObject({ statusCode: 429, retryAfterSeconds: seconds });
  });

  it('with a Retry-After date asks for the seconds until then', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const { port } = await receiver((_request, response) => {
      response.writeHead(503, { 'Retry-After': inAnHour }).end();
    });
    const result = await post(sender(), port);
    const seconds = result.kind === 'response' ? (result.retryAfterSeconds ?? 0) : 0;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3600);
  });

  it.each(['soon', '3 days', '-5', '1.5', ''])('with the Retry-After "%s" asks for nothing', async (value) => {
    const { port } = await receiver((_request, response) => response.writeHead(429, { 'Retry-After': value }).end());
    expect(await post(sender(), port)).not.toHaveProperty('retryAfterSeconds');
  });

  it('of 16 KiB and more is cut between characters', async () => {
    const { port } = await receiver((_request, response) => response.end(`x${'ä'.repeat(10_000)}`));
    const result = await post(sender(), port);
    expect(result).toMatchObject({ kind: 'response', body: `x${'ä'.repeat(8191)}` });
  });

  it('that is no text is kept as text that a database takes, within the same limit', async () => {
    const noise = Buffer.alloc(20_000, Buffer.from([0xff, 0]));
    const { port } = await receiver((_request, response) => response.end(noise));
    const result = await post(sender(), port);
    const body = result.kind === 'response' ? result.body : '';
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(16 * 1024);
    expect(body).toMatch(/^\uFFFD+$/);
  });

  it('without end is dropped after 64 KiB, and counts by its status', async () => {
    const dropped = deferred();
    const { port } = await receiver((_request, response) => {
      const block = Buffer.alloc(32 * 1024, 'x');
      const pour = (): void => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', pour).on('close', () => {
        dropped.resolve();
      });
      response.writeHead(200);
      pour();
    });
    const result = await post(sender(), port);
    expect(result).toMatchObject({ kind: 'response', statusCode: 200, body: 'x'.repeat(16 * 1024) });
    await dropped.promise;
  });

  it('whose connection breaks inside the body counts by its status', async () => {
    const { port } = await rawReceiver((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    });
    expect(await post(sender(), port)).toMatchObject({ kind: 'response', statusCode: 200, body: 'half' });
  });
});

describe('a server that takes its time', () => {
  it('to accept a connection is told apart from one that is connected and does not answer', async () => {
    const stuck = await startNeverAccepting();
    closeLater(() => stuck.close());
    const { port } = await rawReceiver(() => {});
    const send = sender({ connectTimeoutMs: 300, totalTimeoutMs: 400 });
    expect(await post(send, stuck.port)).toMatchObject({
      code: 'connect_timeout',
      detail: `127.0.0.1 port ${String(stuck.port)} did not accept a connection within 0.3 s: the host is down, or a firewall drops what comes.`,
    });
    expect(await post(send, port)).toMatchObject({
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
    expect(result).toMatchObject({ kind: 'error', code: 'timeout', detail: expect.stringContaining('accepted the connection, but did not answer within 0.2 s') });
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
    expect(result).toMatchObject({ kind: 'error', code: 'tls', detail: expect.stringContaining('did not finish the TLS handshake within 0.1 s') });
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
  const failed = (code: string, words: string) => ({ kind: 'error', code, detail: expect.stringContaining(words) });

  it.each<[string, string, object]>([
    ['breaks off its headers', `${ok}Content-Le`, failed('protocol', 'closed the connection without an answer')],
    ['names a length that is none', `${ok}Content-Length: lots\r\n\r\n`, failed('protocol', 'HTTP/1.1')],
    ['names two lengths', `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, failed('protocol', 'another length than it announced')],
    ['names a status that is none', 'HTTP/1.1 2OO OK\r\n\r\n', failed('protocol', 'HTTP/1.1')],
    ['says 100 (Continue) unasked', 'HTTP/1.1 100 Continue\r\n\r\n', failed('protocol', '100 (Continue)')],
    ['switches protocols', 'HTTP/1.1 101 Moving\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', failed('protocol', '101')],
    ['speaks TLS in return', '\u0015\u0003\u0001\u0000\u0002\u0002\u0046', failed('protocol', 'HTTP/1.1')],
    ['sends more than it announced', `${ok}Content-Length: 2\r\n\r\nokay, and more`, answered('ok')],
    ['sends less than it announced', `${ok}Content-Length: 20\r\n\r\nokay`, answered('okay')],
    ['sends chunks that are none', `${ok}Transfer-Encoding: chunked\r\n\r\nZZ\r\nokay`, answered('')],
    ['sends hints first', `HTTP/1.1 102 Working\r\n\r\nHTTP/1.1 103 Early\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`, answered('ok')],
  ])('and %s has an end, and its connection too', async (_what, text, outcome) => {
    const listener = await rawReceiver((socket) => socket.end(text));
    expect(await post(sender(), listener.port)).toMatchObject(outcome);
    await listener.allClosed();
  });

  it.each<[string, (socket: net.Socket) => void]>([
    ['sends hint after hint', (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['sends spaces before its answer', (socket) => drip(socket, '\r\n')],
  ])('and %s is left at the total time-out', async (_what, talk) => {
    const listener = await rawReceiver(talk);
    expect(await post(sender({ totalTimeoutMs: 200 }), listener.port)).toMatchObject(failed('timeout', 'within 0.2 s'));
    await listener.allClosed();
  });

  it.each<[string, string, number, object]>([
    ['does not answer is left at the total time-out', '', 200, failed('timeout', 'within 0.2 s')],
    ['answers counts by its status', 'HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig', 10_000, { statusCode: 413, body: 'big' }],
  ])('and does not read the request but %s', async (_what, answer, totalTimeoutMs, outcome) => {
    const sockets: net.Socket[] = [];
    const listener = await rawReceiver((socket) => {
      sockets.push(socket.pause());
      socket.write(answer);
    });
    const send = sender({ totalTimeoutMs });
    const body = 'x'.repeat(8 * 1024 * 1024);
    expect(await send({ url: `http://127.0.0.1:${String(listener.port)}/`, headers: {}, body })).toMatchObject(outcome);
    // Only who reads sees that the other side is gone.
    for (const socket of sockets) socket.resume();
    await listener.allClosed();
  });

  it('and answers with a compressed bomb is not unpacked, and the log says so', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const { port } = await receiver((_request, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb));
    const result = await post(sender(), port);
    expect(result).toMatchObject(answered(`(The answer's body came as gzip, ${String(bomb.length)} bytes, and was not unpacked.)`));
  });
});

describe('many attempts at one origin', () => {
  it('do not wait for each other, up to as many as the gateway makes at once', async () => {
    const allThere = deferred();
    let waiting = 0;
    const { port } = await receiver((request, response) => {
      request.resume();
      if (request.url === '/hung') {
        waiting += 1;
        if (waiting === 255) allThere.resolve();
      } else response.end('quick');
    });
    const send = sender();
    const url = `http://127.0.0.1:${String(port)}/hung`;
    const stops = Array.from({ length: 255 }, () => new AbortController());
    const hung = stops.map(({ signal }) => send({ url, headers: {}, body: '{}', signal }));
    await allThere.promise;
    expect(await post(send, port)).toMatchObject({ kind: 'response', body: 'quick' });
    for (const stop of stops) stop.abort();
    expect(await Promise.all(hung)).toHaveLength(255);
  });
});

describe('origins', () => {
  it('are forgotten once nothing connects to them', async () => {
    const server = http.createServer((_request, response) => response.writeHead(204, { Connection: 'close' }).end());
    const { port } = await listen(server, '0.0.0.0');
    const { port: deaf } = await freePort();
    const agent = createWebhookAgent({ policy: 'loopback', connectTimeoutMs: 5000, resolveHost: toThisMachine });
    closeLater(() => agent.close());
    const gone = { connected: 0, refused: 0 };
    const allGone = deferred();
    const note = (how: keyof typeof gone) => () => {
      gone[how] += 1;
      if (gone.connected === 20 && gone.refused === 20) allGone.resolve();
    };
    agent.on('disconnect', note('connected')).on('connectionError', note('refused'));
    const send = async (origin: string) => (await agent.request({ origin, path: '/', method: 'POST', body: '{}' })).body.dump();
    const origins = Array.from({ length: 20 }, (_, at) => `http://127.0.1.${String(at)}`);
    await Promise.allSettled(origins.flatMap((origin) => [send(`${origin}:${String(port)}`), send(`${origin}:${String(deaf)}`)]));
    await allGone.promise;
    expect(Object.keys(agent.stats)).toEqual([]);
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

  it.each<[string, (socket: net.Socket) => void, string]>([
    ['speaks plain HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'plain HTTP perhaps'],
    ['closes the connection', (socket) => socket.end(), 'it closed the connection'],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'it closed the connection'],
    ['ends the handshake with an alert', (socket) => socket.end('\x15\x03\x03\x00\x02\x02\x28'), 'no cipher in common'],
  ])('fails on a server that %s, and says so', async (_what, talk, words) => {
    const { port, allClosed } = await rawReceiver(talk);
    const result = await sender()({ url: `https://127.0.0.1:${String(port)}/`, headers: {}, body: '{}' });
    expect(result).toMatchObject({ kind: 'error', code: 'tls', detail: expect.stringContaining(words) });
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

describe('the loopback policy', () => {
  it('reaches this machine over plain http, by literal and by name', async () => {
    const { port } = await receiver((_request, response) => response.end('here'));
    const send = sender();
    for (const host of ['127.0.0.1', 'localhost']) {
      const result = await send({ url: `http://${host}:${String(port)}/`, headers: {}, body: '{}' });
      expect(result, host).toMatchObject({ kind: 'response', statusCode: 200 });
    }
  });

  it.each(['http://10.0.0.1/', 'https://10.0.0.1/', 'http://0.0.0.0/', 'http://93.184.215.14/'])(
    'refuses %s without a connection',
    async (url) => {
      expect(await sender()({ url, headers: {}, body: '{}' })).toMatchObject({ code: 'blocked_address' });
    },
  );

  it('refuses a name that leads to a private network', async () => {
    const send = sender({ resolveHost: () => Promise.resolve([{ address: '10.0.0.1', family: 4 }]) });
    expect(await send({ url: 'https://crm.example/', headers: {}, body: '{}' })).toMatchObject({
      code: 'blocked_address',
    });
  });
});

describe('closing', () => {
  it('waits for the attempt under way and may be done twice', async () => {
    const arrived = deferred();
    const release = deferred();
    const { port } = await receiver((_request, response) => {
      arrived.resolve();
      void release.promise.then(() => response.end('late'));
    });
    const { send, close } = createWebhookSender({ policy: 'loopback' });
    const attempt = post(send, port);
    await arrived.promise;
    const closed = Promise.all([close(), close()]);
    release.resolve();
    expect(await attempt).toMatchObject({ kind: 'response', body: 'late' });
    await closed;
  });

  it('makes later attempts an error of ours, not of the receiver', async () => {
    const { send, close } = createWebhookSender({ policy: 'loopback' });
    await close();
    await expect(send({ url: 'http://127.0.0.1:1/', headers: {}, body: '{}' })).rejects.toThrow();
  });
});

describe('a header that HTTP cannot carry', () => {
  it('is a bug of the caller and throws', async () => {
    const attempt = { url: 'http://127.0.0.1:1/', headers: { 'X-Bad': 'a\r\nb' }, body: '{}' };
    await expect(sender()(attempt)).rejects.toThrow('invalid');
  });
});

/** Writes the text again and again, until the other side has enough. */
function drip(socket: net.Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => {
    clearInterval(timer);
  });
}

/** A port on which nothing listens any more. */
async function freePort(): Promise<{ port: number }> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port };
}
