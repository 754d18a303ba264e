import net from 'node:net';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/contract/jsonText.ts';
import { pushed } from '../../src/domain/screenPop.ts';
import { problem } from '../../src/contract/problem.ts';
import { refuse } from '../../src/domain/outcome.ts';
import { InvalidTextError } from '../../src/ports/storeErrors.ts';
import { createManualClock } from '../support/time/manualClock.ts';
import { as, asKey, authenticate, screenPopServices, serve, withServices } from './serve.ts';
import { eventually } from '../support/time/waiting.ts';

const lookup = '/api/integrations/lookup?phone=%2B15551230001';

/** A server whose look-ups fail with this error. */
const broken = (error: Error) => {
  const services = screenPopServices();
  return serve({
    services: withServices({
      companyOf: services.companyOf,
      screenPops: { ...services.screenPops, find: () => Promise.reject(error) },
    }),
  });
};

describe('an answer', () => {
  const phone = '+15551230001';
  const known = (data: Record<string, unknown>) => {
    const entry = { phone, data: JsonText.of(data), externalSystem: null, externalId: null, tier: null, ...pushed };
    return serve({ services: screenPopServices(new Map([[phone, entry]])) });
  };
  const bytes = (text: string | undefined) => Number(text);

  it('that is large is compressed for whoever takes that, and says so to caches', async () => {
    const notes = 'the same again, '.repeat(2_000);
    const { url } = await known({ notes });
    const [compressed, plain] = await Promise.all(
      ['gzip, br', 'identity'].map((accepted) =>
        request(url).get(lookup).set(asKey).set('accept-encoding', accepted).expect(200),
      ),
    );
    expect(compressed?.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(plain?.headers).toMatchObject({ vary: expect.stringContaining('Accept-Encoding') });
    expect(plain?.headers['content-encoding']).toBeUndefined();
    expect(compressed?.body).toEqual(plain?.body);
    expect(compressed?.body.screen_pop.crm.notes).toBe(notes);
    expect(bytes(compressed?.headers['content-length']) * 10).toBeLessThan(bytes(plain?.headers['content-length']));
  });

  it('that is small is not', async () => {
    const { url } = await known({ notes: 'short' });
    const { headers } = await request(url).get(lookup).set(asKey).set('accept-encoding', 'gzip').expect(200);
    expect(headers['content-encoding']).toBeUndefined();
  });
});

describe('problems', () => {
  it('fit their schema and carry the request id', async () => {
    const { url } = await serve();
    for (const path of ['/nothing', lookup, '/api/calls/7', '/api/integrations/lookup']) {
      const answer = await request(url).get(path).set(as('agent'));
      expect(answer.type).toBe('application/problem+json');
      expect(problem.parse(answer.body)).toMatchObject({
        status: answer.status,
        request_id: answer.headers['x-request-id'],
      });
    }
  });

  it('tell nothing of what was thrown, and the log tells it all but phone numbers', async () => {
    const { url, lines } = await broken(new Error('column "x" broke for +15551230001'));
    const answer = await request(url).get(lookup).set(asKey);
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: 'internal_error' });
    expect(answer.text).not.toContain('column');
    const [line] = lines;
    expect(line).toMatchObject({
      level: 50,
      status: 500,
      code: 'internal_error',
      request_id: answer.headers['x-request-id'],
    });
    expect(line?.['err']).toMatchObject({ message: 'column "x" broke for +15…01' });
    expect(JSON.stringify(line)).toContain('answers.test.ts');
    expect(JSON.stringify(lines)).not.toContain('15551230001');
  });

  it('say 503 with Retry-After when the database or Redis is away', async () => {
    const { url } = await broken(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    const answer = await request(url).get(lookup).set(asKey);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ code: 'dependency_unavailable' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('say 503 also when credentials cannot be checked', async () => {
    const away = () => Promise.reject(Object.assign(new Error('shutting down'), { code: '57P01' }));
    const { url } = await serve({ authenticate: { byToken: away, byKey: away } });
    expect((await request(url).get(lookup).set(asKey)).body).toMatchObject({ code: 'dependency_unavailable' });
  });

  it('carry an agent’s state, and Retry-After in whole seconds', async () => {
    const since = new Date('2026-11-01T10:00:00.000Z');
    const busy = refuse('agent_not_ready', 'That agent is on_call.', {
      retryAfterSeconds: 1.2,
      agentState: { state: 'on_call', reason: null, since },
    });
    const { url } = await serve({ authenticate: { ...authenticate, byKey: async () => busy } });
    const answer = await request(url).get(lookup).set(asKey);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('2');
    expect(answer.body).toMatchObject({ agent_state: { state: 'on_call', reason: null, since: since.toISOString() } });
  });

  it('carry RateLimit headers when somebody asks too often', async () => {
    const limited = refuse('rate_limited', 'Too many tries.', { retryAfterSeconds: 12, limit: 10 });
    const { url } = await serve({ authenticate: { ...authenticate, byKey: async () => limited } });
    const answer = await request(url).get(lookup).set(asKey);
    expect(answer.status).toBe(429);
    expect(answer.headers).toMatchObject({
      'retry-after': '12',
      'ratelimit-limit': '10',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '12',
    });
  });
});

it('answers text that no store can keep, and that an edge let through, as invalid_request', async () => {
  const { url } = await broken(new InvalidTextError('metadata', 'a text in it holds U+0000'));
  const answer = await request(url).get(lookup).set(asKey);
  expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request' });
});

describe('request ids', () => {
  it('are taken over when they are sane', async () => {
    const { url, lines } = await serve();
    const answer = await request(url).get('/nothing').set('X-Request-Id', 'crm-42.a:b_c');
    expect(answer.headers['x-request-id']).toBe('crm-42.a:b_c');
    expect(lines).toMatchObject([{ request_id: 'crm-42.a:b_c' }]);
  });

  it.each(['two words', 'x'.repeat(129), '{"a":1}', 'ümlaut'])('are made anew instead of "%s"', async (id) => {
    const { url } = await serve();
    const answer = await request(url).get('/nothing').set('X-Request-Id', Buffer.from(id).toString('latin1'));
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the request log', () => {
  it('is one line per request with who, what and how it ended', async () => {
    const { url, lines } = await serve();
    await request(url).get(lookup).set(as('supervisor'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      method: 'GET',
      route: '/api/integrations/lookup',
      status: 404,
      principal: 'supervisor',
      company_id: '0190a000-0000-7000-8000-000000000001',
      code: 'unknown_phone',
    });
  });

  it('holds no phone number, credential, query or body', async () => {
    const { url, lines } = await serve();
    await request(url)
      .get(lookup)
      .set({ ...asKey, ...as('agent') });
    await request(url).get('/api/calls/+15551230001?token=secret').set(as('agent'));
    await request(url).get('/+15551230001');
    await request(url)
      .post('/api/integrations/inbound')
      .set(asKey)
      .send({ phone_number: '+15551230001', data: { name: 'Ada' } });
    await request(url).post('/api/auth/login').send({ password: 'hunter2', agent_code: 5 });
    expect(lines).toHaveLength(5);
    const text = JSON.stringify(lines);
    for (const secret of ['5551230001', 'phone=', 'hunter2', 'Ada', 'Bearer', 'secret'])
      expect(text).not.toContain(secret);
  });

  it('notes a caller who hangs up as 499, not as a failure', async () => {
    const { url, lines } = await serve();
    const { port } = new URL(url);
    const socket = net.connect(Number(port), '127.0.0.1');
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      'POST /api/integrations/inbound HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: key\r\n' +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"phone',
      () => socket.destroy(),
    );
    await gone;
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({ status: 499, level: 30 });
  });
});

describe('headers', () => {
  it('do not tell what is inside, and keep answers out of caches', async () => {
    const { url } = await serve();
    const { headers } = await request(url).get('/api/health/live');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['etag']).toBeUndefined();
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it('let pages of the configured origins call, and no others', async () => {
    const { url } = await serve({ corsOrigins: ['https://crm.example.com'] });
    const from = (origin: string) => request(url).get('/api/health/live').set('Origin', origin);
    const friend = await from('https://crm.example.com');
    expect(friend.headers['access-control-allow-origin']).toBe('https://crm.example.com');
    expect(friend.headers['access-control-expose-headers']).toContain('X-Request-Id');
    expect((await from('https://evil.example.com')).headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await request(url).options('/api/integrations/cti/click-to-dial').set({
      Origin: 'https://crm.example.com',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-service-api-key,idempotency-key,content-type',
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('idempotency-key');
  });

  it('let no page of another origin call where none is configured', async () => {
    const { url } = await serve();
    const answer = await request(url).get('/api/health/live').set('Origin', 'https://crm.example.com');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('health', () => {
  const health = (database: boolean, isDraining = () => false) =>
    serve({
      platform: {
        version: '0.0.0-test',
        mode: 'embedded',
        publicUrl: null,
        embedOrigins: [],
        isLocal: true,
        hasDemo: false,
        isDraining,
      },
      services: withServices({
        clock: createManualClock(0),
        companies: withServices({
          works: () => (database ? Promise.resolve() : Promise.reject(new Error('away'))),
        } as never) as never,
        presence: withServices({ ping: () => Promise.resolve() } as never) as never,
        dispatcherWorks: () => true,
      }),
    });

  it('is 200 while everything answers', async () => {
    const { url } = await health(true);
    const answer = await request(url).get('/api/health');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        status: 'ok',
        version: '0.0.0-test',
        mode: 'embedded',
        checks: { database: 'ok', presence: 'ok', webhooks: 'ok' },
      },
    ]);
  });

  it('is 503 while a dependency is down, and liveness is not', async () => {
    const { url } = await health(false);
    const answer = await request(url).get('/api/health');
    expect([answer.status, answer.body]).toEqual([
      503,
      {
        status: 'unavailable',
        version: '0.0.0-test',
        mode: 'embedded',
        checks: { database: 'down', presence: 'ok', webhooks: 'ok' },
      },
    ]);
    expect((await request(url).get('/api/health/live')).body).toEqual({ status: 'ok' });
  });

  it('sends callers elsewhere while the gateway drains, and goes on serving them', async () => {
    let draining = false;
    const { url } = await health(true, () => draining);
    expect((await request(url).get('/api/health').set('connection', 'keep-alive')).headers['connection']).toBe(
      'keep-alive',
    );
    draining = true;
    const drained = await request(url).get('/api/health').set('connection', 'keep-alive');
    expect(drained).toMatchObject({
      status: 503,
      headers: { connection: 'close' },
      body: { status: 'draining', checks: { database: 'ok' } },
    });
    const live = await request(url).get('/api/health/live').set('connection', 'keep-alive');
    expect(live).toMatchObject({ status: 200, headers: { connection: 'close' } });
  });

  it('tells clients where everything is', async () => {
    const publicUrl = 'https://cti.example.com';
    const platform = {
      version: '1.2.3',
      mode: 'scaled',
      publicUrl,
      embedOrigins: [],
      isLocal: false,
      hasDemo: false,
      isDraining: () => false,
    } as const;
    const { url } = await serve({ platform });
    expect((await request(url).get('/api/public/platform')).body).toMatchObject({
      name: 'Readyline',
      version: '1.2.3',
      interface_version: '2.0.0',
      socket: { path: '/socket.io/' },
      documentation: 'https://cti.example.com/docs',
    });
  });
});
