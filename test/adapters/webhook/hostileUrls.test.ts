import net from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGuardedConnector } from '../../../src/adapters/webhook/guardedConnector.ts';
import type { HostResolver } from '../../../src/adapters/webhook/hostResolver.ts';
import { createWebhookSender } from '../../../src/adapters/webhook/sender.ts';
import type { WebhookSenderOptions } from '../../../src/adapters/webhook/sender.ts';
import { createWebhookUrlGuard } from '../../../src/adapters/webhook/urlGuard.ts';
import type { WebhookSender } from '../../../src/ports/webhookSender.ts';
import { dnsOf, hostileHosts, hostileNames, hostileUrls } from '../../support/webhooks/hostileUrls.ts';
import { closeLater, listenEverywhere, rawReceiver, receiver } from '../../support/webhooks/listeners.ts';

function sender(options: WebhookSenderOptions): WebhookSender {
  const made = createWebhookSender(options);
  closeLater(() => made.close());
  return made.send;
}

describe('hostile URLs under the public policy', () => {
  it('are over a hundred, each written once', () => {
    const urls = hostileUrls(1);
    expect(urls.length).toBeGreaterThan(100);
    expect(new Set(urls).size).toBe(urls.length);
  });

  it('are each refused when saved and when sent, without one connection', async () => {
    const { port, connections } = await listenEverywhere();
    const guard = createWebhookUrlGuard({ policy: 'public', resolveHost: hostileNames });
    const send = sender({ policy: 'public', resolveHost: hostileNames });
    for (const url of hostileUrls(port)) {
      expect(await guard.check(url), url).toMatchObject({ kind: 'refused' });
      expect(await send({ url, headers: {}, body: '{}' }), url).toMatchObject({
        kind: 'error',
        code: 'blocked_address',
      });
    }
    expect(connections()).toBe(0);
  });

  it('are each stopped in the connector too, where no URL was looked at before', async () => {
    const { port, connections } = await listenEverywhere();
    const connect = createGuardedConnector({ policy: 'public', connectTimeoutMs: 5000, resolveHost: hostileNames });
    const hosts = Object.values(hostileHosts)
      .flat()
      .filter((host) => URL.canParse(`https://${host}/`));
    for (const host of hosts) {
      const { hostname } = new URL(`https://${host}/`);
      const failure = await new Promise((resolve) => {
        connect({ hostname, protocol: 'https:', port: String(port) }, (error, _socket) => {
          resolve(error);
        });
      });
      // A name with an empty part is no name; as one it would not resolve.
      const reason = host.includes('..') || host.startsWith('.') ? /^(dns|blocked_address)$/ : /^blocked_address$/;
      expect(failure, host).toMatchObject({ reason: expect.stringMatching(reason) });
    }
    expect(connections()).toBe(0);
  });

  it('that name a host are refused without telling the address behind it', async () => {
    const guard = createWebhookUrlGuard({ policy: 'public', resolveHost: hostileNames });
    const send = sender({ policy: 'public', resolveHost: hostileNames });
    for (const name of ['private.example', 'mapped.example', 'one-of-many.example', 'zone.example', 'azure.example']) {
      const url = `https://${name}/`;
      const words = JSON.stringify([await guard.check(url), await send({ url, headers: {}, body: '{}' })]);
      expect(words).toContain(`${name} resolves to `);
      expect(words).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/);
    }
  });
});

