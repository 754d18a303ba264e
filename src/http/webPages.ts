import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router, type Request, type RequestHandler } from 'express';
import { builtAssets } from './builtAssets.ts';
import type { PlatformFacts } from './platformFacts.ts';
import { named } from './requestRecord.ts';

/** Where the build puts the pages; the same from `src/http` and from `dist/http`. */
const builtPages = fileURLToPath(new URL('../../web/dist/', import.meta.url));
/** What stands in the built pages for the nonce of one answer. */
const noncePlaceholder = '__CSP_NONCE__';

type Facts = Pick<PlatformFacts, 'publicUrl' | 'embedOrigins' | 'hasDemo'>;

type Page = { path: string; file: string; frameAncestors: readonly string[] };

/** The pages for people: softphone, console and demo. Their scripts and styles are own files; nothing inline runs. */
export function webPages(facts: Facts): Router {
  const { embedOrigins, hasDemo } = facts;
  const router = Router();
  const pages: Page[] = [
    { path: '/', file: 'index.html', frameAncestors: ["'self'", ...embedOrigins] },
    { path: '/admin{/*rest}', file: 'admin.html', frameAncestors: ["'none'"] },
    ...(hasDemo ? [{ path: '/demo', file: 'demo.html', frameAncestors: ["'none'"] }] : []),
  ];
  for (const page of pages) router.get(page.path, named(page.path.replace('{/*rest}', '')), sendPage(page, facts));
  router.use('/assets', named('/assets'), builtAssets(join(builtPages, 'assets')));
  router.get('/icon.svg', named('/icon.svg'), (_request, response) => {
    response.sendFile('icon.svg', { root: builtPages, maxAge: '1 day' });
  });
  return router;
}

function sendPage({ file, frameAncestors }: Page, facts: Facts): RequestHandler {
  const path = join(builtPages, file);
  let text: string | null = null;
  return (request, response) => {
    if (text === null && existsSync(path)) text = readFileSync(path, 'utf8');
    if (text === null) {
      response.status(503).type('text').send('The pages are not built: run "npm run build", then start the gateway again.\n');
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('Content-Security-Policy', policy(request, nonce, frameAncestors, facts));
    // The browsers that know no frame-ancestors know this, which cannot name origins.
    response.removeHeader('X-Frame-Options');
    response.setHeader('Permissions-Policy', 'microphone=(self), autoplay=(self)');
    response.setHeader('Cache-Control', 'no-store');
    response.type('html').send(text.replaceAll(noncePlaceholder, nonce));
  };
}

/** Own files only. A telephone is reached at the company's own address, which is not known before its agent logs in. */
function policy(
  request: Request,
  nonce: string,
  frameAncestors: readonly string[],
  { publicUrl }: Facts,
): string {
  const host = request.headers.host;
  // Some browsers do not take `self` for the WebSocket of the same host.
  const ownSockets = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? [`ws://${host}`, `wss://${host}`] : [];
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': [
      "'self'",
      ...(publicUrl === null ? [] : [new URL(publicUrl).origin]),
      ...ownSockets,
      'wss:',
      // A PBX or a SIP proxy on the agent's own machine.
      'ws://127.0.0.1:*',
      'ws://localhost:*',
    ],
    'media-src': ["'self'", 'blob:'],
    'frame-src': ["'self'", 'tel:', 'sip:'],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': frameAncestors,
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
}
