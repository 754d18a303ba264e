import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Request, type RequestHandler, Router } from 'express';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { named } from './requestLog.ts';
import { isUuid, toId, type CompanyId } from '../domain/ids.ts';
import type { Services } from '../usecases/services.ts';
import type { PlatformFacts } from './route.ts';

/** Where the build puts the pages; the same from `src/http` and from `dist/http`. */
const builtPages = fileURLToPath(new URL('../../web/dist/', import.meta.url));
/** Placeholder in the built pages for the nonce of an answer. */
const noncePlaceholder = '__CSP_NONCE__';

/** The addresses of the pages and their files. */
export const webPagePatterns = [
  '/',
  '/admin{/*rest}',
  '/crm',
  '/pop',
  '/assets/*file',
  '/icon.svg',
  '/app.webmanifest',
  '/sw.js',
  '/offline.html',
  '/offline.css',
  '/offline.js',
];

type Facts = Pick<PlatformFacts, 'publicUrl' | 'embedOrigins' | 'hasDemo'>;

type Page = { path: string; file: string; rights: PageRights };

/** The pages for people: softphone, console and demo. Their scripts and styles are own files; nothing inline runs. */
export function webPages(
  { publicUrl, embedOrigins, hasDemo }: Facts,
  services: Pick<Services, 'companyOf'>,
  folder = builtPages,
): Router {
  const build = keptBuild(folder);
  const router = Router();
  const pages: Page[] = [
    { path: '/', file: 'index.html', rights: { frameAncestors: ["'self'", ...embedOrigins], telephone: true } },
    {
      path: '/admin{/*rest}',
      file: 'admin.html',
      rights: { frameAncestors: ["'none'"], listens: true, playsRecordings: true },
    },
    { path: '/crm', file: 'index.html', rights: { frameAncestors: ["'none'"] } },
    ...(hasDemo
      ? [{ path: '/demo', file: 'demo.html', rights: { frameAncestors: ["'none'"], holdsTelephone: true } }]
      : []),
  ];
  for (const page of pages) {
    router.get(
      page.path,
      named(page.path.replace('{/*rest}', '')),
      sendPage(page, publicUrl, (file) => build()?.pages.get(file)),
    );
  }
  router.get('/pop', named('/pop'), (request, response, next) => {
    if (Object.keys(request.query).some((name) => keyNames.has(name.toLowerCase()))) {
      response
        .status(400)
        .type('text')
        .send(
          'A key or token must not be in an address, where it is stored and logged.\n' +
            'Sign in on this page, or open a link made by POST /api/integrations/cti/pop-links.\n',
        );
      return;
    }
    popFrames(services, request.query['company']).then((origins) => {
      const page = { path: '/pop', file: 'pop.html', rights: { frameAncestors: ["'self'", ...origins] } };
      sendPage(page, publicUrl, (file) => build()?.pages.get(file))(request, response, next);
    }, next);
  });
  router.use('/assets', named('/assets'), builtAssets(build));
  router.get('/icon.svg', named('/icon.svg'), (_request, response) => {
    response.sendFile('icon.svg', { root: folder, maxAge: '1 day' });
  });
  const offline: Page = {
    path: '/offline.html',
    file: 'offline.html',
    rights: { frameAncestors: ["'self'", ...embedOrigins] },
  };
  router.get(
    offline.path,
    named('/offline'),
    sendPage(offline, publicUrl, (file) => build()?.pages.get(file)),
  );
  for (const file of ['app.webmanifest', 'sw.js', 'offline.css', 'offline.js']) {
    router.get(`/${file}`, named('/offline'), (_request, response) => {
      // A worker that keeps to its own policy may ask for the page, and nobody else for anything.
      response.setHeader('Content-Security-Policy', "default-src 'none'; connect-src 'self'");
      response.sendFile(file, { root: folder, headers: { 'Cache-Control': 'no-cache' } });
    });
  }
  return router;
}

/** As which keys are put into addresses by mistake. */
const keyNames = new Set([
  'api_key',
  'apikey',
  'api-key',
  'key',
  'token',
  'access_token',
  'x-service-api-key',
  'x-api-key',
]);

/** Whose pages may hold the pop page: as the company says whose id is in the address. */
async function popFrames({ companyOf }: Pick<Services, 'companyOf'>, company: unknown): Promise<readonly string[]> {
  if (typeof company !== 'string' || !isUuid(company)) return [];
  // There may be no such company.
  return companyOf(toId<CompanyId>(company)).then(
    ({ popFrameAncestors }) => popFrameAncestors,
    () => [],
  );
}

