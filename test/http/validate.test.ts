import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/contract/jsonText.ts';
import { pushed } from '../../src/domain/screenPop.ts';
import { as, asKey, screenPopServices, serve } from './serve.ts';

const entry = {
  phone: '+15551230001',
  data: JsonText.of({ name: 'Ada' }),
  externalSystem: 'hubspot',
  externalId: '7',
  tier: 'gold',
  ...pushed,
};
const known = () => ({ services: screenPopServices(new Map([[entry.phone, entry]])) });

describe('query strings', () => {
  it.each([
    ['an encoded plus', '%2B15551230001'],
    ['a raw plus', '+15551230001'],
    ['a space for the plus', '%2015551230001'],
  ])('finds a number with %s', async (_name, phone) => {
    const { url } = await serve(known());
    const answer = await request(url).get(`/api/integrations/lookup?phone=${phone}`).set(asKey);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ found: true, screen_pop: { name: 'Ada', vip_tier: 'gold' } });
  });

  it.each(['lookup', 'cti/screen-pop'])(
    'answers an unknown number at %s with 404 that also says found: false',
    async (path) => {
      const { url } = await serve(known());
      const answer = await request(url).get(`/api/integrations/${path}?phone=%2B15559999999`).set(as('dialer'));
      expect(answer.status).toBe(404);
      expect(answer.type).toBe('application/problem+json');
      expect(answer.body).toMatchObject({ code: 'unknown_phone', found: false, screen_pop: null });
    },
  );

  it('answers format=flat with 200 and texts in a fixed order, known, unknown or unreadable', async () => {
    const { url } = await serve(known());
    const flat = (phone: string) =>
      request(url).get(`/api/integrations/cti/screen-pop?format=flat&phone=${phone}`).set(asKey);
    const found = await flat('%2B15551230001');
    expect(found.text).toBe(
      '{"found":"true","name":"Ada","email":"","vip_tier":"gold","external_system":"hubspot","external_id":"7",' +
        '"phone":"+15551230001"}',
    );
    for (const phone of ['%2B15559999999', 'anonymous', '']) {
      const answer = await flat(phone);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body as object)).toEqual(Object.keys(found.body as object));
      expect(answer.body).toMatchObject({ found: 'false', name: '' });
    }
  });

  it('refuses a parameter that is given twice', async () => {
    const { url } = await serve(known());
    const answer = await request(url)
      .get('/api/integrations/lookup?phone=%2B15551230001&phone=%2B15551230002')
      .set(asKey);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'phone', message: 'is given more than once' }],
    });
  });

  it.each([
    ['a missing parameter', '', 'phone'],
    ['a value that nobody knows', '?phone=%2B15551230001&format=xml', 'format'],
    ['brackets instead of a value', '?phone[a]=1&phone[b]=2', 'phone'],
  ])('refuses %s', async (_name, query, path) => {
    const { url } = await serve();
    const answer = await request(url).get(`/api/integrations/lookup${query}`).set(asKey);
    expect(answer.body).toMatchObject({ code: 'invalid_request', status: 400 });
    expect((answer.body as { errors: { path: string }[] }).errors.map((error) => error.path)).toContain(path);
  });

  it.each(['', 'anonymous', '%00', '0'.repeat(100)])('refuses "%s" as invalid_phone', async (phone) => {
    const { url } = await serve();
    const answer = await request(url).get(`/api/integrations/lookup?phone=${phone}`).set(asKey);
    expect(answer.body).toMatchObject({ code: 'invalid_phone', status: 400 });
  });

  it('forgets a customer, once', async () => {
    const { url } = await serve(known());
    const forget = () => request(url).delete('/api/integrations/inbound?phone=%2B15551230001').set(asKey);
    const first = await forget();
    expect([first.status, first.text]).toEqual([204, '']);
    expect((await forget()).body).toMatchObject({ code: 'unknown_phone', found: false });
  });
});

describe('paths', () => {
  it.each(['/api/calls/7', '/api/calls/undefined', '/api/agents/not-a-uuid/state'])(
    'refuses %s: that is no UUID',
    async (path) => {
      const { url } = await serve();
      const answer = await request(url).get(path).set(as('admin'));
      expect(answer.body).toMatchObject({ code: 'invalid_request', status: 400, errors: [{ path: 'id' }] });
    },
  );

  it('refuses a path that cannot be decoded', async () => {
    const { url } = await serve();
    const answer = await request(url).get('/api/calls/%ff').set(as('admin'));
    expect(answer.body).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  it.each([
    ['get', '/api/nothing'],
    ['get', '/nothing'],
    ['put', '/api/integrations/inbound/nothing'],
  ] as const)('answers %s %s with not_found', async (method, path) => {
    const { url } = await serve();
    const answer = await request(url)[method](path);
    expect(answer.status).toBe(404);
    expect(answer.type).toBe('application/problem+json');
    expect(answer.body).toMatchObject({ code: 'not_found', type: 'urn:readyline:problem:not_found' });
  });
});
