import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { serve } from './serve.ts';

const facts = {
  version: '0.0.0-test',
  mode: 'embedded',
  publicUrl: null,
  isLocal: false,
  isDraining: () => false,
} as const;
const crm = 'https://crm.example.com';

/** A gateway whose softphone one CRM may hold. `hasDemo`: with the demo's page. */
async function servePages({
  hasDemo = false,
  embedOrigins = [crm],
}: { hasDemo?: boolean; embedOrigins?: string[] } = {}) {
  const { url } = await serve({ platform: { ...facts, embedOrigins, hasDemo } });
  return (path: string) => request(url).get(path);
}

/** The directives of a Content-Security-Policy by name. */
function policyOf(answer: request.Response): Record<string, string[]> {
  const policy = answer.headers['content-security-policy'] as string;
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ');
      return [name, values];
    }),
  );
}

function nonceOf(answer: request.Response): string {
  const [, nonce] = /'nonce-([^']+)'/.exec(answer.headers['content-security-policy'] as string) ?? [];
  if (nonce === undefined) throw new Error('the policy holds no nonce');
  return nonce;
}

describe('the softphone page', () => {
  it('is at /, and is kept nowhere', async () => {
    const get = await servePages();
    const page = await get('/').expect(200);
    expect(page.type).toBe('text/html');
    expect(page.text).toContain('<title>Readyline softphone</title>');
    expect(page.headers['cache-control']).toBe('no-store');
  });

  it('runs scripts of own files alone, and styles of own files or with the nonce of this very answer', async () => {
    const get = await servePages();
    const page = await get('/').expect(200);
    const policy = policyOf(page);
    expect(policy['default-src']).toEqual(["'none'"]);
    expect(policy['script-src']).toEqual(["'self'"]);
    expect(policy['style-src']).toEqual(["'self'", `'nonce-${nonceOf(page)}'`]);
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/);
    for (const [, given] of page.text.matchAll(/nonce="([^"]*)"/g)) expect(given).toBe(nonceOf(page));
    expect(page.text).toContain(`nonce="${nonceOf(page)}"`);
  });

  it('has another nonce in each answer', async () => {
    const get = await servePages();
    const answers = [await get('/'), await get('/'), await get('/admin')];
    expect(new Set(answers.map(nonceOf)).size).toBe(answers.length);
  });

  it('may be held by pages of this gateway and of EMBED_ORIGINS, and by no other', async () => {
    const page = await (await servePages())('/');
    expect(policyOf(page)['frame-ancestors']).toEqual(["'self'", crm]);
    expect(page.headers).not.toHaveProperty('x-frame-options');
    const alone = await (await servePages({ embedOrigins: [] }))('/');
    expect(policyOf(alone)['frame-ancestors']).toEqual(["'self'"]);
  });

  it('may speak to this gateway and to telephones by TLS; without TLS only to the agent’s own machine', async () => {
    const publicUrl = 'https://cti.example.com';
    const { url } = await serve({ platform: { ...facts, publicUrl, embedOrigins: [], hasDemo: false } });
    const elsewhere = policyOf(await request(url).get('/').set('Host', 'cti.example.com'));
    expect(elsewhere['connect-src']).toEqual([
      ...["'self'", publicUrl, 'ws://cti.example.com', 'wss://cti.example.com', 'wss:'],
      ...['ws://127.0.0.1:*', 'ws://localhost:*', 'https:', 'http://127.0.0.1:*', 'http://localhost:*'],
    ]);
  });

  it('takes nothing of a Host that is none into its policy', async () => {
    const page = await (await servePages())('/').set('Host', "gateway'; script-src *");
    expect(policyOf(page)['script-src']).toEqual(["'self'"]);
    expect(page.headers['content-security-policy']).not.toContain('gateway');
  });

  it('finds each of its files, for ever the same', async () => {
    const get = await servePages();
    const page = await get('/').expect(200);
    const files = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const file of files) {
      const answer = await get(file).expect(200);
      expect(answer.headers['cache-control']).toContain('immutable');
    }
    await get('/icon.svg').expect(200);
    for (const [file, type] of [
      ['/app.webmanifest', 'application/manifest+json'],
      ['/sw.js', 'text/javascript'],
      ['/offline.js', 'text/javascript'],
      ['/offline.css', 'text/css'],
    ] as const) {
      const answer = await get(file).expect(200);
      expect(answer.type).toBe(type);
      // A worker that browsers kept would stand in for a newer one.
      expect(answer.headers['cache-control']).toBe('no-cache');
      expect(policyOf(answer)).toEqual({ 'default-src': ["'none'"], 'connect-src': ["'self'"] });
    }
    expect(policyOf(await get('/offline.html').expect(200))['script-src']).toEqual(["'self'"]);
    await get('/assets/no-such-file.js').expect(404);
  });
});

describe('the console', () => {
  it('is at every path under /admin, and no page may hold it', async () => {
    const get = await servePages();
    for (const path of ['/admin', '/admin/live', '/admin/agents/7']) {
      const page = await get(path).expect(200);
      expect(page.text).toContain('<title>Readyline');
      expect(policyOf(page)['frame-ancestors']).toEqual(["'none'"]);
      expect(page.headers['x-frame-options']).toBe('DENY');
    }
  });

  it('speaks to this gateway alone, and has nothing of a telephone but the voice of supervisors who listen', async () => {
    const publicUrl = 'https://cti.example.com';
    const { url } = await serve({ platform: { ...facts, publicUrl, embedOrigins: [crm], hasDemo: false } });
    const page = await request(url).get('/admin').set('Host', 'cti.example.com');
    const policy = policyOf(page);
    expect(policy['connect-src']).toEqual(["'self'", publicUrl, 'ws://cti.example.com', 'wss://cti.example.com']);
    expect(policy).not.toHaveProperty('frame-src');
    // Recordings of calls, wherever the PBX keeps them.
    expect(policy['media-src']).toEqual(['https:', 'http://127.0.0.1:*', 'http://localhost:*']);
    expect(page.headers['permissions-policy']).toBe('microphone=(self), autoplay=(self)');
  });
});

describe('the page of the demo', () => {
  it('is there only where the demo is', async () => {
    await (await servePages())('/demo').expect(404);
    const page = await (await servePages({ hasDemo: true }))('/demo').expect(200);
    expect(policyOf(page)['frame-ancestors']).toEqual(["'none'"]);
  });

  it('may hold the softphone, to which it hands the microphone on, and is no telephone itself', async () => {
    const page = await (await servePages({ hasDemo: true }))('/demo').expect(200);
    expect(policyOf(page)['frame-src']).toEqual(["'self'"]);
    expect(policyOf(page)['connect-src']).not.toContain('wss:');
    expect(page.headers['permissions-policy']).toBe('microphone=(self), autoplay=(self)');
  });
});
