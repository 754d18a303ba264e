import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { withServices, as, asKey, platformToken, serve } from './serve.ts';

const lookup = '/api/integrations/lookup?phone=%2B15551230001';
const basic = (name: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});
const foreignKey = { 'X-Service-Api-Key': 'foreign-key' };

async function get(path: string, headers: Record<string, string>) {
  const { url } = await serve();
  return request(url).get(path).set(headers);
}

describe('credentials', () => {
  it.each([
    ['none', {}, 'unauthenticated'],
    ['an unknown key', { 'X-Service-Api-Key': 'guess' }, 'invalid_api_key'],
    ['an unknown token', as('guess'), 'invalid_token'],
    ['an expired token', as('expired'), 'token_expired'],
    ['another scheme', { Authorization: 'Digest YTpi' }, 'unauthenticated'],
    ['a password that is no key', basic('readyline', 'guess'), 'invalid_api_key'],
    ['a user name without a password', basic('key', ''), 'unauthenticated'],
    [
      'a Basic header without a colon',
      { Authorization: `Basic ${Buffer.from('key').toString('base64')}` },
      'unauthenticated',
    ],
    ['an unknown key as X-API-Key', { 'X-API-Key': 'guess' }, 'invalid_api_key'],
    ['two different keys', { ...asKey, 'X-API-Key': 'foreign-key' }, 'unauthenticated'],
    ['a key beside another as password', { ...asKey, ...basic('readyline', 'foreign-key') }, 'unauthenticated'],
    ['a bearer without a token', { Authorization: 'Bearer ' }, 'unauthenticated'],
    ['a good key beside a bad token', { ...asKey, ...as('guess') }, 'invalid_token'],
    ['a bad key beside a good token', { 'X-Service-Api-Key': 'guess', ...as('agent') }, 'invalid_api_key'],
  ])('answers %s with 401 and says what would do', async (_name, headers, code) => {
    const answer = await get(lookup, headers);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code });
    expect(answer.headers['www-authenticate']).toMatch(
      /^Bearer realm="readyline".*ApiKey realm="readyline", header="X-Service-Api-Key"$/,
    );
  });

  it('says invalid_token in the challenge for a token that is bad or old, and only then', async () => {
    for (const token of ['guess', 'expired']) {
      expect((await get('/api/me', as(token))).headers['www-authenticate']).toContain('error="invalid_token"');
    }
    expect((await get('/api/me', {})).headers['www-authenticate']).toBe('Bearer realm="readyline"');
  });

  it.each([
    asKey,
    as('admin'),
    as('agent'),
    as('dialer'),
    { ...asKey, ...as('agent') },
    { Authorization: 'bearer agent' },
    { 'X-API-Key': 'key' },
    basic('anybody', 'key'),
    basic('', 'key'),
    { ...asKey, 'X-API-Key': 'key', ...basic('anybody', 'key') },
    { 'X-API-Key': 'key', ...as('agent') },
  ])('lets %o look up', async (headers) => {
    expect((await get(lookup, headers)).body).toMatchObject({ code: 'unknown_phone' });
  });

  it('refuses a key where only a token will do, and says so', async () => {
    const answer = await get('/api/integrations', asKey);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 'unauthenticated' });
    expect((answer.body as { detail: string }).detail).toContain('token of an agent');
  });

  it.each([{ 'X-API-Key': 'key' }, basic('readyline', 'key')])(
    'refuses %o where only a token will do',
    async (headers) => {
      const answer = await get('/api/integrations', headers);
      expect([answer.status, answer.body]).toEqual([401, expect.objectContaining({ code: 'unauthenticated' })]);
    },
  );

  it.each(['/api/integrations/lookup', '/api/integrations/cti/screen-pop'])(
    'leaves parameters alone that %s does not know',
    async (path) => {
      const answer = await get(`${path}?phone=%2B15551230001&nocache=1764&format=flat`, asKey);
      const body =
        '{"found":"false","name":"","email":"","vip_tier":"","external_system":"","external_id":"",' +
        '"phone":"+15551230001"}';
      expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, body, String(body.length)]);
    },
  );

  it('refuses a key and a token of different companies', async () => {
    for (const path of [lookup, '/api/me']) {
      const answer = await get(path, { ...foreignKey, ...as('agent') });
      expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ code: 'wrong_company' })]);
    }
  });

  it('names the roles that are needed', async () => {
    expect((await get('/api/integrations/webhook-deliveries', as('supervisor'))).body).toMatchObject({
      code: 'role_required',
      detail: 'This needs the role admin.',
    });
    expect((await get('/api/agents', as('agent'))).body).toMatchObject({
      code: 'role_required',
      detail: 'This needs one of the roles admin, supervisor.',
    });
  });

  it('looks at credentials before the body', async () => {
    const { url } = await serve();
    const answer = await request(url).post('/api/integrations/inbound').set('Content-Type', 'text/plain').send('{');
    expect(answer.status).toBe(401);
  });

  it('does not ask for credentials where everyone may come', async () => {
    expect((await get('/api/health/live', as('guess'))).status).toBe(200);
  });
});

describe('platform routes', () => {
  const services = withServices({
    companies: withServices({}) as never,
  });

  it('do not exist where no platform token is configured', async () => {
    const { url } = await serve({ platformToken: null });
    for (const headers of [{}, as(platformToken), as('admin')]) {
      const answer = await request(url).get('/api/companies').set(headers);
      expect([answer.status, answer.body]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
    }
  });

  it.each([
    ['no token', {}, 'unauthenticated'],
    ['a wrong one', as('platform-token-of-the-testz'), 'invalid_token'],
    ['an admin’s', as('admin'), 'invalid_token'],
    ['a company key', asKey, 'unauthenticated'],
  ])('refuse %s', async (_name, headers, code) => {
    const { url } = await serve({ services });
    const answer = await request(url).get('/api/companies').set(headers);
    expect([answer.status, answer.body]).toEqual([401, expect.objectContaining({ code })]);
  });

  it('open to the platform token', async () => {
    const { url } = await serve({
      services: withServices({ companies: { ...withServices({}), list: async () => [] } as never }),
    });
    const answer = await request(url).get('/api/companies').set(as(platformToken));
    expect([answer.status, answer.body]).toEqual([200, { companies: [] }]);
  });
});
