import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { createWebhookAgent } from '../../../src/adapters/webhook/guardedConnector.ts';
import { createWebhookSender } from '../../../src/adapters/webhook/sender.ts';
import { closeLater, deferred, listen, rawReceiver, receiver } from '../../support/webhooks/listeners.ts';
import { freePort, post, sender, toThisMachine } from './testSender.ts';

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
    const send = async (origin: string) =>
      (await agent.request({ origin, path: '/', method: 'POST', body: '{}' })).body.dump();
    const origins = Array.from({ length: 20 }, (_, at) => `http://127.0.1.${String(at)}`);
    await Promise.allSettled(
      origins.flatMap((origin) => [send(`${origin}:${String(port)}`), send(`${origin}:${String(deaf)}`)]),
    );
    await allGone.promise;
    expect(Object.keys(agent.stats)).toEqual([]);
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
