import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'at-once' });
});
afterAll(() => gateway.close());

const post = async (path: string, body: object) => (await gateway.as(company).post(path).send(body).expect(201)).body;

async function deal(): Promise<string> {
  const { stages } = await post('/api/crm/pipelines', { name: 'Sales', stages: [{ name: 'New' }] });
  const { id } = await post('/api/crm/deals', { name: 'A deal', stage_id: stages[0].id });
  return `/api/crm/deals/${id}`;
}

it.each([
  [
    'contact',
    async () => `/api/crm/contacts/${(await post('/api/crm/contacts', { name: 'Grace' })).id}`,
    (turn: number) => ({ tier: `tier ${turn}` }),
  ],
  ['deal', deal, (turn: number) => ({ name: `Deal ${turn}` })],
  [
    'task',
    async () =>
      `/api/crm/tasks/${(await post('/api/crm/tasks', { title: 'Call', due_at: '2030-01-01T10:00:00Z' })).id}`,
    (turn: number) => ({ title: `Task ${turn}` }),
  ],
] as const)('sixty changes of one %s at once are all made, one after the other', async (_what, make, change) => {
  const path = await make();
  const before = (await gateway.as(company).get(path).expect(200)).body.version;
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, turn) => gateway.as(company).patch(path).send(change(turn))),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
  expect(new Set(answers.map(({ body }) => body.version)).size).toBe(60);
  expect((await gateway.as(company).get(path).expect(200)).body.version).toBe(before + 60);
});
