import net from 'node:net';
import { describe, expect, it } from 'vitest';
import request from 'supertest';
import { handleUpgrades } from '../../src/http/upgradeHandler.ts';
import { RawLine } from '../support/gateway/rawLine.ts';
import { eventually } from '../support/time/waiting.ts';
import { serve } from './serve.ts';

/** What a server answers to bytes, until it hangs up. */
function send(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('a request that no route can see', () => {
  it.each([
    ['no HTTP', 'EHLO mail.example\r\n\r\n', 'it is not HTTP/1.1'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
      'larger than 16 KiB',
    ],
  ])('because it is %s is refused like any other', async (_what, bytes, reason) => {
    const { url } = await serve();
    const [head = '', body = ''] = (await send(url, bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json/);
    expect(JSON.parse(body)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      detail: expect.stringContaining(reason),
    });
  });
});

describe('a proxy in front that TRUST_PROXY does not name', () => {
  const warnings = (lines: readonly object[]) => lines.filter((line) => JSON.stringify(line).includes('TRUST_PROXY'));

  it('is warned of once', async () => {
    const { url, lines } = await serve();
    for (let i = 0; i < 3; i++) await request(url).get('/nothing').set('X-Forwarded-For', '203.0.113.7');
    expect(warnings(lines)).toHaveLength(1);
  });

  it('is not warned of where it is named', async () => {
    const { url, lines } = await serve({ trustProxy: 1 });
    await request(url).get('/nothing').set('X-Forwarded-For', '203.0.113.7');
    expect(warnings(lines)).toHaveLength(0);
  });
});

describe('a download that nobody reads', () => {
  it('is ended when it stands still, while one that is read goes on', async () => {
    const { url, server } = await serve({ stalledAfterMs: 300 });
    const [deaf, reader] = [await RawLine.open(url), await RawLine.open(url)];
    deaf.socket.pause();
    // More than the system takes for those who do not read.
    const ask = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n';
    deaf.write(ask.repeat(16));
    reader.write(ask);
    expect((await reader.answer()).status).toBe(200);
    reader.reset();
    const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    await eventually(async () => (await open()) === 0);
    deaf.reset();
  });

  it('is ended as well when an upgrade waits behind it, which is answered where all is read', async () => {
    const ask = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(16);
    const upgrade = 'GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    const [strict, patient] = [await serve({ stalledAfterMs: 300 }), await serve()];
    for (const { server } of [strict, patient]) handleUpgrades(server);
    const [deaf, reader] = [await RawLine.open(strict.url), await RawLine.open(patient.url)];
    deaf.socket.pause();
    for (const line of [deaf, reader]) line.write(ask + upgrade);
    for (let count = 0; count < 16; count += 1) expect((await reader.answer()).status).toBe(200);
    expect((await reader.answer()).status).toBe(404);
    reader.reset();
    const open = () =>
      new Promise<number>((resolve) => strict.server.getConnections((_error, count) => resolve(count)));
    await eventually(async () => (await open()) === 0);
    deaf.reset();
  });

  it('is kept by browsers, and not sent again while it is the same', async () => {
    const { url } = await serve();
    const first = await request(url).get('/docs/swagger-ui.css').expect(200);
    await request(url)
      .get('/docs/swagger-ui.css')
      .set('If-None-Match', first.headers['etag'] ?? '')
      .expect(304);
  });
});
