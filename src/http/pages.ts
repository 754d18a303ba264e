import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Router } from 'express';
// Not the package itself: that would load its whole page script into the gateway.
import swaggerUiPath from 'swagger-ui-dist/absolute-path.js';
import { openApiDocument } from './openapi/document.ts';
import type { PlatformFacts } from './platformFacts.ts';
import type { RequestMetrics } from './requestLog.ts';
import { named } from './requestRecord.ts';
import { routes } from './routes.ts';
import { staticDocument } from './staticDocument.ts';

const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** The addresses of what is served here. */
export const pagePatterns = ['/openapi.json', '/metrics', '/docs', '/docs/start.js', ...assets.map((asset) => `/docs/${asset}`)];

/** Asked for again at each use; whoever has it already gets 304. */
const revalidated = 'public, no-cache';
/** These change with the version of the package alone. */
const forADay = 'public, max-age=86400';

/** What is served beside the interface: the OpenAPI document, a page that shows it, and metrics. All open. */
export function pages(platform: PlatformFacts, metrics: RequestMetrics): Router {
  const router = Router();
  const document = () => JSON.stringify(openApiDocument(routes, platform));
  router.get('/openapi.json', named('/openapi.json'), staticDocument({ type: 'json', cacheControl: revalidated, read: document }));
  router.get('/metrics', named('/metrics'), async (_request, response) => {
    const { contentType, text } = await metrics.expose();
    response.setHeader('Content-Type', contentType);
    response.end(text);
  });
  router.get('/docs', named('/docs'), staticDocument({ type: 'html', cacheControl: revalidated, read: () => docsPage }));
  router.get('/docs/start.js', named('/docs'), staticDocument({ type: 'js', cacheControl: revalidated, read: () => docsScript }));
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