describe('a name that changes its answer', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is refused at the connection although it was fine when it was saved', async () => {
    const { port, connections } = await listenEverywhere();
    const answers = [['93.184.215.14'], ['127.0.0.1'], ['93.184.215.14'], ['93.184.215.14', '::ffff:127.0.0.1']];
    const resolveHost: HostResolver = (name) => dnsOf({ [name]: answers.shift() ?? [] })(name);
    const guard = createWebhookUrlGuard({ policy: 'public', resolveHost });
    const send = sender({ policy: 'public', resolveHost });
    const url = `https://rebinding.example:${String(port)}/hook`;
    for (let round = 0; round < 2; round += 1) {
      expect(await guard.check(url)).toEqual({ kind: 'ok', url });
      expect(await send({ url, headers: {}, body: '{}' })).toMatchObject({ kind: 'error', code: 'blocked_address' });
    }
    expect(connections()).toBe(0);
  });

  it('to and fro is judged at each connection', async () => {
    const { port } = await receiver((_request, response) => response.writeHead(204, { Connection: 'close' }).end());
    let asked = 0;
    const resolveHost: HostResolver = (name) => dnsOf({ [name]: [asked++ % 2 === 0 ? '127.0.0.1' : '10.0.0.1'] })(name);
    const send = sender({ policy: 'loopback', resolveHost });
    const outcomes: string[] = [];
    for (let sent = 0; sent < 4; sent += 1) {
      const result = await send({ url: `http://flips.example:${String(port)}/`, headers: {}, body: '{}' });
      outcomes.push(result.kind === 'error' ? result.code : result.kind);
    }
    expect(outcomes).toEqual(['response', 'blocked_address', 'response', 'blocked_address']);
  });

  it('between the check and the connection is connected to as it was checked', async () => {
    const { port, connections } = await receiver((_request, response) => response.end());
    let read = 0;
    const shifty = {
      get address() {
        return read++ === 0 ? '127.0.0.1' : '10.0.0.1';
      },
      family: 4,
    };
    const send = sender({ policy: 'loopback', resolveHost: () => Promise.resolve([shifty]) });
    const result = await send({ url: `http://shifty.example:${String(port)}/`, headers: {}, body: '{}' });
    expect(result).toMatchObject({ kind: 'response', statusCode: 200 });
    expect(connections()).toBe(1);
  });

  it('while a connection is kept moves nothing: that one was judged, the next one is judged again', async () => {
    const close = { now: false };
    const { port, connections } = await receiver((request, response) => {
      request.resume().on('end', () => response.writeHead(204, close.now ? { Connection: 'close' } : {}).end());
    });
    let address = '127.0.0.1';
    let asked = 0;
    const send = sender({
      policy: 'loopback',
      resolveHost: () => {
        asked += 1;
        return Promise.resolve([{ address, family: 4 }]);
      },
    });
    const attempt = { url: `http://moving.example:${String(port)}/`, headers: {}, body: '{}' };
    expect(await send(attempt)).toMatchObject({ kind: 'response' });
    // A connection is free again one turn after its answer was read.
    await new Promise((resolve) => setImmediate(resolve));
    address = '10.0.0.1';
    close.now = true;
    expect(await send(attempt)).toMatchObject({ kind: 'response' });
    expect([asked, connections()]).toEqual([1, 1]);
    expect(await send(attempt)).toMatchObject({ kind: 'error', code: 'blocked_address' });
    expect([asked, connections()]).toEqual([2, 1]);
  });

  it('below the look-up is caught by the address truly connected to, before a byte is sent', async () => {
    const spoken = vi.fn<() => void>();
    const listener = await rawReceiver(spoken);
    // A network that leads a public address to this machine.
    const connect = net.Socket.prototype.connect;
    vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (this: net.Socket, ...given: unknown[]) {
      const [start] = given.filter((value) => typeof value === 'function') as (() => void)[];
      return Reflect.apply(connect, this, [{ port: listener.port, host: '127.0.0.1' }, start]) as net.Socket;
    });
    const send = sender({ policy: 'public', resolveHost: dnsOf({ 'crm.example': ['93.184.215.14'] }) });
    expect(await send({ url: 'https://crm.example/', headers: {}, body: '{}' })).toMatchObject({
      kind: 'error',
      code: 'blocked_address',
      detail: 'The connection led to a loopback address, and webhooks go to public ones only.',
    });
    await listener.allClosed();
    expect(listener.connections()).toBe(1);
    expect(spoken).not.toHaveBeenCalled();
  });
});
