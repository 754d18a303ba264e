import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryView } from '../../src/contract/deliveries.ts';
import type { Softphone } from '../../src/client/softphone.ts';
import { providers } from '../../src/providers/registry.ts';
import { fakes, type FakeId } from '../support/crm/allFakes.ts';
import { writesCall } from '../support/crm/fakedCrms.ts';
import type { FakeCrm } from '../support/crm/fakeCrm.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

const phone = '+14155553391';

// One that makes entries and changes them, and one that knows entries by ids of the same kind.
const [before, after] = ['hubspot', 'zendesk'] as const satisfies FakeId[];

describe('a call that was logged before its company changed to another CRM', () => {
  let gateway: Gateway;
  let [former, current]: FakeCrm[] = [];
  let company: TestCompany;
  let softphone: Softphone;
  let companies = 0;

  beforeAll(async () => {
    [former, current] = [await fakes[before](), await fakes[after]()];
    // How fast a CRM may be asked is held to elsewhere.
    const crmSystems = providers.map((provider) => ({
      ...provider,
      limits: { all: { count: 10_000, perMs: 1_000 }, searches: null },
    }));
    gateway = await startGateway('memory', {
      crmSystems,
      config: { crmBaseUrls: new Map([former, current].map((crm) => [crm!.id, crm!.url])) },
    });
    for (const crm of [former, current]) crm.addPerson({ name: 'Ada Byron', email: 'ada@example.org', phone });
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `switched-${companies}`, agents: 1, wrapUpSeconds: 0 });
    softphone = await gateway.readySoftphone(company.agents[0]!);
  });
  afterEach(() => softphone.close());
  afterAll(async () => {
    await gateway.close();
    await former?.close();
    await current?.close();
  });

  const connect = ({ id, credentials }: FakeCrm) =>
    gateway.as(company).put('/api/integrations/crm').send({ provider: id, credentials }).expect(200);
  const entries = ({ logged }: FakeCrm, callId: string) => logged.filter(({ text }) => text.includes(callId));
  const deliveryOf = async (callId: string): Promise<DeliveryView> => {
    const { body } = await gateway
      .as(company)
      .get('/api/integrations/webhook-deliveries')
      .query({ call_id: callId, target: 'crm' })
      .expect(200);
    expect(body.deliveries.length).toBeLessThanOrEqual(1);
    return body.deliveries[0];
  };
  const logged = async (callId: string): Promise<void> => {
    await eventually(async () => (await deliveryOf(callId))?.state === 'delivered');
  };
  const redelivered = async (callId: string): Promise<void> => {
    await gateway
      .as(company)
      .post(`/api/integrations/webhook-deliveries/${(await deliveryOf(callId)).id}/redeliver`)
      .expect(200);
    await logged(callId);
  };
  const loggedCall = async (): Promise<string> => {
    const { call } = await softphone.incomingCall(phone);
    await softphone.reportProgress(call.id, 'connected');
    await softphone.reportProgress(call.id, 'ended');
    await logged(call.id);
    return call.id;
  };

  it('stays one entry when it is sent again to the same CRM, which is asked to change it', async () => {
    await connect(former!);
    const callId = await loggedCall();
    const [entry] = entries(former!, callId);
    const heardBefore = former!.heard.length;
    await redelivered(callId);
    expect(entries(former!, callId)).toHaveLength(1);
    const heard = former!.heard.slice(heardBefore);
    expect(heard.filter((one) => writesCall(former!, one))).toEqual([]);
    expect(heard.some(({ method, path }) => method === 'PATCH' && path.includes(entry!.id))).toBe(true);
  });

  it('becomes an entry of its own in the new CRM when it is sent again, which hears nothing of the old one', async () => {
    await connect(former!);
    const callId = await loggedCall();
    const [entry] = entries(former!, callId);
    await connect(current!);
    const [formerHeard, currentHeard] = [former!.heard.length, current!.heard.length];
    await redelivered(callId);
    expect(entries(current!, callId)).toHaveLength(1);
    expect(entries(former!, callId)).toHaveLength(1);
    expect(former!.heard).toHaveLength(formerHeard);
    const heard = current!.heard.slice(currentHeard);
    expect(heard.filter((one) => writesCall(current!, one))).toHaveLength(1);
    expect(heard.filter(({ path }) => path.includes(entry!.id))).toEqual([]);
    // Once more: it is that entry which is changed now.
    await redelivered(callId);
    expect(entries(current!, callId)).toHaveLength(1);
  });
});
