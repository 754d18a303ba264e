import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';

const layoutPath = '/api/integrations/pop-layout';
const grace = '+15551230001';
let gateway: Gateway;
let ours: TestCompany;
let theirs: TestCompany;

beforeAll(async () => {
  gateway = await startGateway();
  [ours, theirs] = await Promise.all([
    gateway.company({ slug: 'ours', agents: 1 }),
    gateway.company({ slug: 'theirs', agents: 1 }),
  ]);
});
afterAll(() => gateway.close());

type Who = Parameters<Gateway['as']>[0];
const read = async (who: Who = ours) => (await gateway.as(who).get(layoutPath).expect(200)).body;
const save = (body: object, who: Who = ours) => gateway.as(who).put(layoutPath).send(body);
const fields = [
  { key: 'plan', label: 'Contract', pinned: true },
  { key: 'plan', object: 'Lead', hidden: true },
  { key: 'revenue', format: 'money', currency_key: 'currency' },
  { key: 'orders.*.total', format: 'money', currency: 'EUR' },
];

describe('how a company’s screen pops show their fields', () => {
  it('is as the CRM has them until an admin says so, and then what the admin said', async () => {
    expect(await read()).toEqual({ version: 0, fields: [], contact_fields: [], updated_at: null });
    const saved = await save({ fields, version: 0 }).expect(200);
    expect(saved.body).toEqual({ version: 1, fields, contact_fields: [], updated_at: expect.any(String) });
    expect(await read()).toEqual(saved.body);
  });

  it('is another company’s own', async () => {
    expect(await read(theirs)).toMatchObject({ version: 0, fields: [] });
    await save({ fields: [{ key: 'theirs' }] }, theirs).expect(200);
    expect(await read()).toMatchObject({ version: 1, fields });
  });

  it('is refused to the second of two admins who change it at once, who finds what the first has saved', async () => {
    const { version } = await read();
    const [mine, hers] = [[{ key: 'mine' }], [{ key: 'hers' }]];
    await save({ fields: hers, version }).expect(200);
    const refused = await save({ fields: mine, version }).expect(409);
    expect(refused.body).toMatchObject({
      code: 'conflict',
      cause: { code: 'changed_meanwhile', params: { version: version + 1 } },
    });
    expect(
      (await gateway.as(ours).put(layoutPath).set('If-Match', `"${version}"`).send({ fields: mine }).expect(409)).body
        .cause,
    ).toMatchObject({ code: 'changed_meanwhile' });
    expect(await read()).toMatchObject({ fields: hers, version: version + 1 });
    await save({ fields: mine, version: version + 1 }).expect(200);
    const raced = await Promise.all(
      [1, 2, 3, 4].map((n) => save({ fields: [{ key: `of_${n}` }], version: version + 2 })),
    );
    expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    await save({ fields }).expect(200);
  });

  it('is read and changed by admins alone', async () => {
    const boss = await gateway.agent(ours, 'boss', 'supervisor');
    for (const who of [boss, ours.agents[0]!]) {
      await gateway.as(who).get(layoutPath).expect(403);
      await save({ fields: [] }, who).expect(403);
    }
  });

  it('takes no more than 32 KiB, counted in bytes, and says so', async () => {
    const { version } = await read();
    const labels = (letter: string) =>
      Array.from({ length: 100 }, (_, index) => ({ key: `key_${index}`, label: letter.repeat(150) }));
    expect((await save({ fields: labels('ß') }).expect(413)).body).toMatchObject({
      code: 'payload_too_large',
      errors: [{ code: 'json_too_large', params: { max: 32 * 1024 } }],
    });
    expect((await read()).version).toBe(version);
    await save({ fields: labels('s') }).expect(200);
    await save({ fields }).expect(200);
  });

  it('is told to a softphone that is open, with the labels of the built-in CRM’s fields', async () => {
    const softphone = await gateway.readySoftphone(ours.agents[0]!);
    const contactField = (path: string, method: 'post' | 'patch' | 'delete', body: object) =>
      gateway.as(ours)[method](`/api/crm/fields${path}`).send(body);
    const { version } = await read();
    expect((await softphone.readSettings()).pop).toMatchObject({ version, fields, contact_fields: [] });
    await gateway.as(ours).post('/api/crm/contacts').send({ name: 'Grace Hopper' }).expect(201);
    const changes: [() => PromiseLike<unknown>, object[]][] = [
      [
        () => contactField('', 'post', { key: 'renewal', label: 'Renewal', kind: 'date' }).expect(201),
        [{ key: 'renewal', label: 'Renewal', kind: 'date' }],
      ],
      [
        () => contactField('/renewal', 'patch', { label: 'Renewal date' }).expect(200),
        [{ key: 'renewal', label: 'Renewal date', kind: 'date' }],
      ],
      [() => contactField('/renewal', 'delete', {}).expect(204), []],
    ];
    for (const [change, contact_fields] of changes) {
      const telling = nextEvent(softphone, 'settingsChanged');
      await change();
      await telling;
      expect((await softphone.readSettings()).pop).toMatchObject({ fields, contact_fields });
    }
    softphone.close();
  });

  it('is told to the pop page, once for each version', async () => {
    const pop = async (query: string) =>
      (
        await gateway
          .as(ours.agents[0]!)
          .get(`/api/integrations/cti/pop?phone=${encodeURIComponent(grace)}${query}`)
          .expect(200)
      ).body.layout;
    const { version } = await read();
    expect(await pop('')).toMatchObject({ version, fields });
    expect(await pop(`&layout=${version}`)).toBeUndefined();
    await save({ fields: [] }).expect(200);
    expect(await pop(`&layout=${version}&again=true`)).toMatchObject({ version: version + 1, fields: [] });
    const made = await gateway.api
      .post('/api/integrations/cti/pop-links')
      .set('X-Service-Api-Key', theirs.key)
      .send({ phone: grace })
      .expect(201);
    const opened = await gateway.api
      .post('/api/integrations/cti/pop-sessions')
      .send({ link: new URL(made.body.url, gateway.url).hash.replace('#link=', '') })
      .expect(201);
    const linked = await gateway.api
      .get('/api/integrations/cti/pop-sessions')
      .set('X-Pop-Token', opened.body.token)
      .expect(200);
    expect(linked.body.layout).toMatchObject({ fields: [{ key: 'theirs' }] });
  });
});
