import { once } from 'node:events';
import http from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/http/routes.ts';
import { as, asKey, serve } from './serve.ts';

const pages = [
  '/',
  '/admin',
  '/admin/agents',
  '/icon.svg',
  '/assets/index-a1.js',
  '/openapi.json',
  '/metrics',
  '/docs',
  '/docs/swagger-ui.css',
];
const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];

/** What each address takes: each route by the table, pages by GET. */
function addresses(): [path: string, methods: string[]][] {
  const taken = new Map<string, string[]>(pages.map((path) => [path, ['GET']]));
  for (const { path, method } of routes) {
    const address = path.replace('{id}', '0190a000-0000-7000-8000-0000000000a1');
    taken.set(address, [...(taken.get(address) ?? []), method.toUpperCase()]);
  }
  return [...taken];
}

/**
 * The methods of routes that take the last part of this address for an id,
 * and refuse it as none: `/recover`, `/from-cache`.
 */
function takenById(address: string): string[] {
  const named = routes.filter(
    ({ path }) =>
      path.endsWith('/{id}') && path.slice(0, -'/{id}'.length) === address.slice(0, address.lastIndexOf('/')),
  );
  return address.includes('0190a000') ? [] : named.map(({ method }) => method.toUpperCase());
}

describe('a method that an address does not take', () => {
  it('is answered with 405 and what it takes, with or without credentials; OPTIONS tells the same', async () => {
    const { url } = await serve();
    for (const [path, taken] of addresses()) {
      const allow = [...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
      const foreign = everyMethod.filter((one) => !taken.includes(one) && !takenById(path).includes(one));
      for (const method of foreign) {
        const answer = await fetch(url + path, { method, headers: as('admin') });
        expect([path, method, answer.status, answer.headers.get('allow')?.split(', ').toSorted()]).toEqual([
          path,
          method,
          405,
          allow.toSorted(),
        ]);
        expect(await answer.json()).toMatchObject({ code: 'method_not_allowed', status: 405 });
      }
      const options = await fetch(url + path, { method: 'OPTIONS' });
      expect([path, options.status, options.headers.get('allow')?.split(', ').toSorted()]).toEqual([
        path,
        204,
        allow.toSorted(),
      ]);
    }
  });

  it('is 404 where there is nothing by any method, or the operator has opened nothing', async () => {
    const { url } = await serve({ platformToken: null });
    for (const [method, path] of [
      ['DELETE', '/nothing'],
      ['GET', '/docs/nothing'],
      ['DELETE', '/api/companies'],
      ['OPTIONS', '/api/nothing'],
    ] as const) {
      expect([path, (await fetch(url + path, { method })).status]).toEqual([path, 404]);
    }
  });

  it('leaves HEAD where GET is, and preflights to CORS', async () => {
    const { url } = await serve({ corsOrigins: ['https://crm.example'] });
    const head = await fetch(`${url}/api/health/live`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const preflight = await fetch(`${url}/api/integrations/inbound`, {
      method: 'OPTIONS',
      headers: { origin: 'https://crm.example', 'access-control-request-method': 'POST', ...asKey },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://crm.example',
    ]);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('allow')).toBe('POST, DELETE, OPTIONS');
  });
});

describe('a document that does not change', () => {
  it.each(['/openapi.json', '/docs', '/docs/start.js', '/docs/swagger-ui.css', '/docs/favicon-32x32.png'])(
    '%s has an ETag: whoever has it gets 304',
    async (path) => {
      const { url } = await serve();
      const first = await supertest(url).get(path).expect(200);
      const tag = first.headers['etag'];
      expect(tag).toMatch(/^"[\w.-]+"$/);
      const again = await supertest(url)
        .get(path)
        .set('If-None-Match', tag ?? '');
      expect([again.status, again.headers['etag'], again.text]).toEqual([304, tag, '']);
      expect((await supertest(url).get(path).set('If-None-Match', '"another"')).status).toBe(200);
    },
  );

  it('is compressed as the caller takes it, and says so', async () => {
    const { url } = await serve();
    const get = async (encoding: string) => {
      // Not by fetch or supertest, which decompress.
      const [response] = (await once(
        http.get(`${url}/openapi.json`, { headers: { 'accept-encoding': encoding } }),
        'response',
      )) as [http.IncomingMessage];
      return { bytes: Buffer.concat(await response.toArray()), headers: response.headers };
    };
    const plain = await get('identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const brotli = await get('gzip, br');
    expect([brotli.headers['content-encoding'], brotli.headers['vary']]).toEqual([
      'br',
      expect.stringContaining('Accept-Encoding'),
    ]);
    expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 4);
    expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
    const tags = [plain, brotli, await get('gzip')].map(({ headers }) => headers['etag']);
    expect(new Set(tags).size).toBe(3);
  });
});
