import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';

const secrets = { JWT_SECRET: 's'.repeat(32), ENCRYPTION_KEY: 'ab'.repeat(32) };

function errorOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the configuration was taken');
}

describe('the configuration', () => {
  it('is embedded on the loopback with nothing set', () => {
    expect(readConfig({})).toEqual({
      mode: 'embedded',
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      redisUrl: null,
      dataDir: `${process.cwd()}/data`,
      publicUrl: null,
      corsOrigins: [],
      embedOrigins: [],
      isLocal: true,
      trustProxy: false,
      jwtSecret: null,
      encryptionKey: null,
      platformToken: null,
      bootstrap: null,
      webhookNetworks: 'loopback',
      crmBaseUrls: new Map(),
      ctiBaseUrls: new Map(),
      drainSeconds: 0,
      keepReportsMonths: 13,
      logLevel: 'info',
    });
  });

  it('takes an empty variable as unset, and ignores what it does not know', () => {
    expect(readConfig({ PORT: '', LOG_LEVEL: ' ', DATABASE_URL: '', PATH: '/bin' })).toEqual(readConfig({}));
  });

  it.each([
    { DATABASE_URL: 'postgres://u:p@db/readyline' },
    { DATABASE_URL: 'postgresql://db' },
    { DATABASE_URL: 'postgresql://db/x?schema=public&connection_limit=5&options=-c%20search_path%3Dpublic' },
    { REDIS_URL: 'rediss://:p@redis:6379/0' },
    { REDIS_URL: 'redis-sentinel://u:p@a:26379,b:26379/primary' },
    { REDIS_URL: 'rediss-cluster://a:6379,b:6379' },
  ])('is scaled with %o, and then needs both secrets', (env) => {
    expect(readConfig({ ...env, ...secrets })).toMatchObject({ mode: 'scaled', webhookNetworks: 'public' });
    expect(errorOf({ ...env, ENCRYPTION_KEY: secrets.ENCRYPTION_KEY })).toMatch(/^JWT_SECRET is required/);
    expect(errorOf({ ...env, JWT_SECRET: secrets.JWT_SECRET })).toMatch(/^ENCRYPTION_KEY is required/);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PORT', 'http'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://u:hush@db'],
    ['DATABASE_URL', 'db.example.com'],
    ['REDIS_URL', 'http://:hush@redis'],
    ['REDIS_URL', 'redis://a b'],
    ['PUBLIC_URL', 'cti.example.com'],
    ['PUBLIC_URL', 'ftp://cti.example.com'],
    ['PUBLIC_URL', 'https://u:hush@cti.example.com'],
    ['PUBLIC_URL', 'https://cti.example.com/?a=1'],
    ['PUBLIC_URL', 'https://cti.example.com\n/x'],
    ['PUBLIC_URL', ' https://cti.example.com'],
    ['DATABASE_URL', 'postgres://db/ready\nline'],
    ['DATABASE_URL', 'postgres://u:hush@db/x?sslmode=require&schema=readyline'],
    ['DATABASE_URL', 'postgres://u:hush@db/x?currentSchema=readyline,public'],
    ['DATABASE_URL', 'postgres://u:hush@db/x?search_path=readyline'],
    ['DATABASE_URL', 'postgres://u:hush@db/x?options=-c%20work_mem%3D8MB%20-csearch_path%3Dreadyline'],
    ['DATABASE_URL', 'postgres://u:hush@db/x?options=--search-path%3Dreadyline'],
    ['REDIS_URL', 'redis://redis\t:6379'],
    ['EMBED_ORIGINS', 'https://crm.exa\nmple.com'],
    ['CORS_ORIGINS', 'https://shop.exam\tple.org'],
    ['CORS_ORIGINS', 'shop.example.org'],
    ['CORS_ORIGINS', 'https://shop.example.org/'],
    ['CORS_ORIGINS', 'https://shop.example.org,*'],
    ['EMBED_ORIGINS', 'crm.example.com'],
    ['EMBED_ORIGINS', 'https://crm.example.com/'],
    ['EMBED_ORIGINS', '*'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['JWT_SECRET', 'short'],
    ['ENCRYPTION_KEY', 'z'.repeat(64)],
    ['ENCRYPTION_KEY', 'ab'.repeat(31)],
    ['ENCRYPTION_KEY', 'a passphrase of more than 32 characters'],
    ['PLATFORM_TOKEN', 'short'],
    ['PLATFORM_TOKEN', 'with a blank in it, long enough'],
    ['BOOTSTRAP_ADMIN_EMAIL', 'nobody'],
    ['BOOTSTRAP_ADMIN_PASSWORD', 'short'],
    ['WEBHOOK_ALLOW_PRIVATE_NETWORKS', 'yes'],
    ['DRAIN_SECONDS', '61'],
    ['DRAIN_SECONDS', '-5'],
    ['DRAIN_SECONDS', '2.5'],
    ['KEEP_REPORTS_MONTHS', '1'],
    ['KEEP_REPORTS_MONTHS', '121'],
    ['KEEP_REPORTS_MONTHS', 'a year'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s in one line that names it and does not repeat it', (name, value) => {
    const message = errorOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} (must|may) `));
    expect(message).not.toContain('\n');
    expect(message.replace(/^\w+ /, '').split(' ').includes(value)).toBe(false);
    expect(message).not.toContain('hush');
  });

  it('takes an encryption key of 32 bytes in hex, base64 and base64url', () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, n) => 255 - n));
    for (const text of [
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      bytes.toString('base64'),
      bytes.toString('base64url'),
    ]) {
      expect(readConfig({ ENCRYPTION_KEY: text }).encryptionKey).toEqual(bytes);
    }
  });

  it('counts the bytes of the token secret, not its letters', () => {
    expect(readConfig({ JWT_SECRET: 'ü'.repeat(16) }).jwtSecret).toHaveLength(32);
    expect(errorOf({ JWT_SECRET: 'u'.repeat(31) })).toMatch(/^JWT_SECRET/);
  });

  it('reads the rest', () => {
    expect(
      readConfig({
        PORT: '0',
        HOST: '::1',
        DATA_DIR: '/var/lib/readyline',
        PUBLIC_URL: 'https://cti.example.com/base/',
        CORS_ORIGINS: 'https://a.example.com, http://localhost:5173',
        EMBED_ORIGINS: 'https://crm.example.com, https://desk.example.com:8443',
        TRUST_PROXY: 'loopback, 10.0.0.0/8',
        PLATFORM_TOKEN: 'x'.repeat(24),
        LOG_LEVEL: 'warn',
      }),
    ).toMatchObject({
      port: 0,
      host: '::1',
      dataDir: '/var/lib/readyline',
      publicUrl: 'https://cti.example.com/base',
      corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
      embedOrigins: ['https://crm.example.com', 'https://desk.example.com:8443'],
      trustProxy: ['loopback', '10.0.0.0/8'],
      platformToken: 'x'.repeat(24),
      logLevel: 'warn',
    });
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(readConfig({ TRUST_PROXY: 'false' }).trustProxy).toBe(false);
    expect(readConfig({ CORS_ORIGINS: '*' }).corsOrigins).toEqual(['*']);
  });

  it('is this machine’s alone only while nothing says that others reach it', () => {
    expect(readConfig({ HOST: 'localhost' }).isLocal).toBe(true);
    expect(readConfig({ HOST: '0.0.0.0' }).isLocal).toBe(false);
    expect(readConfig({ PUBLIC_URL: 'https://cti.example.com' }).isLocal).toBe(false);
    expect(readConfig({ TRUST_PROXY: '1' }).isLocal).toBe(false);
    expect(readConfig({ REDIS_URL: 'redis://redis', ...secrets }).isLocal).toBe(false);
  });

  it('wants the three bootstrap variables together', () => {
    const env = {
      BOOTSTRAP_COMPANY: 'Acme',
      BOOTSTRAP_ADMIN_EMAIL: 'a@acme.example',
      BOOTSTRAP_ADMIN_PASSWORD: 'long enough',
    };
    expect(readConfig(env).bootstrap).toEqual({
      company: 'Acme',
      adminEmail: 'a@acme.example',
      adminPassword: 'long enough',
    });
    for (const name of Object.keys(env)) {
      expect(errorOf(Object.fromEntries(Object.entries(env).filter(([other]) => other !== name)))).toMatch(
        new RegExp(`^${name} is missing`),
      );
    }
  });

  it('gives balancers time to notice an end only where there may be other gateways', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://db/x', ...secrets }).drainSeconds).toBe(0);
    expect(readConfig({ REDIS_URL: 'redis://redis', ...secrets }).drainSeconds).toBe(5);
    expect(readConfig({ REDIS_URL: 'redis://redis', DRAIN_SECONDS: '0', ...secrets }).drainSeconds).toBe(0);
    expect(readConfig({ DRAIN_SECONDS: '60' }).drainSeconds).toBe(60);
  });

  it('lets webhooks reach this machine only where nobody else reaches the gateway', () => {
    expect(readConfig({ HOST: 'localhost' }).webhookNetworks).toBe('loopback');
    expect(readConfig({ HOST: '0.0.0.0' }).webhookNetworks).toBe('public');
    expect(readConfig({ PUBLIC_URL: 'https://cti.example.com' }).webhookNetworks).toBe('public');
    expect(readConfig({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'false' }).webhookNetworks).toBe('public');
    expect(readConfig({ HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'loopback' }).webhookNetworks).toBe(
      'loopback',
    );
    expect(readConfig({ HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' }).webhookNetworks).toBe('any');
  });
});
