import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

type Listed = { id: string; name: string | null };

describe('the list of contacts', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let count = 0;

  beforeAll(async () => {
    gateway = await startGateway('memory');
  });
  beforeEach(async () => {
    count += 1;
    company = await gateway.company({ slug: `sorted-${count}`, agents: 1 });
  });
  afterAll(() => gateway.close());

  const admin = () => gateway.as(company);
  const create = async (body: object): Promise<Listed & { version: number }> =>
    (await admin().post('/api/crm/contacts').send(body).expect(201)).body;
  const page = async (query: object) =>
    (await admin().get('/api/crm/contacts').query(query).expect(200)).body as {
      contacts: Listed[];
      next_cursor: string | null;
    };

  /** All pages of a list. */
  async function all(sort: string, limit: number): Promise<Listed[]> {
    const found: Listed[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const read: Awaited<ReturnType<typeof page>> = await page({
        sort,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...read.contacts);
      cursor = read.next_cursor;
    }
    return found;
  }

  it('is sorted by name, by when they were made and by when they were changed, either way, page by page', async () => {
    const names = ['Bert', 'ärmel', 'Zoe', 'Bert', null, 'Carl', 'bert'];
    const made: Listed[] = [];
    for (const name of names)
      made.push(await create({ name, phones: name === null ? [{ phone_number: '+493012345678' }] : [] }));
    await admin()
      .patch(`/api/crm/contacts/${made[2]?.id ?? ''}`)
      .send({ tier: 'gold' })
      .expect(200);
    const ids = (contacts: Listed[]) => contacts.map(({ id }) => made.findIndex((one) => one.id === id));
    const byName = [1, 0, 3, 6, 5, 2, 4];
    for (const limit of [1, 2, 3, 50]) {
      expect(ids(await all('created', limit))).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect(ids(await all('-created', limit))).toEqual([6, 5, 4, 3, 2, 1, 0]);
      expect(ids(await all('name', limit))).toEqual(byName);
      expect(ids(await all('-name', limit))).toEqual(byName.toReversed());
      const changed = ids(await all('updated', limit));
      expect(ids(await all('-updated', limit))).toEqual(changed.toReversed());
      expect(changed.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    }
  });

  it('holds its place while others come and go between two pages', async () => {
    const word = fc.constantFrom('anna', 'bert', 'carl', 'dora');
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 4, maxLength: 8 }),
        word,
        fc.integer({ min: 1, max: 3 }),
        async (names, later, limit) => {
          company = await gateway.company({ slug: `sorted-${(count += 1)}`, agents: 1 });
          const made = await Promise.all(names.map((name) => create({ name })));
          const first = await page({ sort: 'name', limit });
          // The one that the page ended with goes, and another comes.
          const [last, another] = [
            first.contacts.at(-1),
            made.find(({ id }) => first.contacts.every((shown) => shown.id !== id)),
          ];
          const gone = made.find(({ id }) => id === last?.id);
          if (gone !== undefined && another !== undefined) {
            await admin()
              .post(`/api/crm/contacts/${another.id}/merge`)
              .send({ contact_id: gone.id, version: another.version, other_version: gone.version })
              .expect(200);
          }
          await create({ name: later });
          const rest: Listed[] = [];
          for (let cursor = first.next_cursor; cursor !== null;) {
            const next = await page({ sort: 'name', limit, cursor });
            rest.push(...next.contacts);
            cursor = next.next_cursor;
          }
          const seen = [...first.contacts, ...rest].map(({ id }) => id);
          expect(new Set(seen).size).toBe(seen.length);
          for (const { id } of made) expect(seen).toContain(id);
        },
      ),
      { numRuns: 8 },
    );
  });

  it('refuses what it cannot be sorted by, and a cursor of another list', async () => {
    await create({ name: 'Anna' });
    await create({ name: 'Bert' });
    await admin().get('/api/crm/contacts?sort=colour').expect(400);
    const { next_cursor: cursor } = await page({ sort: 'name', limit: 1 });
    for (const sort of ['created', '-updated']) {
      const { body } = await admin().get('/api/crm/contacts').query({ sort, cursor }).expect(400);
      expect(body.errors).toMatchObject([{ path: 'cursor', code: 'invalid' }]);
    }
    await admin().get('/api/crm/contacts?sort=name&cursor=nonsense').expect(400);
  });

  it('is one by one of the tasks and deals of whom it leads to, by a former id too', async () => {
    const [kept, gone] = [await create({ name: 'Grace' }), await create({ name: 'Hopper' })];
    const task = (
      await admin()
        .post('/api/crm/tasks')
        .send({ title: 'Offer', due_at: '2030-01-01T10:00:00.000Z', contact_id: gone.id })
        .expect(201)
    ).body;
    await admin()
      .post('/api/crm/pipelines')
      .send({ name: 'Sales', stages: [{ name: 'New' }] })
      .expect(201);
    const deal = (await admin().post('/api/crm/deals').send({ name: 'Licences', contact_id: gone.id }).expect(201))
      .body;
    await admin()
      .post(`/api/crm/contacts/${kept.id}/merge`)
      .send({ contact_id: gone.id, version: kept.version, other_version: gone.version })
      .expect(200);
    for (const id of [kept.id, gone.id]) {
      expect((await admin().get(`/api/crm/tasks?contact=${id}`).expect(200)).body.tasks).toMatchObject([
        { id: task.id },
      ]);
      expect((await admin().get(`/api/crm/deals?contact=${id}`).expect(200)).body.deals).toMatchObject([
        { id: deal.id },
      ]);
    }
  });
});
