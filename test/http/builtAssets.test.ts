import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtAssets } from '../../src/http/builtAssets.ts';

const script = 'export const greeting = 1;\n'.repeat(50);

describe('the files of the pages', () => {
  let folder: string;
  let app: express.Express;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'readyline-assets-'));
    await writeFile(join(folder, 'index-a1.js'), script);
    await writeFile(join(folder, 'index-a1.js.gz'), gzipSync(script));
    await writeFile(join(folder, 'index-a1.js.br'), brotliCompressSync(script));
    await writeFile(join(folder, 'plain-b2.css'), 'a{}');
    app = express().use('/assets', builtAssets(folder));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['identity', undefined],
  ])('come for "%s" as %s', async (accepts, encoding) => {
    const answer = await request(app).get('/assets/index-a1.js').set('accept-encoding', accepts).buffer(true);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-type']).toMatch(/javascript/);
    expect(answer.headers['vary']).toBe('Accept-Encoding');
    expect(answer.headers['cache-control']).toBe('public,max-age=31536000,immutable');
    if (encoding !== 'br') expect(answer.text).toBe(script);
  });

  it('come as they are where nothing smaller was built, and not at all where they are not known', async () => {
    const answer = await request(app).get('/assets/plain-b2.css').set('accept-encoding', 'br').expect(200);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.text).toBe('a{}');
    for (const path of ['/assets/other.js', '/assets/', '/assets/..%2fpackage.json', '/assets/index-a1.js.br']) {
      await request(app).get(path).expect(404);
    }
    await request(app).post('/assets/plain-b2.css').expect(404);
  });

  it('are not sent again to who has them', async () => {
    const first = await request(app).get('/assets/plain-b2.css').expect(200);
    await request(app).get('/assets/plain-b2.css').set('if-none-match', first.headers['etag'] ?? '').expect(304);
  });

  it('stay the same while the next pages are built into the folder', async () => {
    await request(app).get('/assets/plain-b2.css').expect(200);
    await rm(folder, { recursive: true, force: true });
    const answer = await request(app).get('/assets/index-a1.js').set('accept-encoding', 'identity').expect(200);
    expect(answer.text).toBe(script);
  });
});
