import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../demo/cluster/topology.ts';
import { fakes, type FakeId } from '../support/crm/allFakes.ts';
import type { FakeCrm } from '../support/crm/fakeCrm.ts';
import { writesCall } from '../support/crm/fakedCrms.ts';
import { type Gateway, platformToken, reach, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { eventually } from '../support/time/waiting.ts';

/** Two that refuse a repeat themselves, one that looks an entry up, one that does both. */
const ids = ['dynamics', 'zendesk', 'salesforce', 'hubspot'] as const satisfies FakeId[];
type Logging = { crm: FakeCrm; company: TestCompany; callId: string };

describe('calls whose gateway is killed after the CRM has written them, and before it has heard so', () => {
  let database: TestDatabase;
  let cluster: Cluster;
  let survivor: Gateway;
  const logging = new Map<FakeId, Logging>();

  beforeAll(async () => {
    database = await createDatabase();
    const played = new Map<FakeId, FakeCrm>();
    for (const id of ids) played.set(id, await fakes[id]());
    const baseUrls = Object.fromEntries([...played].map(([id, { url }]) => [id, url]));
    const env = { PLATFORM_TOKEN: platformToken, CRM_BASE_URLS: JSON.stringify(baseUrls) };
    cluster = await startCluster({
      gateways: 1,
      balancer: false,
      databaseUrl: database.url,
      redisUrl: await redisUrl(),
      env,
    });
    const [doomed] = cluster.gateways;
    if (doomed === undefined) throw new Error('the cluster has a gateway');
    for (const [id, crm] of played) logging.set(id, await callThatHangs(reach(doomed), crm));
    survivor = reach(await cluster.addGateway({ env }));
    await doomed.kill('SIGKILL');
  });
  afterAll(async () => {
    await cluster.stop();
    for (const { crm } of logging.values()) await crm.close();
    await database.drop();
  });

  it.each(ids)('stand in %s once', async (id) => {
    const { crm, company, callId } = logging.get(id)!;
    await eventually(async () => {
      const { body } = await survivor
        .as(company)
        .get('/api/integrations/webhook-deliveries')
        .query({ call_id: callId, target: 'crm' })
        .expect(200);
      return body.deliveries[0]?.state === 'delivered';
    });
    const entries = crm.logged.filter(({ text }) => text.includes(callId));
    expect(entries).toHaveLength(1);
    expect(entries[0]?.text).toContain('Wants the price list.');
  });
});

/** A call that the CRM has logged, and whose gateway still waits for the answer. */
async function callThatHangs(gateway: Gateway, crm: FakeCrm): Promise<Logging> {
  const company = await gateway.company({ slug: `killed-${crm.id}`, agents: 1, wrapUpSeconds: 30 });
  await gateway
    .as(company)
    .put('/api/integrations/crm')
    .send({ provider: crm.id, credentials: crm.credentials })
    .expect(200);
  const phone = '+14155553391';
  crm.addPerson({ name: 'Ada Byron', email: 'ada@example.org', phone });
  crm.failNext({ kind: 'hang_after_commit' }, (heard) => writesCall(crm, heard));
  const softphone = await gateway.readySoftphone(company.agents[0]!);
  const { call } = await softphone.incomingCall(phone);
  await softphone.reportProgress(call.id, 'connected');
  await softphone.reportProgress(call.id, 'ended');
  await softphone.submitDisposition(call.id, { code: 'resolved', notes: 'Wants the price list.' });
  await eventually(() => crm.logged.some(({ text }) => text.includes(call.id)));
  softphone.close();
  return { crm, company, callId: call.id };
}
