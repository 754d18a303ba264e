import http from 'node:http';
import cors from 'cors';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { RequestHandler } from 'express';
import { handleClientErrors } from './clientErrorHandler.ts';
import { answerThrown, answerUnknownRoute, answerWrongMethods } from './errorHandlers.ts';
import { dropRest } from './dropRest.ts';
import { refuseForeignHosts } from './hosts.ts';
import { pagePatterns, pages } from './pages.ts';
import { recordRequests, type RequestLogger, type RequestMetrics } from './requestLog.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { type ServeOptions, serveRoute } from './serveRoute.ts';
import { webPagePatterns, webPages } from './webPages.ts';

export type HttpServerOptions = ServeOptions & {
  /** Origins whose pages may call; `*` for all. Empty: only this gateway's own pages. */
  corsOrigins: readonly string[];
  /** As Express takes it: false, a number of hops, or addresses. */
  trustProxy: false | number | readonly string[];
  /** Handler of the demo; null where there is none, as in production. */
  demo: express.RequestHandler | null;
  /** How long a request may stall, in milliseconds; 65 s by default. */
  stalledAfterMs?: number;
  logger: RequestLogger;
  metrics: RequestMetrics;
};

/**
 * The HTTP server with the REST interface, not yet listening. Socket.IO attaches to it;
 * then the upgrade handler goes before both.
 */
export function createHttpServer(options: HttpServerOptions): http.Server {
  const app = createRestApp(options);
  const server = http.createServer(
    {
      IncomingMessage: withPrototype(http.IncomingMessage, app.request),
      ServerResponse: withPrototype(http.ServerResponse, app.response),
      // The upgrade handler checks `Host` and answers with the usual problem body.
      requireHostHeader: false,
    },
    app,
  );
  // Longer than load balancers keep idle connections (at most 60 s), so that they never use one that just closed.
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 66_000;
  // Ends requests whose client neither sends nor reads; event streams and softphones send keep-alives.
  server.timeout = options.stalledAfterMs ?? 65_000;
  handleClientErrors(server);
  return server;
}

function createRestApp(options: HttpServerOptions): Express {
  const { corsOrigins, trustProxy, platform } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', typeof trustProxy === 'object' ? [...trustProxy] : trustProxy);

  app.use((request, response, next) => {
    response.once('prefinish', () => dropRest(request));
    // Clients with open connections go to another gateway with their next request.
    if (platform.isDraining()) response.setHeader('Connection', 'close');
    next();
  });
  app.use(recordRequests(options.logger, options.metrics));
  if (trustProxy === false) app.use(warnOfUnnamedProxy(options.logger));
  if (platform.isLocal) app.use(refuseForeignHosts);
  app.use(securityHeaders(platform.publicUrl));
  // Preflights are answered like any OPTIONS.
  const preflightContinue = true;
  if (corsOrigins.length > 0)
    app.use(cors({ origin: corsOrigins.includes('*') ? '*' : [...corsOrigins], exposedHeaders, preflightContinue }));
  const wrongMethods = answerWrongMethods(addresses(options.platformToken !== null));
  // Before the page routers, which would answer OPTIONS themselves.
  app.use((request, response, next) => (request.method === 'OPTIONS' ? wrongMethods(request, response, next) : next()));
  for (const route of routes) {
    app[route.method](patternsOf(route), serveRoute(route, options));
  }
  app.use(pages(platform, options.metrics));
  app.use(webPages(platform, options.services));
  if (options.demo !== null) app.use(options.demo);
  app.use(wrongMethods);
  app.use(answerUnknownRoute);
  app.use(answerThrown);
  return app;
}

/** All addresses with their methods. @param hasPlatform whether the operator's routes exist */
function addresses(hasPlatform: boolean) {
  const own = routes.filter((route) => hasPlatform || route.access.kind !== 'platform');
  return [
    ...own.flatMap((route) => patternsOf(route).map((pattern) => ({ pattern, methods: [route.method.toUpperCase()] }))),
    ...[...pagePatterns, ...webPagePatterns].map((pattern) => ({ pattern, methods: ['GET'] })),
  ];
}

/** `/api/agents/{id}` → `/api/agents/:id`. */
function patternsOf({ path, formerPath }: Route): string[] {
  return [path, ...(formerPath === undefined ? [] : [formerPath])].map((one) => one.replace(/\{(\w+)\}/g, ':$1'));
}

const exposedHeaders = [
  'Allow',
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replay',
];

/** Own assets only, nothing inline: enough for /docs, and harmless for JSON. */
function securityHeaders(publicUrl: string | null): express.RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...(publicUrl === null ? [] : [new URL(publicUrl).origin])],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: publicUrl?.startsWith('https:') === true,
    // Only for old browsers, or already in the policy; every header costs time.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

type MessageConstructor = typeof http.IncomingMessage | typeof http.ServerResponse;

/**
 * Makes Node build its messages with Express's prototype from the start. Express would otherwise change the
 * prototype of every request and response, which halves the throughput on Node 20 and 22.
 */
function withPrototype<C extends MessageConstructor>(base: C, prototype: object): C {
  // Called as a plain function: Reflect.construct would be slower than no trick at all.
  const build = base as unknown as (this: object, ...parts: unknown[]) => void;
  function Message(this: object, ...parts: unknown[]): void {
    build.apply(this, parts);
  }
  Message.prototype = prototype;
  return Message as unknown as C;
}

/**
 * Warns once about a proxy that TRUST_PROXY does not name: all callers then share the proxy's address, and one caller's
 * failed log-ins count against everybody.
 */
function warnOfUnnamedProxy(logger: RequestLogger): RequestHandler {
  let warned = false;
  return (request, _response, next) => {
    if (!warned && request.headers['x-forwarded-for'] !== undefined) {
      warned = true;
      logger.warn('requests come through a proxy, but TRUST_PROXY is not set: all callers count as one address');
    }
    next();
  };
}
