import net from 'node:net';
import { describe, expect, it } from 'vitest';
import request from 'supertest';
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
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 'larger than 16 KiB'],
  ])('because it is %s is refused like any other', async (_what, bytes, reason) => {
    const { url } = await serve();
    const [head = '', body = ''] = (await send(url, bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json/);
    expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'invalid_request', detail: expect.stringContaining(reason) });
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
