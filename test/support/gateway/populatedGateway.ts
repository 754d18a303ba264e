import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { DeliveryView } from '../../../src/contract/deliveries.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from './gateway.ts';
import { type CallId, type CompanyId, toId } from '../../../src/domain/ids.ts';
import { ok } from '../../../src/domain/outcome.ts';
import { changeScreenPop } from '../../../src/usecases/screenPops/changeScreenPop.ts';
import type { Services } from '../../../src/usecases/services.ts';
import { createManualClock, type ManualClock } from '../time/manualClock.ts';
import { inState, nextEvent } from './softphoneEvents.ts';
import { eventually } from '../time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../webhooks/webhookReceiver.ts';

/** Pushed by our company alone. */
export const knownPhone = '+15551230001';

/** By which SIP knows the calls that are made here. */
export const sipCallId = 'a84b4c76e66710@pbx.example.com';

/** One of the records that may be chosen for our company's call. */
export const candidate = {
  object: 'Contact',
  id: '0035g00000AbCdEAAV',
  name: 'Grace Hopper',
  email: null,
  account_number: null,
  vip_tier: null,
  record_url: null,
};

/** A gateway with two companies; ours has everything that a route can be about. */
export type PopulatedGateway = {
  gateway: Gateway;
  /** Stands still unless a test moves it. */
  clock: ManualClock;
  receiver: WebhookReceiver;
  /** What its use cases work with. */
  services: Services;
  /** What the gateway signs tokens with. */
  jwtSecret: Buffer;
  ours: TestCompany;
  strangers: TestCompany;
  /** Of our company; the agent is Not Ready and has made one call. */
  supervisor: TestAgent;
  agent: TestAgent;
  colleague: TestAgent;
  dialer: TestAgent;
  /** Changes the own password now and then, and so the token. */
  changer: TestAgent;
  adminId: string;
  /** Ended and wrapped up as `resolved`; several records have its number. */
  callId: string;
  /** Of the call's first event, delivered. */
  deliveryId: string;
  close(): Promise<void>;
};

/** The headers of a token's holder. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
/** The headers of a company's own system. */
export const keyed = (key: string) => ({ 'x-service-api-key': key });

/** Starts it: two companies, one agent of each role, one pushed customer, one call with its webhooks. */
export async function startPopulatedGateway(): Promise<PopulatedGateway> {
  const clock = createManualClock(Date.now());
  const jwtSecret = randomBytes(32);
  let inside: Services | null = null;
  const [gateway, receiver] = await Promise.all([
    startGateway('memory', { clock, config: { jwtSecret }, wrap: (services) => (inside = services) }),
    startWebhookReceiver(),
  ]);
  const [ours, strangers] = await Promise.all([
    gateway.company({ slug: 'ours', webhookUrl: receiver.url }),
    gateway.company({ slug: 'strangers' }),
  ]);
  const [supervisor, agent, colleague, dialer, changer] = await Promise.all([
    gateway.agent(ours, 'boss', 'supervisor'),
    gateway.agent(ours, 'a100'),
    gateway.agent(ours, 'a101'),
    gateway.agent(ours, 'd100', 'dialer'),
    gateway.agent(ours, 'changer'),
  ]);
  await gateway.api
    .post('/api/integrations/inbound')
    .set(keyed(ours.key))
    .send({ phone_number: knownPhone, data: { name: 'Grace Hopper' }, tier: 'gold' })
    .expect(200);
  const callId = await makeCall(gateway, ours, agent);
  const services = started(inside);
  await addCandidates(services, ours, callId);
  const me = await gateway.api.get('/api/me').set(bearer(ours.adminToken)).expect(200);
  const deliveryId = await deliveredEvent(gateway, ours, callId);
  return {
    ...{ gateway, clock, receiver, jwtSecret, ours, strangers, supervisor, agent, colleague, dialer, changer },
    ...{ adminId: me.body.id, callId, deliveryId, services },
    async close() {
      await gateway.close();
      await receiver.close();
    },
  };
}

/** The agent takes a click on the known phone, talks, wraps up as `resolved` and is Not Ready afterwards. */
export async function makeCall(gateway: Gateway, company: TestCompany, agent: TestAgent): Promise<string> {
  const softphone = await gateway.readySoftphone(agent);
  const dialing = nextEvent(softphone, 'dial');
  await gateway.click(company, { phone_number: knownPhone, agent_id: agent.id }).expect(201);
  const [{ call_id }] = await dialing;
  await softphone.reportProgress(call_id, 'connected', { sip_call_id: sipCallId });
  await softphone.reportProgress(call_id, 'ended');
  await softphone.submitDisposition(call_id, { code: 'resolved' });
  await inState(softphone, 'ready');
  await softphone.setNotReady('break');
  softphone.close();
  return call_id;
}

/** The agent declines somebody who calls, which nobody wraps up, and is Not Ready afterwards. */
export async function makeDeclinedCall(gateway: Gateway, agent: TestAgent): Promise<string> {
  const softphone = await gateway.readySoftphone(agent);
  const { call } = await softphone.incomingCall(knownPhone);
  await softphone.reportProgress(call.id, 'ended', { end_reason: 'rejected' });
  await softphone.setNotReady('break');
  softphone.close();
  return call.id;
}

function started(services: Services | null): Services {
  if (services === null) throw new Error('the gateway has not started');
  return services;
}

/** As if several records of a CRM had the number of the call. */
async function addCandidates(services: Services, company: TestCompany, callId: string): Promise<void> {
  const call = { companyId: toId<CompanyId>(company.id), id: toId<CallId>(callId) };
  await changeScreenPop(services, call, ({ screenPop }) =>
    ok({ ...screenPop, candidates: [candidate, { ...candidate, object: 'Lead', id: '00Q5g00000AbCdEAAV' }] }),
  );
}

/** Waits until all events of the call have arrived; resolves with the first one's delivery. */
async function deliveredEvent(gateway: Gateway, company: TestCompany, callId: string): Promise<string> {
  const read = async (): Promise<DeliveryView[]> => {
    const path = `/api/integrations/webhook-deliveries?call_id=${callId}`;
    return (await gateway.api.get(path).set(bearer(company.adminToken)).expect(200)).body.deliveries;
  };
  await eventually(async () => (await read()).every(({ state }) => state === 'delivered'));
  return (await read()).find(({ event }) => event === 'cti_click_to_dial')?.id ?? expect.fail('the click has an event');
}