function sendPage(
  { file, rights }: Page,
  publicUrl: string | null,
  read: (file: string) => string | undefined,
): RequestHandler {
  return (request, response) => {
    const text = read(file);
    if (text === undefined) {
      response
        .status(503)
        .type('text')
        .send('The pages are not built: run "npm run build", then start the gateway again.\n');
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    response.removeHeader('X-Frame-Options');
    for (const [name, value] of Object.entries(pagePolicy(request, nonce, rights, publicUrl)))
      response.setHeader(name, value);
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
    const encoding =
      preferred.find((known) => asset.bytes.has(known) && request.acceptsEncodings(known) === known) ?? 'identity';
    response.setHeader('Cache-Control', 'public,max-age=31536000,immutable');
    response.setHeader('ETag', `"${name}${encoding === 'identity' ? '' : `.${encoding}`}"`);
    response.vary('Accept-Encoding');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.type(asset.type).send(asset.bytes.get(encoding));
  };
}

type Encoding = 'br' | 'gzip' | 'identity';
/** A file that pages load. `type` is its extension, e.g. `.js`. */
type Asset = { type: string; bytes: ReadonlyMap<Encoding, Buffer> };
/** `pages`: HTML texts by file name; `assets`: what they load, by name below `/assets/`. */
type PageBuild = { pages: ReadonlyMap<string, string>; assets: ReadonlyMap<string, Asset> };

const compressed: Readonly<Record<string, Encoding>> = { '.br': 'br', '.gz': 'gzip' };

/**
 * Serves the pages and their files from memory, all from one build, even when a newer build replaces the files on disk.
 * Read on first use; null while there is no complete build, and then tried again.
 * @param folder where the build puts the pages, with `assets/` in it, each file beside its `.br` and `.gz`
 */
function keptBuild(folder: string): () => PageBuild | null {
  let kept: PageBuild | null = null;
  return () => (kept ??= readBuild(folder));
}

function readBuild(folder: string): PageBuild | null {
  try {
    const files = readdirSync(folder).filter((file) => extname(file) === '.html');
    const pages = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
    const assets = readAssets(join(folder, 'assets'));
    // File names contain a digest: a page that names other files is of an earlier build.
    const isWhole = pages.size > 0 && [...pages.values()].flatMap(filesOf).every((name) => assets.has(name));
    return isWhole ? { pages, assets } : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function filesOf(page: string): string[] {
  return [...page.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(([, name]) => name ?? '');
}

function readAssets(folder: string): Map<string, Asset> {
  const assets = new Map<string, { type: string; bytes: Map<Encoding, Buffer> }>();
  for (const file of readdirSync(folder)) {
    const encoding = compressed[extname(file)] ?? 'identity';
    const name = encoding === 'identity' ? file : file.slice(0, -extname(file).length);
    const asset = assets.get(name) ?? { type: extname(name), bytes: new Map<Encoding, Buffer>() };
    asset.bytes.set(encoding, readFileSync(join(folder, file)));
    assets.set(name, asset);
  }
  return assets;
}

/**
 * What a page may do beside loading its own files. `telephone`: it is the softphone; `holdsTelephone`: it embeds the
 * softphone, which has its own policy but may not use more than the page around it; `listens`: supervisors hear calls
 * there, and speak in them.
 */
type PageRights = {
  frameAncestors: readonly string[];
  telephone?: boolean;
  holdsTelephone?: boolean;
  listens?: boolean;
  playsRecordings?: boolean;
};

/** The security headers of a page. @param nonce of this answer; @param publicUrl as configured */
function pagePolicy(
  request: Request,
  nonce: string,
  rights: PageRights,
  publicUrl: string | null,
): Record<string, string> {
  const { frameAncestors, telephone = false, holdsTelephone = false, listens = false } = rights;
  const voice = telephone || holdsTelephone || listens ? 'self' : '';
  return {
    'Content-Security-Policy': contentPolicy(request, nonce, rights, publicUrl),
    'Permissions-Policy': `microphone=(${voice}), autoplay=(${voice})`,
    // For browsers without frame-ancestors. It cannot name origins, so embeddable pages go without.
    ...(frameAncestors.includes("'none'") ? { 'X-Frame-Options': 'DENY' } : {}),
  };
}

/** Own files only. The PBX's address is the company's own and unknown before the agent logs in. */
function contentPolicy(request: Request, nonce: string, rights: PageRights, publicUrl: string | null): string {
  const { frameAncestors, telephone = false, holdsTelephone = false, playsRecordings = false } = rights;
  const host = request.headers.host;
  // In some browsers `self` does not include WebSockets of the same host.
  const ownSockets = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? [`ws://${host}`, `wss://${host}`] : [];
  // For a PBX or SIP proxy on the agent's own machine.
  const sockets = ['wss:', 'ws://127.0.0.1:*', 'ws://localhost:*'];
  // The same hosts over HTTP: when the PBX cannot be reached, the page checks whether anything answers there.
  const telephones = [...sockets, 'https:', 'http://127.0.0.1:*', 'http://localhost:*'];
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
      ...(telephone ? telephones : []),
    ],
    ...(telephone
      ? { 'manifest-src': ["'self'"], 'media-src': ["'self'", 'blob:'], 'frame-src': ["'self'", 'tel:', 'sip:'] }
      : {}),
    ...(holdsTelephone ? { 'frame-src': ["'self'"] } : {}),
    // Wherever the PBX keeps them.
    ...(playsRecordings ? { 'media-src': ['https:', 'http://127.0.0.1:*', 'http://localhost:*'] } : {}),
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': frameAncestors,
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
}
