import request from 'supertest';
import { describe, expect, it } from 'vitest';
import type { ScreenPopEntry } from '../../src/domain/screenPop.ts';
import { readLines } from '../../src/http/ndjson.ts';
import { Readable } from 'node:stream';
import { as, asKey, screenPopServices, serve } from './serve.ts';

const bulk = '/api/integrations/inbound/bulk';
const ndjson = { ...asKey, 'Content-Type': 'application/x-ndjson' };
const line = (n: number, data: object = {}) => JSON.stringify({ phone_number: `+1555${String(1_000_000 + n)}`, data });

async function linesOf(...chunks: (string | Buffer)[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const text of readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))) lines.push(text);
  return lines;
}

describe('a stream of lines', () => {
  it('is cut at line feeds, wherever the chunks end', async () => {
    const text = 'one\ntwö\n\nfour';
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await linesOf(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(['one', 'twö', '', 'four']);
    }
  });

  it('may end with a line feed or without', async () => {
    expect(await linesOf('a\nb\n')).toEqual(['a', 'b']);
    expect(await linesOf('a\nb')).toEqual(['a', 'b']);
    expect(await linesOf('')).toEqual([]);
  });

  it('refuses a line over 1 MiB before all of it has come', async () => {
    await expect(linesOf('a\n', ...Array.from({ length: 17 }, () => 'x'.repeat(64 * 1024)))).rejects.toThrow(/^Line 2 is over 1 MiB/);
  });

  it('refuses line 100,001', async () => {
    expect(await linesOf('\n'.repeat(100_000))).toHaveLength(100_000);
    await expect(linesOf('\n'.repeat(100_001))).rejects.toThrow(/^Line 100001 /);
  });

  it('refuses bytes that are not UTF-8', async () => {
    await expect(linesOf('a\n', Buffer.from([0xff, 0x0a]))).rejects.toThrow(/^Line 2 is not UTF-8/);
  });
});

describe('the bulk push', () => {
  it('keeps what fits and names the lines that do not', async () => {
    const entries = new Map<string, ScreenPopEntry>();
    const { url } = await serve({ services: screenPopServices(entries) });
    const answer = await request(url)
      .post(bulk)
      .set(ndjson)
      .send([line(1), '{', line(2), '{"data":{}}', '{"phone_number":"call me","data":{}}', ''].join('\n'));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      accepted: 2,
      refused: 3,
      errors: [
        { line: 2, code: 'malformed_json' },
        { line: 4, code: 'invalid_request' },
        { line: 5, code: 'invalid_phone' },
      ],
    });
    expect(entries.size).toBe(2);
  });

  it('takes far more than 1 MiB', async () => {
    const entries = new Map<string, ScreenPopEntry>();
    const { url } = await serve({ services: screenPopServices(entries) });
    const body = Array.from({ length: 20_000 }, (_, n) => line(n, { note: 'x'.repeat(200) })).join('\n');
    const answer = await request(url).post(bulk).set(ndjson).send(body);
    expect(answer.body).toEqual({ accepted: 20_000, refused: 0, errors: [] });
    expect(entries.size).toBe(20_000);
  });

  it('answers a line that is too long even while the sender is still sending', async () => {
    const { url } = await serve();
    const answer = await fetch(url + bulk, { method: 'POST', headers: ndjson, body: 'x'.repeat(8 * 1024 * 1024) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'payload_too_large' });
  });

  it('refuses other types, compression, an empty stream and strangers', async () => {
    const { url } = await serve();
    const send = (headers: Record<string, string>, body: string) => fetch(url + bulk, { method: 'POST', headers, body });
    expect((await send({ ...asKey, 'Content-Type': 'application/json' }, line(1))).status).toBe(415);
    expect((await send({ ...ndjson, 'Content-Encoding': 'gzip' }, line(1))).status).toBe(415);
    expect((await send(ndjson, '')).status).toBe(400);
    expect((await send({ ...as('guess'), 'Content-Type': 'application/x-ndjson' }, line(1))).status).toBe(401);
  });
});
