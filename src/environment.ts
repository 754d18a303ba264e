import ipaddr from 'ipaddr.js';
import { z } from 'zod';

// What each environment variable may hold, and what it becomes; `config.ts` makes the configuration of them.

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const oneOf = <T extends string>(values: readonly [T, ...T[]]) => z.enum(values, `must be one of ${values.join(', ')}`);
const textOf = (check: (text: string) => boolean, problem: string) => z.string().refine(check, problem);
const urlOf = (protocols: readonly string[], problem: string) =>
  textOf((text) => protocols.includes(parseUrl(text)?.protocol ?? ''), problem);

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port number from 0 to 65535');

const publicUrl = textOf((text) => {
  const url = parseUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
}, 'must be an http or https URL without credentials, query and fragment').transform((text) =>
  text.replace(/\/+$/, ''),
);

const embedOrigins = z
  .string()
  .transform(splitList)
  .refine((origins) => origins.every(isOrigin), 'must be origins such as https://crm.example.com, separated by commas');

const corsOrigins = z
  .string()
  .transform(splitList)
  .refine(
    (origins) => origins.every(isOrigin) || (origins.length === 1 && origins[0] === '*'),
    'must be origins such as https://crm.example.com, separated by commas, or *',
  );

const trustProxy = z
  .string()
  .transform(readTrustProxy)
  .refine(
    (value) => value !== null,
    'must be false, the number of proxies in front (1 to 10), or their addresses, separated by commas',
  );

const encryptionKey = z
  .string()
  .transform(readKey)
  .refine(
    (key) => key !== null,
    'must be 32 bytes, as 64 hex digits or in base64 (make one with: openssl rand -base64 32)',
  );

const drainSeconds = z
  .string()
  .regex(/^\d{1,2}$/, 'must be a number of seconds from 0 to 60')
  .transform(Number)
  .refine((number) => number <= 60, 'must be a number of seconds from 0 to 60');

const keepReportsMonths = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a number of months from 2 to 120')
  .transform(Number)
  .refine((number) => number >= 2 && number <= 120, 'must be a number of months from 2 to 120');

const baseUrlsOf = (what: string, example: string) =>
  z
    .string()
    .transform(readBaseUrls)
    .refine(
      (urls) => urls !== null,
      `must be a JSON object of ${what} and http or https URLs, such as {"${example}":"https://proxy.example.com"}`,
    );

export const variables = z.object({
  PORT: port.default(3000),
  HOST: textOf((text) => /^[\w.:-]+$/.test(text), 'must be a host name or address').default('127.0.0.1'),
  DATABASE_URL: urlOf(['postgres:', 'postgresql:'], 'must be a postgres:// URL')
    .refine(
      namesNoOtherSchema,
      'must name no schema (schema, currentSchema, search_path): the tables are in the schema public; ' +
        'give the gateway a database of its own',
    )
    .optional(),
  // The forms that the Redis adapter connects to. Several hosts with ports are no URL to the standard's parser.
  REDIS_URL: textOf(
    (text) => /^rediss?(-sentinel|-cluster)?:\/\/\S+$/.test(text),
    'must be a redis://, redis-sentinel:// or redis-cluster:// URL (rediss: with TLS)',
  ).optional(),
  DATA_DIR: z.string().default('./data'),
  PUBLIC_URL: publicUrl.optional(),
  CORS_ORIGINS: corsOrigins.default([]),
  EMBED_ORIGINS: embedOrigins.default([]),
  TRUST_PROXY: trustProxy.default(false),
  JWT_SECRET: textOf((text) => Buffer.byteLength(text) >= 32, 'must have at least 32 bytes').optional(),
  ENCRYPTION_KEY: encryptionKey.optional(),
  PLATFORM_TOKEN: textOf(
    (text) => /^[\x21-\x7e]{24,}$/.test(text),
    'must have at least 24 characters, none of them blank',
  ).optional(),
  BOOTSTRAP_COMPANY: z.string().max(200, 'must have at most 200 characters').optional(),
  BOOTSTRAP_ADMIN_EMAIL: z.email('must be an email address').optional(),
  BOOTSTRAP_ADMIN_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(1024, 'must have at most 1024 characters')
    .optional(),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: oneOf(['true', 'false', 'loopback']).optional(),
  CRM_BASE_URLS: baseUrlsOf('CRM providers', 'hubspot').optional(),
  CTI_BASE_URLS: baseUrlsOf('connectors of telephony platforms', 'genesys').optional(),
  DRAIN_SECONDS: drainSeconds.optional(),
  KEEP_REPORTS_MONTHS: keepReportsMonths.default(13),
  LOG_LEVEL: oneOf(logLevels).default('info'),
});

/** `true` is refused: it would let every caller choose the address that log-in is throttled by. */
function readTrustProxy(text: string): false | number | readonly string[] | null {
  if (text === 'false') return false;
  if (/^\d+$/.test(text)) return Number(text) >= 1 && Number(text) <= 10 ? Number(text) : null;
  const names = ['loopback', 'linklocal', 'uniquelocal'];
  const addresses = splitList(text);
  const known = addresses.every(
    (address) => names.includes(address) || ipaddr.isValid(address) || ipaddr.isValidCIDR(address),
  );
  return known && addresses.length > 0 ? addresses : null;
}

function readKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === 32 ? key : null;
}

function readBaseUrls(text: string): ReadonlyMap<string, string> | null {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const urls = new Map<string, string>();
  for (const [provider, url] of Object.entries(given)) {
    const parsed = typeof url === 'string' ? parseUrl(url) : null;
    if (
      parsed === null ||
      !/^https?:$/.test(parsed.protocol) ||
      parsed.username !== '' ||
      parsed.search !== '' ||
      parsed.hash !== ''
    )
      return null;
    urls.set(provider, parsed.href.replace(/\/+$/, ''));
  }
  return urls;
}

function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/**
 * Several programs write a schema into the URL, each in its own way.
 * It would be left out of account, and the tables be elsewhere.
 */
function namesNoOtherSchema(text: string): boolean {
  const query = parseUrl(text)?.searchParams ?? new URLSearchParams();
  const named = [...query].flatMap(([name, value]) =>
    ['schema', 'currentschema', 'search_path'].includes(name.toLowerCase()) ? value : [],
  );
  const set = query
    .getAll('options')
    .flatMap((options) => [...options.matchAll(/search[_-]path\s*=\s*(\S*)/gi)].map(([, path]) => path ?? ''));
  return [...named, ...set].every((schema) => schema === '' || schema === 'public');
}

/** Null for white space too, which the parser drops without a word: another URL than the one given would be used. */
function parseUrl(text: string): URL | null {
  return !/[\s\p{Cc}\\]/u.test(text) && URL.canParse(text) ? new URL(text) : null;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
