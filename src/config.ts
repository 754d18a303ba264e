import { isAbsolute, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { z } from 'zod';
import { variables, type logLevels } from './environment.ts';

/** What the environment says, parsed. The only reader of `process.env` is whoever calls `readConfig(process.env)`. */
export type Config = {
  /** `embedded`: neither DATABASE_URL nor REDIS_URL is set. */
  mode: 'embedded' | 'scaled';
  /** 0: any free port. */
  port: number;
  host: string;
  /** null: the embedded PostgreSQL on `dataDir`. */
  databaseUrl: string | null;
  /** null: agent sessions and Ready states live in memory. */
  redisUrl: string | null;
  /** An absolute path. */
  dataDir: string;
  /** Where callers reach the service, without a slash at the end. */
  publicUrl: string | null;
  /** Origins whose pages may call; `['*']`: every one. */
  corsOrigins: readonly string[];
  /** Origins of pages that may hold the softphone in an iframe. */
  embedOrigins: readonly string[];
  /** Embedded, and only this machine reaches it. */
  isLocal: boolean;
  /** As Express takes it. */
  trustProxy: false | number | readonly string[];
  /** At least 32 bytes. null, in embedded mode only: kept in a file in `dataDir`. */
  jwtSecret: Buffer | null;
  /** 32 bytes. null, in embedded mode only: kept in a file in `dataDir`. */
  encryptionKey: Buffer | null;
  platformToken: string | null;
  bootstrap: { company: string; adminEmail: string; adminPassword: string } | null;
  /** Where webhooks may go: public addresses; this machine too; everywhere. */
  webhookNetworks: 'public' | 'loopback' | 'any';
  /** In place of all addresses of CRM systems: provider id → URL without a slash at the end. */
  crmBaseUrls: ReadonlyMap<string, string>;
  /** The same of telephony platforms whose clouds the gateway asks: connector → URL. */
  ctiBaseUrls: ReadonlyMap<string, string>;
  /** For so long a gateway that ends still takes everything, until the balancer has noticed. */
  drainSeconds: number;
  /** For so many months clicks and agents' times are kept for reports. */
  keepReportsMonths: number;
  logLevel: (typeof logLevels)[number];
};

/** The environment is wrong; the message is one line that names the variable, and never holds its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`);
  }
}

/** Balancers look every second or two and want to see it twice. */
const usualDrainSeconds = 5;

type Variables = z.output<typeof variables>;

/**
 * Reads the configuration. An empty variable counts as unset. Throws ConfigError, for the first variable that does
 * not fit.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(String(issue?.path[0] ?? 'environment'), issue?.message ?? 'does not fit');
  }
  const values = parsed.data;
  const mode = values.DATABASE_URL === undefined && values.REDIS_URL === undefined ? 'embedded' : 'scaled';
  if (mode === 'scaled') {
    for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY'] as const) {
      if (values[name] === undefined) throw new ConfigError(name, 'is required when DATABASE_URL or REDIS_URL is set');
    }
  }
  return {
    mode,
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL ?? null,
    redisUrl: values.REDIS_URL ?? null,
    dataDir: isAbsolute(values.DATA_DIR) ? values.DATA_DIR : resolve(values.DATA_DIR),
    publicUrl: values.PUBLIC_URL ?? null,
    corsOrigins: values.CORS_ORIGINS,
    embedOrigins: values.EMBED_ORIGINS,
    isLocal: isLocal(values, mode),
    trustProxy: values.TRUST_PROXY,
    jwtSecret: values.JWT_SECRET === undefined ? null : Buffer.from(values.JWT_SECRET, 'utf8'),
    encryptionKey: values.ENCRYPTION_KEY ?? null,
    platformToken: values.PLATFORM_TOKEN ?? null,
    bootstrap: readBootstrap(values),
    webhookNetworks: readWebhookNetworks(values, mode),
    crmBaseUrls: values.CRM_BASE_URLS ?? new Map(),
    ctiBaseUrls: values.CTI_BASE_URLS ?? new Map(),
    drainSeconds: values.DRAIN_SECONDS ?? (values.REDIS_URL === undefined ? 0 : usualDrainSeconds),
    keepReportsMonths: values.KEEP_REPORTS_MONTHS,
    logLevel: values.LOG_LEVEL,
  };
}

function readBootstrap(values: Variables): Config['bootstrap'] {
  const names = ['BOOTSTRAP_COMPANY', 'BOOTSTRAP_ADMIN_EMAIL', 'BOOTSTRAP_ADMIN_PASSWORD'] as const;
  const [company, adminEmail, adminPassword] = names.map((name) => values[name]);
  if (company !== undefined && adminEmail !== undefined && adminPassword !== undefined) {
    return { company, adminEmail, adminPassword };
  }
  const missing = names.find((name) => values[name] === undefined);
  if (missing === undefined || names.every((name) => values[name] === undefined)) return null;
  throw new ConfigError(missing, 'is missing: the three BOOTSTRAP variables go together');
}

/** A gateway that only this machine can reach may also send to this machine: a laptop works without settings. */
function readWebhookNetworks(values: Variables, mode: Config['mode']): Config['webhookNetworks'] {
  switch (values.WEBHOOK_ALLOW_PRIVATE_NETWORKS) {
    case 'true':
      return 'any';
    case 'loopback':
      return 'loopback';
    case 'false':
      return 'public';
    case undefined:
      return isLocal(values, mode) ? 'loopback' : 'public';
  }
}

function isLocal(values: Variables, mode: Config['mode']): boolean {
  const behindProxy = values.PUBLIC_URL !== undefined || values.TRUST_PROXY !== false;
  return mode === 'embedded' && !behindProxy && isLoopback(values.HOST);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
