import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../demo/cluster/topology.ts';
import { importRoom } from '../support/crm/importRoom.ts';
import { type Gateway, platformToken, reach, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { eventually } from '../support/time/waiting.ts';

const rows = 6_000;
const callbacks = 60;
/** Long enough to set them all. Milliseconds. */
const firstDueMs = 4_000;

describe('work in the background whose gateway is killed', () => {
  let database: TestDatabase;
  let cluster: Cluster;
  let gateway: Gateway;
  let company: TestCompany;
  const { read, finished, upload, admin } = importRoom(
    () => gateway,
    () => company,
  );

  beforeAll(async () => {
    database = await createDatabase();
    cluster = await startCluster({
      gateways: 1,
      balancer: false,
      databaseUrl: database.url,
      redisUrl: await redisUrl(),
      env: { PLATFORM_TOKEN: platformToken },
    });
  });
  afterAll(async () => {
    await cluster.stop();
    await database.drop();
  });

  it('of an import goes on at another gateway where it was, and does no row twice', async () => {
    const [doomed] = cluster.gateways;
    gateway = reach(doomed!);
    company = await gateway.company({ slug: 'killed-importer' });
    const people = Array.from({ length: rows }, (_, n) => `Person ${n},+4930${String(1_000_000 + n)}`);
    const file = `name,phone\n${people.join('\n')}\n`;
    const { body } = await upload(file).expect(201);
    await admin().post(`/api/crm/imports/${body.id}/runs`).send({}).expect(202);
    await eventually(async () => (await read(body.id)).done > 1_000);
    await doomed!.kill('SIGKILL');
    gateway = reach(await cluster.addGateway({ env: { PLATFORM_TOKEN: platformToken } }));
    const midway = await read(body.id);
    expect(midway).toMatchObject({ state: 'running' });
    expect(midway.done).toBeLessThan(rows);
    expect(await finished(body.id)).toMatchObject({
      state: 'done',
      done: rows,
      counts: { created: rows, duplicate: 0, refused: 0, unchanged: 0 },
    });
    let seen = 0;
    for (let cursor: string | null = null; ;) {
      const { body: page }: { body: { contacts: object[]; next_cursor: string | null } } = await admin()
        .get(`/api/crm/contacts?limit=200${cursor === null ? '' : `&cursor=${cursor}`}`)
        .expect(200);
      seen += page.contacts.length;
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    expect(seen).toBe(rows);
  });

  it('of callbacks goes on at another gateway: each falls due once, and is told once', async () => {
    const agent = await gateway.agent(company, 'callbacks');
    const told: string[] = [];
    const softphone = gateway.softphone(agent);
    softphone.on('taskDue', ({ id, version }) => told.push(`${id} ${version}`));
    await softphone.connect();
    const doomed = await cluster.addGateway({ env: { PLATFORM_TOKEN: platformToken } });
    const through = reach(doomed).as(agent);
    const begun = Date.now();
    const set = await Promise.all(
      Array.from(
        { length: callbacks },
        async (_, n) =>
          (
            await through
              .post('/api/crm/tasks')
              .send({ title: `Callback ${n}`, due_at: new Date(begun + firstDueMs + n * 100).toISOString() })
              .expect(201)
          ).body.id as string,
      ),
    );
    const pending = new Set(set);
    await eventually(() => told.length >= 5);
    await doomed.kill('SIGKILL');
    expect(told.length).toBeLessThan(callbacks);
    // What the dead one had taken is free again after 15 s.
    await eventually(() => expect(new Set(told.map((each) => each.split(' ')[0]))).toEqual(pending));
    const listed: { id: string; fired_at: string; due_at: string; version: number }[] = (
      await gateway.as(agent).get('/api/crm/tasks?limit=200').expect(200)
    ).body.tasks;
    for (const task of listed) expect(Date.parse(task.fired_at)).toBeGreaterThanOrEqual(Date.parse(task.due_at));
    expect(told.toSorted()).toEqual(listed.map(({ id, version }) => `${id} ${version}`).toSorted());
    softphone.close();
  });
});
