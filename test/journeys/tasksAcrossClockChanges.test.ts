import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localTimeOf } from '../../src/domain/localTime.ts';
import type { Gateway, TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways } from '../support/gateway/gateways.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { eventually } from '../support/time/waiting.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Where clocks change, and when: in each zone once forward and once back, in the order of time. */
const changes = [
  { zone: 'America/New_York', at: '2027-03-14T07:00:00Z' },
  { zone: 'Europe/Berlin', at: '2027-03-28T01:00:00Z' },
  { zone: 'Australia/Sydney', at: '2027-04-03T16:00:00Z' },
  { zone: 'Australia/Sydney', at: '2027-10-02T16:00:00Z' },
  { zone: 'Europe/Berlin', at: '2027-10-31T01:00:00Z' },
  { zone: 'America/New_York', at: '2027-11-07T06:00:00Z' },
];

describe('callbacks around changes of the clock, with two gateways one of which dies meanwhile', () => {
  const clock = createLeapingClock();
  let gateways: Gateways;
  let company: TestCompany;

  beforeAll(async () => {
    gateways = await startGateways(2, { clock });
    company = await gateways.at(0).company({ slug: 'clocks', agents: 2 });
  });
  afterAll(() => gateways.close());

  it.each(changes)('in $zone at $at each fire once, at the time that was meant', async ({ zone, at }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: -24, max: 24 }), { minLength: 12, maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 0, max: 9 }),
        async (fiveMinutes, ofAda, diesAt) => {
          const [doomed, survivor] = [gateways.at(0), gateways.at(1)];
          clock.jump(Date.parse(at) - 3 * hour - clock.now());
          const admin = await survivor.logIn({ email: 'admin@clocks.example', password: 'a-password-of-the-tests' });
          const agents = await Promise.all(
            company.agents.map(async (agent): Promise<TestAgent> => ({
              ...agent,
              token: await survivor.logIn({
                agent_code: agent.agentCode,
                company_slug: company.slug,
                password: agent.password,
              }),
            })),
          );
          const fired = new Map<string, { by: string; at: number }[]>();
          for (const agent of agents) {
            const softphone = survivor.softphone(agent);
            softphone.on('taskDue', ({ id }) =>
              fired.set(id, [...(fired.get(id) ?? []), { by: agent.id, at: clock.now() }]),
            );
            await softphone.connect();
          }
          // By the clock on the wall there, which skips an hour or shows it twice.
          const set = await Promise.all(
            fiveMinutes.map(async (steps, index) => {
              const wall = new Date(Date.parse(`${localTimeOf(new Date(at), zone)}Z`) + steps * 5 * minute)
                .toISOString()
                .slice(0, 16);
              const agent = agents[ofAda[index] === true ? 0 : 1]!;
              const body = { title: wall, due_at: wall, time_zone: zone, assignee_id: agent.id };
              const through = index % 2 === 0 ? doomed : survivor;
              const { body: task } = await through
                .as({ adminToken: admin })
                .post('/api/crm/tasks')
                .send(body)
                .expect(201);
              return { ...task, wall, agent: agent.id } as {
                id: string;
                due_at: string;
                due_local: string;
                wall: string;
                agent: string;
              };
            }),
          );
          for (const { wall, due_local } of set) {
            const aheadMs = Date.parse(`${due_local}Z`) - Date.parse(`${wall}Z`);
            // As it was meant; one that is skipped is an hour later.
            expect([0, hour]).toContain(aheadMs);
          }
          for (let step = 0; step < 12; step += 1) {
            clock.jump(30 * minute);
            if (step === diesAt) {
              doomed.meddling.toPostgres.cut();
              doomed.meddling.toRedis.cut();
            }
            const due = set.filter(({ due_at }) => Date.parse(due_at) <= clock.now());
            // One that the dead gateway held is announced when its lease has ended.
            await eventually(() => {
              if (due.every(({ id }) => fired.has(id))) return true;
              clock.jump(1_000);
              return false;
            });
          }
          clock.jump(20_000);
          await eventually(async () => (await waiting(survivor, admin)) === 0);
          for (const { id, agent, due_at } of set) {
            expect(fired.get(id)).toMatchObject([{ by: agent }]);
            expect(fired.get(id)![0]!.at).toBeGreaterThanOrEqual(Date.parse(due_at));
          }
          expect(fired.size).toBe(set.length);
          gateways.endMeddling();
          // For the next change of the clock.
          for (const { id } of set)
            await survivor.as({ adminToken: admin }).patch(`/api/crm/tasks/${id}`).send({ state: 'done' }).expect(200);
        },
      ),
      { numRuns: 1 },
    );
  });

  /** How many tasks that are due have not been announced. */
  async function waiting(gateway: Gateway, adminToken: string): Promise<number> {
    const { body } = await gateway.as({ adminToken }).get('/api/crm/tasks?overdue=true&limit=200').expect(200);
    return body.tasks.filter(({ fired_at }: { fired_at: string | null }) => fired_at === null).length;
  }
});
