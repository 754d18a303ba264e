import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../src/http/requestLog.ts';
import { webPages } from '../../src/http/webPages.ts';

const script = 'export const greeting = 1;\n'.repeat(50);

/** A build with one script, named by a page of each kind. @param digest of the script */
async function build(folder: string, digest: string): Promise<void> {
  const assets = join(folder, 'assets');
  await mkdir(assets, { recursive: true });
  await writeFile(join(assets, `index-${digest}.js`), script);
  await writeFile(join(assets, `index-${digest}.js.gz`), gzipSync(script));
  await writeFile(join(assets, `index-${digest}.js.br`), brotliCompressSync(script));
  await writeFile(join(assets, 'plain-b2.css'), 'a{}');
  const page = `<script type="module" src="/assets/index-${digest}.js"></script>`;
  for (const file of ['index.html', 'admin.html']) await writeFile(join(folder, file), page);
}

describe('the files of the pages', () => {
  let folder: string;
  let app: express.Express;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'readyline-pages-'));
    await build(folder, 'a1');
    app = express();
    app.use((_request, response, next) => {
      response.locals.record = {} as RequestRecord;
      next();
    });
    app.use(
      webPages(
        { publicUrl: null, embedOrigins: [], hasDemo: false },
        { companyOf: () => Promise.reject(new Error('no company is asked for')) },
        folder,
      ),
    );
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
    await request(app)
      .get('/assets/plain-b2.css')
      .set('if-none-match', first.headers['etag'] ?? '')
      .expect(304);
  });

  it('are of one build with every page, though the next build takes its place in between', async () => {
    await request(app).get('/').expect(200);
    await rm(folder, { recursive: true });
    await build(folder, 'c3');
    const page = await request(app).get('/admin').expect(200);
    const [, file = ''] = /src="([^"]+)"/.exec(page.text) ?? [];
    const answer = await request(app).get(file).set('accept-encoding', 'identity').expect(200);
    expect(answer.text).toBe(script);
  });

  it('are looked for again after they were asked for while there was no whole build', async () => {
    await rm(folder, { recursive: true });
    await request(app).get('/assets/index-c3.js').expect(404);
    await build(folder, 'c3');
    await rm(join(folder, 'assets'), { recursive: true });
    await request(app).get('/').expect(503);
    await build(folder, 'c3');
    await request(app).get('/').expect(200);
    await request(app).get('/assets/index-c3.js').expect(200);
  });
});
