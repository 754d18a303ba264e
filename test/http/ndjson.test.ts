import request from 'supertest';
import { describe, expect, it } from 'vitest';
import type { ScreenPopEntry } from '../../src/domain/screenPop.ts';
import { readLines } from '../../src/http/ndjson.ts';
import { Readable } from 'node:stream';
import { eventually } from '../support/time/waiting.ts';
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

  it('may begin with a byte order mark, and so may each file that was joined to it', async () => {
    expect(await linesOf('\ufeff{"a":1}\n\ufeff{"b":"\ufeff"}\n')).toEqual(['{"a":1}', '{"b":"\ufeff"}']);
  });

  it('refuses a line over 1 MiB before all of it has come', async () => {
    await expect(linesOf('a\n', ...Array.from({ length: 17 }, () => 'x'.repeat(64 * 1024)))).rejects.toThrow(
      /^Line 2 is over 1 MiB/,
    );
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
    expect(answer.body).toEqual({ accepted: 20_000, refused: 0, errors: [], read_otherwise: [] });
    expect(entries.size).toBe(20_000);
  });

  it('answers a line that is too long even while the sender is still sending', async () => {
    const { url } = await serve();
    const answer = await fetch(url + bulk, { method: 'POST', headers: ndjson, body: 'x'.repeat(8 * 1024 * 1024) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'payload_too_large' });
  });

  it('refuses a line whose data is too large or holds too many values by its number, and keeps the others', async () => {
    const entries = new Map<string, ScreenPopEntry>();
    const { url } = await serve({ services: screenPopServices(entries) });
    const lists = (count: number) => ({ lists: Array.from({ length: count }, () => []) });
    const body = [
      line(1, { note: 'x'.repeat(65_536) }),
      line(2, lists(10_001)),
      line(3, lists(9_000)),
      line(4, { note: 'x'.repeat(128 * 1024) }),
      ` ${line(5, { note: 'é'.repeat(32_000) })} `,
    ];
    const answer = await request(url).post(bulk).set(ndjson).send(body.join('\n'));
    expect(answer.body).toEqual({
      accepted: 2,
      refused: 3,
      errors: [
        { line: 1, code: 'payload_too_large', message: 'data is 65,547 bytes of JSON, at most 65,536 are taken.' },
        { line: 2, code: 'invalid_request', message: 'The line cannot be kept: it holds more than 10,000 values.' },
        { line: 4, code: 'payload_too_large', message: 'The line is over 128 KiB.' },
      ],
      read_otherwise: [],
    });
    expect([...entries.keys()]).toEqual(['+15551000003', '+15551000005']);
  });

  it('writes by weight, so that no more than a few megabytes are held together', async () => {
    const writes: number[] = [];
    const services = screenPopServices();
    services.screenPops.upsertMany = async (_company, many) => {
      writes.push(many.reduce((sum, { data }) => sum + data.text.length, 0));
    };
    const { url } = await serve({ services });
    const answer = await request(url)
      .post(bulk)
      .set(ndjson)
      .send(Array.from({ length: 200 }, (_, n) => line(n, { note: 'x'.repeat(60_000) })).join('\n'));
    expect(answer.body).toMatchObject({ accepted: 200 });
    expect([Math.max(...writes) < 2_100_000, writes.length]).toEqual([true, 6]);
  });

  it('refuses a fifth stream of a company while four are under way, and takes it afterwards', async () => {
    const services = screenPopServices();
    const { url } = await serve({ services });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let waiting = 0;
    services.screenPops.upsertMany = async () => {
      waiting += 1;
      await held;
    };
    const send = () => fetch(url + bulk, { method: 'POST', headers: ndjson, body: line(1) });
    const four = Array.from({ length: 4 }, send);
    await eventually(() => waiting === 4);
    const fifth = await send();
    expect([fifth.status, fifth.headers.get('retry-after'), ((await fifth.json()) as { code: string }).code]).toEqual([
      429,
      '5',
      'rate_limited',
    ]);
    release();
    expect((await Promise.all(four)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await send()).status).toBe(200);
  });

  it('refuses other types, compression, an empty stream and strangers', async () => {
    const { url } = await serve();
    const send = (headers: Record<string, string>, body: string) =>
      fetch(url + bulk, { method: 'POST', headers, body });
    expect((await send({ ...asKey, 'Content-Type': 'application/json' }, line(1))).status).toBe(415);
    expect((await send({ ...ndjson, 'Content-Encoding': 'gzip' }, line(1))).status).toBe(415);
    expect((await send({ ...asKey, 'Content-Type': 'application/x-ndjson; charset=utf-16le' }, line(1))).status).toBe(
      415,
    );
    expect((await send({ ...asKey, 'Content-Type': 'application/x-ndjson; charset=UTF-8' }, line(1))).status).toBe(200);
    expect((await send(ndjson, '')).status).toBe(400);
    expect((await send({ ...as('guess'), 'Content-Type': 'application/x-ndjson' }, line(1))).status).toBe(401);
  });
});
