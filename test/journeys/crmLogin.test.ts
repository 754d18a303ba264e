import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InboundRoom } from '../support/crm/inboundRoom.ts';
import { publicUrl } from '../support/crm/notices.ts';
import { IntercomFake } from '../support/crm/intercomFake.ts';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { PipedriveFake } from '../support/crm/pipedriveFake.ts';
import { ZohoFake } from '../support/crm/zohoFake.ts';
import type { TestCompany } from '../support/gateway/gateway.ts';

const ids = ['hubspot', 'pipedrive', 'zoho', 'intercom'] as const;
type Id = (typeof ids)[number];

describe('logging in at a CRM', () => {
  let room: InboundRoom;
  beforeAll(async () => {
    room = await InboundRoom.open(ids);
  });
  afterAll(() => room.close());

  /** The app that an admin made in the CRM. */
  function appOf(id: Id): Record<string, string> {
    const crm = room.crm(id);
    if (crm instanceof HubspotFake)
      return { client_id: crm.credentials.client_id, client_secret: crm.credentials.client_secret };
    if (crm instanceof IntercomFake) return { region: 'eu', ...crm.app };
    if (crm instanceof ZohoFake || crm instanceof PipedriveFake) return { ...crm.app };
    throw new Error(`${id} has no log-in`);
  }
  const admin = (company: TestCompany) => room.gateway.as(company);
  const state = async (company: TestCompany) =>
    (await admin(company).get('/api/integrations/crm').expect(200)).body.connection;
  const enter = (company: TestCompany, id: Id, more: object = {}) =>
    admin(company)
      .put('/api/integrations/crm')
      .send({ provider: id, credentials: appOf(id), ...more })
      .expect(200);

  /** Where the browser is sent, and what it keeps. */
  async function begin(company: TestCompany, id: Id): Promise<{ url: string; cookie: string }> {
    const { body, headers } = await admin(company).get(`/api/integrations/crm/authorize/${id}`).expect(200);
    const [cookie = ''] = headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
    return { url: body.url, cookie: cookie.split(';')[0] ?? '' };
  }

  /** The admin says yes there: where the CRM sends the browser. */
  async function consent(url: string): Promise<string> {
    const answer = await fetch(url, { redirect: 'manual' });
    const location = answer.headers.get('location') ?? '';
    expect([answer.status, location]).toEqual([
      302,
      expect.stringContaining(`${publicUrl}/api/integrations/crm/authorize/`),
    ]);
    return location.slice(publicUrl.length);
  }

  /** The browser comes back: what the console is told. */
  async function comeBack(path: string, cookie: string | null): Promise<string> {
    const answer = await fetch(room.gateway.url + path, {
      redirect: 'manual',
      headers: cookie === null ? {} : { cookie: `other=1; ${cookie}` },
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
    const location = answer.headers.get('location') ?? '';
    expect(location).toContain(`${publicUrl}/admin/connect/crm?crm=`);
    return location.slice(`${publicUrl}/admin/connect/crm?`.length);
  }

  it.each(ids)('connects %s, and goes on when its tokens end', async (id) => {
    const company = await room.company();
    const entered = await enter(company, id, { keep_seconds: 60 });
    expect(entered.body.connection).toMatchObject({
      provider: id,
      state: 'needs_login',
      can_log_in: true,
      account: '',
      keep_seconds: 60,
    });
    const overview = async () => (await admin(company).get('/api/integrations').expect(200)).body;
    expect((await overview()).status.crm).toMatchObject({
      connection: 'needs_login',
      detail: expect.stringContaining('waits for an admin to log in there'),
    });
    const { url, cookie } = await begin(company, id);
    const asked = new URL(url).searchParams;
    expect([asked.get('state'), asked.get('code_challenge')]).toEqual([
      expect.stringMatching(/^[\w-]{43}$/),
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    expect(await comeBack(await consent(url), cookie)).toBe('crm=connected');
    const connected = await state(company);
    expect(connected).toMatchObject({ provider: id, state: 'connected', can_log_in: true, keep_seconds: 60 });
    expect((await overview()).status.crm).toMatchObject({ connection: 'connected' });
    expect(connected.account).not.toBe('');
    for (const hidden of [...Object.values(appOf(id)).filter((value) => value.length > 5), cookie])
      expect(JSON.stringify(connected)).not.toContain(hidden);
    const person = room.person(id, 'Ada Byron', true);
    expect(await room.known(company, person.phone)).toMatchObject({ external_id: person.id });
    room.crm(id).expireTokens();
    const another = room.person(id, 'Grace Hopper', true);
    expect(await room.known(company, another.phone)).toMatchObject({ external_id: another.id });
  });

  it('counts once', async () => {
    const company = await room.company();
    await enter(company, 'hubspot');
    const { url, cookie } = await begin(company, 'hubspot');
    const back = await consent(url);
    expect(await comeBack(back, cookie)).toBe('crm=connected');
    const before = await state(company);
    expect(await comeBack(back, cookie)).toBe('crm=refused&reason=crm_login_used');
    expect(await state(company)).toEqual(before);
  });

  it('changes nothing where the CRM, or the one who comes back, is not the one who was sent', async () => {
    const [ours, others] = [await room.company(), await room.company()];
    await enter(ours, 'hubspot');
    await enter(others, 'hubspot');
    const mine = await begin(ours, 'hubspot');
    const theirs = await begin(others, 'hubspot');
    const back = await consent(mine.url);
    const wrongState = back.replace(/state=[\w-]+/, 'state=guessed');
    const refused = 'crm=refused&reason=crm_login_not_begun_here';
    expect(await comeBack(back, null)).toBe(refused);
    expect(await comeBack(back, theirs.cookie)).toBe(refused);
    expect(await comeBack(back, `${mine.cookie}x`)).toBe(refused);
    expect(await comeBack(wrongState, mine.cookie)).toBe(refused);
    expect(await comeBack(back.replace(/&state=[\w-]+/, ''), mine.cookie)).toBe(refused);
    expect(await comeBack(back.replace('authorize/hubspot', 'authorize/pipedrive'), mine.cookie)).toBe(refused);
    for (const company of [ours, others]) expect(await state(company)).toMatchObject({ state: 'needs_login' });
    // All that did not use it up.
    expect(await comeBack(back, mine.cookie)).toBe('crm=connected');
    expect(await state(others)).toMatchObject({ state: 'needs_login' });
  });

  it('ends where the admin says no, where the code is none, and where the CRM is away; a connection that works stays', async () => {
    const company = await room.company();
    const crm = room.crm('hubspot');
    await admin(company)
      .put('/api/integrations/crm')
      .send({ provider: 'hubspot', credentials: crm.credentials })
      .expect(200);
    const before = await state(company);
    await enter(company, 'hubspot');
    expect(await state(company)).toEqual(before);
    const tries: [change: (back: string) => string, reason: string][] = [
      [(back) => back.replace(/code=[^&]+/, 'error=access_denied'), 'crm_login_denied'],
      [(back) => back.replace(/code=[^&]+/, 'error=server_error'), 'crm_login_refused'],
      [(back) => back.replace(/code=[^&]+/, 'code=of-nobody'), 'crm_login_refused'],
      [(back) => back.replace(/code=[^&]+&/, ''), 'crm_login_refused'],
    ];
    for (const [change, reason] of tries) {
      const { url, cookie } = await begin(company, 'hubspot');
      expect(await comeBack(change(await consent(url)), cookie)).toBe(`crm=refused&reason=${reason}`);
    }
    const { url, cookie } = await begin(company, 'hubspot');
    const back = await consent(url);
    crm.failNext({ kind: 'reset' }, ({ path }) => path.includes('/token'));
    expect(await comeBack(back, cookie)).toBe('crm=refused&reason=crm_login_unanswered');
    expect(await state(company)).toEqual(before);
  });

  it('is begun by admins alone, where the CRM has a log-in and the app was entered', async () => {
    const company = await room.company();
    const agent = await room.gateway.agent(company, 'a1');
    const ask = (id: string) => admin(company).get(`/api/integrations/crm/authorize/${id}`);
    await room.gateway.as(agent).get('/api/integrations/crm/authorize/hubspot').expect(403);
    await ask('sugar').expect(404);
    expect((await ask('freshdesk').expect(409)).body.cause).toMatchObject({ code: 'crm_without_login' });
    expect((await ask('hubspot').expect(409)).body.cause).toEqual({ code: 'crm_login_not_prepared' });
    // A token that was typed is no app.
    const { accessToken } = room.crm('hubspot') as HubspotFake;
    await admin(company)
      .put('/api/integrations/crm')
      .send({ provider: 'hubspot', credentials: { access_token: accessToken } })
      .expect(200);
    expect((await ask('hubspot').expect(409)).body.cause).toEqual({ code: 'crm_login_not_prepared' });
    await enter(company, 'pipedrive');
    await admin(company).put('/api/integrations/crm').send({ provider: 'pipedrive', credentials: null }).expect(200);
    expect(await state(company)).toBeNull();
    expect((await ask('pipedrive').expect(409)).body.cause).toEqual({ code: 'crm_login_not_prepared' });
  });
});
