// Not the package itself, which would load its whole page script into the gateway.
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import swaggerUiPath from 'swagger-ui-dist/absolute-path.js';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { openApiDocument } from './openapi/document.ts';
import { named, type RequestMetrics } from './requestLog.ts';
import type { PlatformFacts } from './route.ts';
import { routes } from './routes.ts';

const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** The addresses served here. */
export const pagePatterns = [
  '/openapi.json',
  '/metrics',
  '/docs',
  '/docs/start.js',
  ...assets.map((asset) => `/docs/${asset}`),
];

/** Revalidated at each use, with 304 when unchanged. */
const revalidated = 'public, no-cache';
/** These change only with the version of the package. */
const forADay = 'public, max-age=86400';

/** What is served beside the interface: the OpenAPI document, a page that shows it, and metrics. All open. */
export function pages(platform: PlatformFacts, metrics: RequestMetrics): Router {
  const router = Router();
  const document = () => JSON.stringify(openApiDocument(routes, platform));
  router.get(
    '/openapi.json',
    named('/openapi.json'),
    staticDocument({ type: 'json', cacheControl: revalidated, read: document }),
  );
  router.get('/metrics', named('/metrics'), async (_request, response) => {
    const { contentType, text } = await metrics.expose();
    response.setHeader('Content-Type', contentType);
    response.end(text);
  });
  router.get(
    '/docs',
    named('/docs'),
    staticDocument({ type: 'html', cacheControl: revalidated, read: () => docsPage }),
  );
  router.get(
    '/docs/start.js',
    named('/docs'),
    staticDocument({ type: 'js', cacheControl: revalidated, read: () => docsScript }),
  );
  for (const asset of assets) {
    const read = () => readFileSync(join(swaggerUiPath(), asset));
    router.get(`/docs/${asset}`, named('/docs'), staticDocument({ type: extname(asset), cacheControl: forADay, read }));
  }
  return router;
}

const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Readyline interface</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"><p>The interface is described in <a href="/openapi.json">/openapi.json</a>.</p></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** A file of its own, because the content security policy lets no inline script run. */
const docsScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** Smallest first. */
const preferred = ['br', 'gzip'] as const;
const compressors = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};

/** Below this size compression saves no packet. */
const worthwhileBytes = 1_400;

/** `read` gives the content and is called once; `type` is an extension, e.g. `.js`. */
type Document = { type: string; cacheControl: string; read: () => string | Buffer };

/**
 * Serves a document that does not change while the gateway runs, with an ETag and compressed once. All downloads share
 * the same bytes, however slowly they are read. It contains nothing secret and nothing of the request, so that its
 * compressed length tells nothing (BREACH).
 */
function staticDocument({ type, cacheControl, read }: Document): RequestHandler {
  const kept = new Map<string, Promise<{ bytes: Buffer; tag: string }>>();
  let plain: Buffer | null = null;

  async function make(encoding: keyof typeof compressors | 'identity'): Promise<{ bytes: Buffer; tag: string }> {
    plain ??= Buffer.from(read());
    const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
    return encoding === 'identity'
      ? { bytes: plain, tag: `"${digest}"` }
      : { bytes: await compressors[encoding](plain), tag: `"${digest}.${encoding}"` };
  }

  return async (request, response) => {
    plain ??= Buffer.from(read());
    const accepted = preferred.find((known) => request.acceptsEncodings(known) === known) ?? 'identity';
    const encoding = plain.length < worthwhileBytes ? 'identity' : accepted;
    const making = kept.get(encoding) ?? make(encoding);
    kept.set(encoding, making);
    const { bytes, tag } = await making;
    response.setHeader('Cache-Control', cacheControl);
    response.setHeader('ETag', tag);
    response.vary('Accept-Encoding');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.type(type).send(bytes);
  };
}
