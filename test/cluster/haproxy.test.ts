import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBalancer, type Balancer } from '../../demo/cluster/balancer.ts';
import { eventually } from '../support/time.ts';
import { ClusterRoom, processPatienceMs } from '../support/clusterRoom.ts';

describe('two gateways behind HAProxy', { timeout: processPatienceMs }, () => {
  let room: ClusterRoom;
  beforeAll(async () => {
    room = await ClusterRoom.open({ gateways: 2, balancer: 'haproxy' });
  }, processPatienceMs);
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
    expect(await outcomeOfPolling(false)).toBe('broken off');
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
    balancer = await startBalancer('haproxy');
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
    const both = await startBalancer('haproxy');
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

  it("keeps the gateways' metrics from the public", async () => {
    expect((await fetch(`${balancer.url}/metrics`)).status).toBe(404);
    expect(received).toHaveLength(0);
  });

  it('lets gateways that live answer for themselves while none of them is well', async () => {
    const unwell = http.createServer((request, response) => {
      response.statusCode = request.url === '/api/health' ? 503 : 200;
      response.end('what still works');
    });
    await new Promise<void>((resolve) => unwell.listen(0, '127.0.0.1', resolve));
    const only = await startBalancer('haproxy');
    try {
      await only.add('g1', (unwell.address() as AddressInfo).port);
      const isOut = async () => !(await only.inRotation()).includes('g1');
      await eventually(isOut);
      await eventually(async () => (await (await fetch(`${only.url}/api/public/platform`)).text()) === 'what still works');
    } finally {
      await only.stop();
      unwell.close();
    }
  });

  it('answers 503 when nobody is behind it', async () => {
    const empty = await startBalancer('haproxy');
    try {
      expect((await fetch(`${empty.url}/api/public/platform`)).status).toBe(503);
    } finally {
      await empty.stop();
    }
  });
});
