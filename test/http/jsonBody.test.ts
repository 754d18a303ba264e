import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/contract/jsonText.ts';
import type { ScreenPopEntry } from '../../src/domain/screenPop.ts';
import { asKey, screenPopServices, serve } from './serve.ts';

const inbound = '/api/integrations/inbound';
const json = { ...asKey, 'Content-Type': 'application/json' };
const push = { phone_number: '+15551230001', data: { name: 'Ada' } };

async function post(body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = json) {
  const { url } = await serve();
  // Not supertest: it would write bytes out as JSON.
  const answer = await fetch(url + inbound, { method: 'POST', headers, body });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) as Record<string, unknown> };
}

describe('JSON bodies', () => {
  it('takes a push and answers with the number as it was understood', async () => {
    const entries = new Map<string, ScreenPopEntry>();
    const { url } = await serve({ services: screenPopServices(entries) });
    const answer = await request(url)
      .post(inbound)
      .set(json)
      .send({ phone_number: '+1 (555) 123-0001', data: { name: 'Ada', custom: [1] }, tier: 'gold' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ok: true, phone_number: '+15551230001' });
    expect(entries.get('+15551230001')).toMatchObject({
      data: JsonText.of({ name: 'Ada', custom: [1] }),
      tier: 'gold',
    });
  });

  it('refuses a body that is no JSON, without quoting it', async () => {
    const answer = await post('{"phone_number": "+15551230001", secret: 1}');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'malformed_json', status: 400 });
    expect(answer.text).not.toContain('15551230001');
  });

  it.each([
    ['JSON that ends early', '{"phone_number":'],
    ['blanks', '   '],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('refuses %s as malformed_json', async (_name, body) => {
    expect((await post(body)).body).toMatchObject({ code: 'malformed_json', status: 400 });
  });

  it.each(['[]', '"text"', 'null', '7', 'true'])('refuses %s where an object is needed', async (body) => {
    expect((await post(body)).body).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  it('names every field that does not fit, in words', async () => {
    const answer = await post(JSON.stringify({ data: { open_tickets: 1.5, name: 7 }, colour: 'red', size: 1 }));
    expect(answer.status).toBe(400);
    const { errors, code } = answer.body as { errors: { path: string; message: string }[]; code: string };
    expect(code).toBe('invalid_request');
    expect(errors).toContainEqual({ path: 'phone_number', message: 'is required', code: 'required' });
    expect(errors).toContainEqual({ path: 'colour', message: 'is not a known field', code: 'unknown_field' });
    expect(errors).toContainEqual({ path: 'size', message: 'is not a known field', code: 'unknown_field' });
    expect(errors.map(({ path }) => path)).toEqual(expect.arrayContaining(['data.open_tickets', 'data.name']));
  });

  it('names a hundred unknown fields at most, and tells how many there are', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, 1]));
    const { status, body } = await post(JSON.stringify({ ...push, ...unknown }));
    expect([status, (body['errors'] as unknown[]).length]).toEqual([400, 100]);
    expect(body['detail']).toContain('(and 4999 more)');
  });

  it('refuses a phone number that is none as invalid_phone', async () => {
    const answer = await post(JSON.stringify({ ...push, phone_number: 'call me' }));
    expect(answer.body).toMatchObject({
      code: 'invalid_phone',
      cause: { code: 'phone_without_digits' },
      errors: [{ path: 'phone_number', code: 'phone_without_digits' }],
    });
  });

  it('takes a body of exactly 1 MiB and refuses one byte more', async () => {
    expect((await post(JSON.stringify(push).padEnd(1024 * 1024))).status).toBe(200);
    const refused = await post(JSON.stringify(push).padEnd(1024 * 1024 + 1));
    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({ code: 'payload_too_large', detail: 'The body is over 1 MiB.' });
  });

  it('takes data of exactly 64 KiB of JSON, white space aside, and refuses one byte more, naming both sizes', async () => {
    const bare = JSON.stringify({ note: '' });
    const filled = (bytes: number) =>
      JSON.stringify(
        { ...push, data: { note: 'é'.repeat((bytes - bare.length) / 2) + 'x'.repeat((bytes - bare.length) % 2) } },
        null,
        4,
      );
    expect((await post(filled(65_536))).status).toBe(200);
    const refused = await post(filled(65_537));
    expect([refused.status, refused.body]).toEqual([
      413,
      expect.objectContaining({
        code: 'payload_too_large',
        detail: 'The body’s data is 65,537 bytes of JSON, at most 65,536 are taken.',
        errors: [
          {
            path: 'data',
            message: 'is 65,537 bytes of JSON, at most 65,536 are taken',
            code: 'json_too_large',
            params: { bytes: 65_537, max: 65_536 },
          },
        ],
      }),
    ]);
  });

  it('refuses a body of more than 10,000 values, however small they are', async () => {
    const data = (values: number) => JSON.stringify({ ...push, data: { a: Array.from({ length: values }, () => []) } });
    expect((await post(data(4_000))).status).toBe(200);
    expect((await post(data(10_000))).body).toMatchObject({
      code: 'invalid_request',
      detail: 'The body cannot be kept: it holds more than 10,000 values.',
    });
  });

  it('refuses a body over 1 MiB that does not say how long it is', async () => {
    const { url } = await serve();
    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    let left = 17;
    const answer = await fetch(url + inbound, {
      method: 'POST',
      headers: json,
      duplex: 'half',
      body: new ReadableStream({
        pull(controller) {
          left -= 1;
          if (left < 0) controller.close();
          else controller.enqueue(chunk);
        },
      }),
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'payload_too_large' });
  });

  it('reads gzip, and refuses what unpacks to more than 1 MiB', async () => {
    const zipped = { ...json, 'Content-Encoding': 'gzip' };
    expect((await post(gzipSync(JSON.stringify(push)), zipped)).status).toBe(200);
    const bomb = gzipSync(JSON.stringify({ ...push, data: { note: 'x'.repeat(2 * 1024 * 1024) } }));
    expect((await post(bomb, zipped)).body).toMatchObject({ code: 'payload_too_large' });
    expect((await post(Buffer.from('not gzip'), zipped)).body).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  it.each([
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['something that only starts like JSON', 'application/jsonp'],
    ['two charsets', 'application/json; charset=utf-8; charset=latin1'],
    ['a charset that JSON cannot have', 'application/json; charset=latin1'],
    ['UTF-7', 'application/json; charset=utf-7'],
    ['UTF-16', 'application/json; charset="utf-16le"'],
    ['UTF-32', 'application/json;charset=UTF-32'],
    ['a charset nobody knows', 'application/json; charset=utf-99'],
    ['nothing at all', ''],
  ])('refuses the content type of %s', async (_name, contentType) => {
    const { url } = await serve();
    const answer = await fetch(url + inbound, {
      method: 'POST',
      headers: { ...asKey, 'Content-Type': contentType },
      body: JSON.stringify(push),
    });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ code: 'unsupported_media_type' });
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/vnd.crm+json',
  ])('takes the content type %s', async (contentType) => {
    const { url } = await serve();
    const headers = { ...asKey, 'Content-Type': contentType };
    expect((await fetch(url + inbound, { method: 'POST', headers, body: JSON.stringify(push) })).status).toBe(200);
  });

  it('refuses an empty body where one is needed', async () => {
    const { url } = await serve();
    const answer = await request(url).post(inbound).set(asKey);
    expect(answer.body).toMatchObject({ code: 'invalid_request', detail: 'A JSON body is needed.' });
  });

  it.each([
    ['U+0000', '{"phone_number":"+15551230001","data":{"name":"a\\u0000b"}}'],
    ['half a surrogate pair', '{"phone_number":"+15551230001","data":{"name":"\\ud83d"}}'],
    ['U+0000 in a key', '{"phone_number":"+15551230001","data":{"a\\u0000":1}}'],
    ['65 levels of nesting', `{"phone_number":"+15551230001","data":{"a":${'['.repeat(65)}${']'.repeat(65)}}}`],
    ['a number of a thousand digits', `{"phone_number":"+15551230001","data":{"a":1${'0'.repeat(1_000)}}}`],
    ['a power of ten beyond any number', '{"phone_number":"+15551230001","data":{"a":1e-1001}}'],
    ['200,000 levels of nesting', `{"phone_number":"+15551230001","data":{"a":${'['.repeat(2e5)}${']'.repeat(2e5)}}}`],
  ])('refuses %s, which the database could not keep', async (_name, body) => {
    expect((await post(body)).body).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  it('keeps whole surrogate pairs and the text \\u0000', async () => {
    expect((await post('{"phone_number":"+15551230001","data":{"name":"\\ud83d\\ude00 \\\\u0000"}}')).status).toBe(200);
  });

  it('lets no body change a prototype', async () => {
    const entries = new Map<string, ScreenPopEntry>();
    const { url } = await serve({ services: screenPopServices(entries) });
    await request(url)
      .post(inbound)
      .set(json)
      .send('{"phone_number":"+15551230001","data":{"__proto__":{"admin":true}}}');
    expect(entries.get('+15551230001')?.data.text).toBe('{"__proto__":{"admin":true}}');
    expect('admin' in {}).toBe(false);
  });
});
