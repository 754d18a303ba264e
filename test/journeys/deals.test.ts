import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Services } from '../../src/usecases/services.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';
import { gate } from '../support/time/gate.ts';

type Named = { id: string; name: string };
const stages = [
  { name: 'New', probability: 10 },
  { name: 'Offer sent', probability: 50 },
  { name: 'Won', outcome: 'won', probability: 100 },
  { name: 'Lost', outcome: 'lost' },
];

describe('deals', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let ada: TestAgent;
  let grace: TestAgent;
  let boss: TestAgent;
  let pipeline: { id: string; version: number; stages: Named[] };
  let companies = 0;
  /** Held shut where writes of deals are to wait for each other. */
  const writing = gate();
  let writes = 0;

  beforeAll(async () => {
    const wrap = (services: Services): Services => {
      const { deals } = services;
      return {
        ...services,
        deals: { ...deals, update: (...given) => ((writes += 1), writing.pass(() => deals.update(...given))) },
      };
    };
    gateway = await startGateway('memory', { wrap });
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `deals-${companies}`, agents: 2 });
    [ada, grace] = [company.agents[0]!, company.agents[1]!];
    boss = await gateway.agent(company, 'boss', 'supervisor');
    pipeline = (await gateway.as(company).post('/api/crm/pipelines').send({ name: 'Sales', stages }).expect(201)).body;
  });
  afterAll(() => gateway.close());

  type Who = TestAgent | TestCompany;
  const stage = (name: string): string => pipeline.stages.find((each) => each.name === name)!.id;
  const contact = async (body: object = {}) =>
    (
      await gateway
        .as(company)
        .post('/api/crm/contacts')
        .send({ name: 'Grace Hopper', ...body })
        .expect(201)
    ).body;
  const create = async (who: Who, body: object = {}) =>
    (
      await gateway
        .as(who)
        .post('/api/crm/deals')
        .send({ name: '50 licences', stage_id: stage('New'), ...body })
        .expect(201)
    ).body;
  const change = (who: Who, id: string, body: object) => gateway.as(who).patch(`/api/crm/deals/${id}`).send(body);
  const listed = async (who: Who, query = '') =>
    (await gateway.as(who).get(`/api/crm/deals?${query}`).expect(200)).body.deals.map(({ name }: Named) => name);
  const board = async (who: Who, query = '') =>
    (await gateway.as(who).get(`/api/crm/pipelines/${pipeline.id}/board?${query}`).expect(200)).body.stages;
  const read = async (who: Who, id: string) => (await gateway.as(who).get(`/api/crm/deals/${id}`).expect(200)).body;

  it('are made by an agent, as its own, in the first stage of the first pipeline, with an exact value', async () => {
    const { id: contactId } = await contact();
    const made = await create(ada, {
      stage_id: undefined,
      value: '900719925474099.100',
      currency: 'EUR',
      contact_id: contactId,
      expected_close: '2026-12-18',
    });
    expect(made).toMatchObject({
      name: '50 licences',
      value: '900719925474099.1',
      currency: 'EUR',
      expected_close: '2026-12-18',
      version: 1,
      pipeline_id: pipeline.id,
      stage: { name: 'New', outcome: 'open', probability: 10 },
      owner: { id: ada.id },
      contact: { id: contactId, name: 'Grace Hopper' },
      organisation: null,
    });
    expect(await read(ada, made.id)).toEqual(made);
  });

  it('are refused with a value and no currency, in a stage of nobody, and where there is no pipeline; nothing is kept', async () => {
    const refused = async (body: object) =>
      (
        await gateway
          .as(ada)
          .post('/api/crm/deals')
          .send({ name: 'No', ...body })
          .expect(400)
      ).body.errors;
    expect(await refused({ value: '10' })).toMatchObject([{ path: 'currency', code: 'currency_needed' }]);
    expect(await refused({ value: 10, currency: 'EUR' })).toMatchObject([{ path: 'value' }]);
    expect(await refused({ stage_id: pipeline.id })).toMatchObject([{ path: 'stage_id', code: 'not_of_company' }]);
    expect(await listed(boss)).toEqual([]);
    const other = await gateway.company({ slug: `bare-${companies}` });
    expect((await gateway.as(other).post('/api/crm/deals').send({ name: 'No' }).expect(409)).body.cause).toEqual({
      code: 'no_pipeline',
    });
  });

  it('under one Idempotency-Key are one', async () => {
    const make = () =>
      gateway.as(ada).post('/api/crm/deals').set('Idempotency-Key', 'once').send({ name: '50 licences' }).expect(201);
    const [first, again] = [await make(), await make()];
    expect([again.text, again.headers['idempotent-replay']]).toEqual([first.text, 'true']);
    expect(await listed(ada)).toHaveLength(1);
  });

  describe('a move', () => {
    it('stands in the history of the deal and on the timeline of its contact, with who and from where', async () => {
      const { id: contactId } = await contact();
      const { id } = await create(ada, { contact_id: contactId });
      expect((await change(boss, id, { stage_id: stage('Won'), version: 1 }).expect(200)).body).toMatchObject({
        stage: { name: 'Won', outcome: 'won' },
        version: 2,
      });
      const { moves } = (await gateway.as(ada).get(`/api/crm/deals/${id}/moves`).expect(200)).body;
      expect(moves).toMatchObject([
        { by: { id: boss.id }, from: { name: 'New' }, to: { name: 'Won' } },
        { by: { id: ada.id }, from: null, to: { name: 'New' } },
      ]);
      const { activities } = (await gateway.as(ada).get(`/api/crm/activities?contact=${contactId}`).expect(200)).body;
      expect(activities.slice(0, 2)).toMatchObject([
        {
          kind: 'deal_moved',
          text: '50 licences',
          by: { id: boss.id },
          edits: [{ field: 'stage', before: 'New', after: 'Won' }],
        },
        { kind: 'deal_created', edits: [{ field: 'stage', before: null, after: 'New' }] },
      ]);
    });

    it('of nothing changes nothing, and another change is no move', async () => {
      const { id, moved_at } = await create(ada);
      expect((await change(ada, id, { stage_id: stage('New') }).expect(200)).body.version).toBe(1);
      expect((await change(ada, id, { name: '60 licences' }).expect(200)).body).toMatchObject({
        name: '60 licences',
        version: 2,
        moved_at,
      });
      expect((await gateway.as(ada).get(`/api/crm/deals/${id}/moves`)).body.moves).toHaveLength(1);
    });

    it('of a deal that was moved meanwhile is refused with where it is now', async () => {
      const { id } = await create(ada);
      await change(grace, id, { stage_id: stage('Offer sent'), version: 1 }).expect(200);
      const { body } = await change(ada, id, { stage_id: stage('Lost'), version: 1 }).expect(409);
      expect(body).toMatchObject({
        code: 'conflict',
        cause: {
          code: 'deal_changed_meanwhile',
          params: { version: 2, pipeline_id: pipeline.id, stage_id: stage('Offer sent'), stage: 'Offer sent' },
        },
      });
      expect(await read(ada, id)).toMatchObject({ stage: { name: 'Offer sent' }, version: 2 });
    });

    it('that races another from the same version is made once, by one of the two', async () => {
      const { id } = await create(ada);
      writing.shut();
      writes = 0;
      const both = [
        change(ada, id, { stage_id: stage('Won'), version: 1 }),
        change(grace, id, { stage_id: stage('Lost'), version: 1 }),
      ].map((request) => request.then((answer) => answer));
      await eventually(() => writes === 1);
      writing.open();
      const answers = await Promise.all(both);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const won = answers.find(({ status }) => status === 200)!.body;
      expect(answers.find(({ status }) => status === 409)!.body.cause).toMatchObject({
        code: 'deal_changed_meanwhile',
        params: { version: 2, stage: won.stage.name },
      });
      expect(await read(boss, id)).toEqual(won);
      expect((await gateway.as(boss).get(`/api/crm/deals/${id}/moves`)).body.moves).toHaveLength(2);
    });
  });

  describe('a list', () => {
    it('is filtered by pipeline, stage, state, owner, contact, organisation and when it should close', async () => {
      const { id: organisation } = (
        await gateway.as(company).post('/api/crm/organisations').send({ name: 'Navy' }).expect(201)
      ).body;
      const { id: contactId } = await contact();
      await create(ada, { name: 'one', organisation_id: organisation, expected_close: '2026-12-01' });
      await create(grace, { name: 'two', contact_id: contactId, stage_id: stage('Won'), expected_close: '2026-12-31' });
      const cases: [string, string[]][] = [
        [`pipeline=${pipeline.id}`, ['one', 'two']],
        [`stage=${stage('Won')}`, ['two']],
        ['state=open', ['one']],
        ['state=lost', []],
        [`owner=${ada.id}`, ['one']],
        [`contact=${contactId}`, ['two']],
        [`organisation=${organisation}`, ['one']],
        ['closes_from=2026-12-31', ['two']],
        ['closes_until=2026-12-01', ['one']],
        ['closes_from=2026-12-02&closes_until=2026-12-30', []],
      ];
      for (const [query, names] of cases) expect([query, await listed(boss, query)]).toEqual([query, names]);
    });

    it.each(['created', 'moved', 'expected_close', 'value', 'name'])(
      'is sorted by %s both ways, a page at a time without gap or repetition',
      async (sort) => {
        const some = [
          { name: 'b', value: '9.5', currency: 'EUR', expected_close: '2026-12-02' },
          { name: 'a', value: '10', currency: 'EUR' },
          { name: 'c', expected_close: '2026-12-01' },
          { name: 'd' },
          { name: 'a', value: '-3', currency: 'USD', expected_close: '2026-12-01' },
        ];
        for (const each of some) await create(ada, each);
        const paged = async (by: string): Promise<string[]> => {
          const ids: string[] = [];
          for (let cursor = ''; ;) {
            const { body } = await gateway.as(ada).get(`/api/crm/deals?limit=2&sort=${by}${cursor}`).expect(200);
            ids.push(...body.deals.map(({ id }: Named) => id));
            if (body.next_cursor === null) return ids;
            cursor = `&cursor=${body.next_cursor}`;
          }
        };
        const [up, down] = [await paged(sort), await paged(`-${sort}`)];
        expect(new Set(up).size).toBe(5);
        expect(down).toEqual(up.toReversed());
        if (sort === 'value') {
          expect(
            (await gateway.as(ada).get('/api/crm/deals?sort=value')).body.deals.map(
              ({ value }: { value: string }) => value,
            ),
          ).toEqual(['-3', '9.5', '10', null, null]);
        }
        await gateway.as(ada).get(`/api/crm/deals?sort=${sort}&cursor=nonsense`).expect(400);
      },
    );
  });

  it('stand on a board with exact totals by currency, the latest moved first, and further ones by its cursor', async () => {
    for (let number = 0; number < 5; number += 1)
      await create(ada, { name: `deal ${number}`, value: '0.1', currency: 'EUR' });
    await create(grace, { name: 'dollars', value: '2', currency: 'USD' });
    const [isNew, offered] = await board(boss, 'limit=4');
    expect(isNew).toMatchObject({
      name: 'New',
      count: 6,
      sums: [
        { currency: 'EUR', value: '0.5' },
        { currency: 'USD', value: '2' },
      ],
    });
    expect(isNew.deals.map(({ name }: Named) => name)).toEqual(['dollars', 'deal 4', 'deal 3', 'deal 2']);
    expect(offered).toMatchObject({ count: 0, sums: [], deals: [], next_cursor: null });
    expect(await listed(boss, `stage=${stage('New')}&sort=-moved&cursor=${isNew.next_cursor}`)).toEqual([
      'deal 1',
      'deal 0',
    ]);
    expect((await board(boss, `owner=${grace.id}`))[0]).toMatchObject({
      count: 1,
      sums: [{ currency: 'USD', value: '2' }],
    });
  });

  describe('of colleagues, where agents see their own contacts and those of nobody', () => {
    beforeEach(() =>
      gateway
        .as(company)
        .patch('/api/company')
        .send({ contact_scope: 'own' })
        .expect(200)
        .then(() => undefined),
    );

    it('are not there, in lists, boards and totals; supervisors see all', async () => {
      const [own, theirs, nobodys] = [
        await create(ada, { name: 'own' }),
        await create(grace, { name: 'theirs' }),
        await create(ada, { name: 'nobodys', owner_id: null }),
      ];
      expect(await listed(ada)).toEqual(['own', 'nobodys']);
      expect((await board(ada))[0]).toMatchObject({ count: 2 });
      expect((await board(boss))[0]).toMatchObject({ count: 3 });
      await gateway.as(ada).get(`/api/crm/deals/${theirs.id}`).expect(404);
      await gateway.as(ada).get(`/api/crm/deals/${theirs.id}/moves`).expect(404);
      await change(ada, theirs.id, { stage_id: stage('Won') }).expect(404);
      await change(ada, nobodys.id, { owner_id: ada.id }).expect(200);
      await change(grace, nobodys.id, { owner_id: grace.id }).expect(404);
      expect(await read(boss, theirs.id)).toEqual(theirs);
      expect(own.owner.id).toBe(ada.id);
    });

    it('take no contact that its writer does not see, and show none', async () => {
      const { id: hidden } = await contact({ owner_id: grace.id });
      const refused = await gateway.as(ada).post('/api/crm/deals').send({ name: 'No', contact_id: hidden }).expect(400);
      expect(refused.body.errors).toMatchObject([{ path: 'contact_id', code: 'not_of_company' }]);
      const { id } = await create(boss, { owner_id: ada.id, contact_id: hidden });
      expect(await read(ada, id)).toMatchObject({ contact: null });
      expect(await listed(ada, `contact=${hidden}`)).toEqual([]);
      // It stays, whatever else they change.
      await change(ada, id, { stage_id: stage('Won') }).expect(200);
      expect(await read(boss, id)).toMatchObject({ contact: { id: hidden }, stage: { name: 'Won' } });
      // A deal of nobody about a colleague's contact is the colleague's.
      const { id: unowned } = await create(boss, { owner_id: null, contact_id: hidden });
      await gateway.as(ada).get(`/api/crm/deals/${unowned}`).expect(404);
    });
  });

  describe('a pipeline', () => {
    const admin = () => gateway.as(company);
    const save = (body: object) => admin().patch(`/api/crm/pipelines/${pipeline.id}`).send(body);

    it('is changed by an admin: stages renamed, put in another order, added', async () => {
      const [isNew, offered, won, lost] = pipeline.stages;
      const wanted = [{ ...offered, name: 'Offered' }, { name: 'Negotiating' }, isNew, lost, won];
      const { body } = await save({ name: 'New business', stages: wanted, version: 1 }).expect(200);
      expect(body).toMatchObject({ name: 'New business', version: 2 });
      expect(body.stages.map(({ name }: Named) => name)).toEqual(['Offered', 'Negotiating', 'New', 'Lost', 'Won']);
      expect(body.stages[0].id).toBe(offered!.id);
      expect((await admin().get('/api/crm/pipelines').expect(200)).body.pipelines).toEqual([body]);
      expect((await save({ name: 'Late', version: 1 }).expect(409)).body.cause).toEqual({
        code: 'changed_meanwhile',
        params: { version: 2 },
      });
      await gateway.as(ada).patch(`/api/crm/pipelines/${pipeline.id}`).send({ name: 'No' }).expect(403);
      await gateway.as(boss).post('/api/crm/pipelines').send({ name: 'No', stages }).expect(403);
    });

    it('keeps a stage in which deals are, and says how many; without them it goes', async () => {
      const { id } = await create(ada, { stage_id: stage('Lost') });
      const without = { stages: pipeline.stages.filter(({ name }) => name !== 'Lost') };
      expect((await save({ ...without, name: 'No' }).expect(409)).body.cause).toEqual({
        code: 'stage_has_deals',
        params: { stage: 'Lost', count: 1 },
      });
      expect((await admin().get(`/api/crm/pipelines/${pipeline.id}`).expect(200)).body).toEqual(pipeline);
      expect((await admin().delete(`/api/crm/pipelines/${pipeline.id}`).expect(409)).body.cause).toEqual({
        code: 'pipeline_has_deals',
      });
      await change(ada, id, { stage_id: stage('New') }).expect(200);
      expect((await save(without).expect(200)).body.stages).toHaveLength(3);
    });
  });
});
