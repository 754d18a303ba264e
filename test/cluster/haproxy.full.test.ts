import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHaproxy, type Balancer } from '../../demo/cluster/haproxy.ts';
import { eventually } from '../support/time/waiting.ts';
import { ClusterRoom } from '../support/gateway/clusterRoom.ts';

describe('two gateways behind HAProxy', () => {
  let room: ClusterRoom;
  beforeAll(async () => {
    room = await ClusterRoom.open({ gateways: 2, balancer: true });
  });
  afterAll(() => room.close());

  it('keeps the requests of one long-polling connection together by a cookie, and cannot without', async () => {
    const outcomeOfPolling = (withCredentials: boolean): Promise<string> => {
      const options = { transports: ['polling'], reconnection: false, forceNew: true };
      const softphone = io(room.cluster.url, { ...options, withCredentials, auth: { token: room.token } });
      const outcome = new Promise<string>((resolve) => {
        softphone.once('state_snapshot', () => resolve('served'));
        softphone.once('connect_error', () => resolve('broken off'));
        softphone.once('disconnect', () => resolve('broken off'));
      });
      return outcome.finally(() => softphone.disconnect());
    };
    expect(await outcomeOfPolling(true)).toBe('served');
    // Its requests may come to one gateway by chance.
    const without = new Set<string>();
    for (let tries = 0; tries < 20 && !without.has('broken off'); tries += 1)
      without.add(await outcomeOfPolling(false));
    expect([...without]).toContain('broken off');
  });

  it('drops no connection of thousands that come while a gateway stands still', async () => {
    const [gateway] = room.cluster.gateways;
    const port = Number(new URL(gateway?.url ?? '').port);
    const pid = gateway?.pid ?? 0;
    const sockets: net.Socket[] = [];
    process.kill(pid, 'SIGSTOP');
    try {
      await Promise.all(
        Array.from({ length: 2_000 }, async () => {
          const socket = net.connect(port, '127.0.0.1');
          sockets.push(socket);
          await once(socket, 'connect');
        }),
      );
    } finally {
      process.kill(pid, 'SIGCONT');
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe('HAProxy', () => {
  let balancer: Balancer;
  let received: http.IncomingMessage[];
  /** Stands in for a gateway. */
  const gateway = http.createServer((request, response) => {
    if (request.url?.startsWith('/api/health') === true) return void response.end();
    received.push(request);
    if (request.url === '/breaks-off') return void request.socket.destroy();
    response.end();
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    balancer = await startHaproxy();
    await balancer.add('g1', (gateway.address() as AddressInfo).port);
  });
  beforeEach(() => {
    received = [];
  });
  afterAll(async () => {
    await balancer.stop();
    gateway.close();
  });

  it('tells the gateway who called it, after whatever the caller says itself', async () => {
    await fetch(`${balancer.url}/api/public/platform`, { headers: { 'x-forwarded-for': '192.0.2.7' } });
    expect(received.map(({ headers }) => headers['x-forwarded-for'])).toEqual(['192.0.2.7, 127.0.0.1']);
  });

  it('sends no request twice that a gateway may have begun', async () => {
    const answer = await fetch(`${balancer.url}/breaks-off`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(502);
    expect(received).toHaveLength(1);
  });

  it('sends a request that only reads to another gateway when one breaks off', async () => {
    const other = http.createServer((_request, response) => void response.end('from the other'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const both = await startHaproxy();
    try {
      await both.add('g1', (gateway.address() as AddressInfo).port);
      await both.add('g2', (other.address() as AddressInfo).port);
      const answers = [await fetch(`${both.url}/breaks-off`), await fetch(`${both.url}/breaks-off`)];
      expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['from the other', 'from the other']);
      // The one that breaks off was asked before.
      expect(received).not.toHaveLength(0);
    } finally {
      await both.stop();
      other.close();
    }
  });

  it('gives every visitor of a roll-out a page and its files from one release, and the files of an open page wherever they are', async () => {
    const gateways = await Promise.all(['1', '2', '3'].map(startRelease));
    const rollOut = await startHaproxy();
    try {
      for (const [index, { port }] of gateways.entries()) await rollOut.add(`g${index + 1}`, port);
      const visits = Array.from({ length: 12 }, (_, index) => visit(rollOut.url, `127.0.0.${index + 1}`));
      const seen = (await Promise.all(visits)).flat();
      expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
      // Nobody met a file that another gateway had to be asked for.
      expect(gateways.flatMap(({ missed }) => missed)).toEqual([]);
      expect(new Set(seen.map(({ text }) => text)).size).toBeGreaterThan(1);

      const [first, second, third] = gateways;
      first?.close();
      await eventually(async () => !(await rollOut.inRotation()).includes('g1'));
      const open = await Promise.all(
        ['/assets/2.js', '/assets/3.js'].map((path) => get(rollOut.url, path, '127.0.0.1')),
      );
      expect(open.map(({ status }) => status)).toEqual([200, 200]);
      expect([...(second?.missed ?? []), ...(third?.missed ?? [])]).toHaveLength(1);
      expect((await get(rollOut.url, '/assets/1.js', '127.0.0.1')).status).toBe(404);
    } finally {
      await rollOut.stop();
      for (const { close } of gateways) close();
    }
  });

  it("keeps the gateways' metrics from the public", async () => {
    expect((await fetch(`${balancer.url}/metrics`)).status).toBe(404);
    expect(received).toHaveLength(0);
  });

  it.each<[what: string, answerCheck: (path: string, response: http.ServerResponse) => void]>([
    ['while none of them is well', (path, response) => response.writeHead(path === '/api/health' ? 503 : 200).end()],
    ['while the last one is too busy to say that it is well', () => {}],
  ])('lets gateways that live answer for themselves %s', async (_, answerCheck) => {
    const unwell = http.createServer((request, response) => {
      const { url = '' } = request;
      if (url.startsWith('/api/health')) answerCheck(url, response);
      else response.end('what still works');
    });
    await new Promise<void>((resolve) => unwell.listen(0, '127.0.0.1', resolve));
    const only = await startHaproxy();
    try {
      await only.add('g1', (unwell.address() as AddressInfo).port);
      const isOut = async () => !(await only.inRotation()).includes('g1');
      await eventually(isOut);
      await eventually(
        async () => (await (await fetch(`${only.url}/api/public/platform`)).text()) === 'what still works',
      );
    } finally {
      await only.stop();
      unwell.close();
      unwell.closeAllConnections();
    }
  });

  it('answers 503 when nobody is behind it', async () => {
    const empty = await startHaproxy();
    try {
      expect((await fetch(`${empty.url}/api/public/platform`)).status).toBe(503);
    } finally {
      await empty.stop();
    }
  });
});

/** Stands in for a gateway of this release, which knows no files but its own. */
async function startRelease(release: string) {
  const missed: string[] = [];
  const file = `/assets/${release}.js`;
  const server = http.createServer(({ url = '' }, response) => {
    if (url === '/' || url === '/admin/live') return void response.end(`<script src="${file}"></script>`);
    if (url.startsWith('/assets/') && url !== file) {
      missed.push(url);
      response.statusCode = 404;
    }
    response.end(url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, missed, close };
}

/** Loads both pages from this address, and what they name. */
async function visit(url: string, address: string) {
  const pages = await Promise.all(['/', '/admin/live'].map((path) => get(url, path, address)));
  const files = pages.map(({ text }) => /src="(.+?)"/.exec(text)?.[1] ?? 'no file');
  return [...pages, ...(await Promise.all(files.map((file) => get(url, file, address))))];
}

function get(url: string, path: string, address: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(new URL(path, url), { localAddress: address, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.once('end', () => resolve({ status: response.statusCode, text }));
    });
    request.once('error', reject);
  });
}
