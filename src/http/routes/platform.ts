import { healthAnswer, livenessAnswer, platformAnswer } from '../../contract/platform.ts';
import { socketPath, socketTransports } from '../../contract/socket.ts';
import { open } from '../../domain/access.ts';
import { checkHealth } from '../../usecases/health.ts';
import { interfaceVersion, reply, route } from '../route.ts';

export const platformRoutes = [
  route({
    method: 'get',
    path: '/api/health',
    id: 'readHealth',
    summary: 'Whether the service and what it stands on are well',
    tag: 'Platform',
    access: open,
    answers: { 200: healthAnswer, 503: healthAnswer },
    handler: async ({ services, platform }) => {
      const checks = await checkHealth(services);
      const { version, mode } = platform;
      if (platform.isDraining()) return reply(503, { status: 'draining', version, mode, checks });
      return Object.values(checks).every((check) => check === 'ok')
        ? reply(200, { status: 'ok', version, mode, checks })
        : reply(503, { status: 'unavailable', version, mode, checks });
    },
  }),
  route({
    method: 'get',
    path: '/api/health/live',
    id: 'readLiveness',
    summary: 'Whether the process answers; touches nothing else',
    tag: 'Platform',
    access: open,
    answers: { 200: livenessAnswer },
    handler: () => Promise.resolve(reply(200, { status: 'ok' as const })),
  }),
  route({
    method: 'get',
    path: '/api/public/platform',
    id: 'readPlatform',
    summary: 'What a client needs to know before it logs in',
    tag: 'Platform',
    access: open,
    answers: { 200: platformAnswer },
    handler: ({ platform }) => {
      const base = platform.publicUrl ?? '';
      return Promise.resolve(
        reply(200, {
          name: 'Readyline',
          version: platform.version,
          interface_version: interfaceVersion,
          socket: { path: socketPath, protocol: 'socket.io', version: 5, transports: [...socketTransports] },
          login: {
            endpoint: '/api/auth/login',
            identifiers: ['agent_code', 'email'],
            company_slug: 'needed where the credentials fit more than one company',
          },
          embed_origins: [...platform.embedOrigins],
          demo: platform.hasDemo,
          documentation: `${base}/docs`,
          openapi: `${base}/openapi.json`,
        }),
      );
    },
  }),
];
