import { z } from 'zod';

const check = z.enum(['ok', 'down']);

export const healthAnswer = z
  .object({
    status: z
      .enum(['ok', 'unavailable', 'draining'])
      .meta({ description: '`draining`: about to end; send nothing more here' }),
    version: z.string(),
    mode: z.enum(['embedded', 'scaled']),
    checks: z.object({ database: check, presence: check, webhooks: check }),
  })
  .meta({ id: 'Health' });
export type HealthAnswer = z.infer<typeof healthAnswer>;

export const livenessAnswer = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' });

export const platformAnswer = z
  .object({
    name: z.literal('Readyline'),
    version: z.string(),
    interface_version: z.literal('2.0.0'),
    socket: z.object({
      path: z.string(),
      protocol: z.literal('socket.io'),
      version: z.int(),
      transports: z.array(z.string()),
    }),
    login: z.object({ endpoint: z.string(), identifiers: z.array(z.string()), company_slug: z.string() }),
    embed_origins: z
      .array(z.string())
      .meta({ description: 'Origins of pages that may hold the softphone in an iframe' }),
    demo: z.boolean().meta({ description: 'Whether the page /demo is there' }),
    documentation: z.string(),
    openapi: z.string(),
  })
  .meta({ id: 'Platform' });
export type PlatformAnswer = z.infer<typeof platformAnswer>;
