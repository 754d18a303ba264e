import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type RequestHandler, Router } from 'express';
import { keptBuild } from './pageBuild.ts';
import { pagePolicy, type PageRights } from './pagePolicy.ts';
import type { PlatformFacts } from './platformFacts.ts';
import { named } from './requestLog.ts';

/** Where the build puts the pages; the same from `src/http` and from `dist/http`. */
const builtPages = fileURLToPath(new URL('../../web/dist/', import.meta.url));
/** Placeholder in the built pages for the nonce of an answer. */
const noncePlaceholder = '__CSP_NONCE__';

/** The addresses of the pages and their files. */
export const webPagePatterns = ['/', '/admin{/*rest}', '/assets/*file', '/icon.svg'];

type Facts = Pick<PlatformFacts, 'publicUrl' | 'embedOrigins' | 'hasDemo'>;

type Page = { path: string; file: string; rights: PageRights };

/** The pages for people: softphone, console and demo. Their scripts and styles are own files; nothing inline runs. */
export function webPages({ publicUrl, embedOrigins, hasDemo }: Facts, folder = builtPages): Router {
  const build = keptBuild(folder);
  const router = Router();
  const pages: Page[] = [
    { path: '/', file: 'index.html', rights: { frameAncestors: ["'self'", ...embedOrigins], telephone: true } },
    { path: '/admin{/*rest}', file: 'admin.html', rights: { frameAncestors: ["'none'"] } },
    ...(hasDemo ? [{ path: '/demo', file: 'demo.html', rights: { frameAncestors: ["'none'"], holdsTelephone: true } }] : []),
  ];
  for (const page of pages) {
    router.get(page.path, named(page.path.replace('{/*rest}', '')), sendPage(page, publicUrl, (file) => build()?.pages.get(file)));
  }
  router.use('/assets', named('/assets'), builtAssets(build));
  router.get('/icon.svg', named('/icon.svg'), (_request, response) => {
    response.sendFile('icon.svg', { root: folder, maxAge: '1 day' });
  });
  return router;
}

function sendPage({ file, rights }: Page, publicUrl: string | null, read: (file: string) => string | undefined): RequestHandler {
  return (request, response) => {
    const text = read(file);
    if (text === undefined) {
      response.status(503).type('text').send('The pages are not built: run "npm run build", then start the gateway again.\n');
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    response.removeHeader('X-Frame-Options');
    for (const [name, value] of Object.entries(pagePolicy(request, nonce, rights, publicUrl))) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    response.type('html').send(text.replaceAll(noncePlaceholder, nonce));
  };
}

/** Smallest first. */
const preferred = ['br', 'gzip'] as const;

/** Serves the files that pages load. Their names contain a digest, so browsers keep them for ever. */
function builtAssets(build: ReturnType<typeof keptBuild>): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const name = request.path.slice(1);
    const asset = build()?.assets.get(name);
    if (asset === undefined) return next();
    const encoding = preferred.find((known) => asset.bytes.has(known) && request.acceptsEncodings(known) === known) ?? 'identity';
    response.setHeader('Cache-Control', 'public,max-age=31536000,immutable');
    response.setHeader('ETag', `"${name}${encoding === 'identity' ? '' : `.${encoding}`}"`);
    response.vary('Accept-Encoding');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.type(asset.type).send(asset.bytes.get(encoding));
  };
}
