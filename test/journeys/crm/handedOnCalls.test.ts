import { afterAll, beforeAll, expect, it } from 'vitest';
import { CrmRoom } from '../../support/crm/crmRoom.ts';
import { fakedCrms } from '../../support/crm/fakedCrms.ts';
import { nextEvent } from '../../support/gateway/softphoneEvents.ts';
import { createLeapingClock, type LeapingClock } from '../../support/time/leapingClock.ts';

let room: CrmRoom<LeapingClock>;
beforeAll(async () => {
  room = await CrmRoom.open(createLeapingClock());
});
afterAll(() => room.close());

it('the CRM is told of a conversation from agent to agent to whom it was handed on, and by whom', async () => {
  const one = await room.company(fakedCrms.find(({ id }) => id === 'hubspot') ?? expect.fail(), { agents: 2 });
  const [ada, ben] = one.company.agents as [(typeof one.company.agents)[number], (typeof one.company.agents)[number]];
  await one.connect().expect(200);
  await one.admin().put('/api/telephony').send({ mode: 'sip', sip_wss_url: 'wss://pbx.example/ws' }).expect(200);
  for (const [agent, sipUser] of [
    [ada, '1001'],
    [ben, '1002'],
  ] as const) {
    await one
      .admin()
      .patch(`/api/agents/${agent.id}`)
      .send({ sip_user: sipUser, sip_secret: 'secret', name: `Agent ${sipUser}` })
      .expect(200);
  }

  const { id } = await one.rung(one.person().phone);
  const adas = await one.softphone();
  await adas.reportProgress(id, 'connected');
  const bens = await room.gateway.readySoftphone(ben, { acceptTransfer: () => true });
  const ringing = nextEvent(bens, 'call', ({ state }) => state === 'ringing');
  const handedOn = await adas.startTransfer(id, { agentId: ben.id });
  await ringing;
  await bens.reportProgress(handedOn.call_id, 'connected');
  await adas.reportProgress(id, 'ended', { end_reason: 'transferred', transferred_to: handedOn.extension });
  await one.wrapUp(id);
  await bens.reportProgress(handedOn.call_id, 'ended');
  await bens.submitDisposition(handedOn.call_id, { code: 'resolved' });

  await one.logged(id);
  await one.logged(handedOn.call_id);
  const [first, second] = [id, handedOn.call_id].map((callId) =>
    one
      .entries(callId)
      .map(({ text }) => text)
      .join(),
  );
  expect(first).toContain('Transferred to 1002');
  expect(first).not.toContain('Handed on');
  expect(second).toContain('Handed on by: Agent 1001');
  expect(second).not.toContain('Transferred');
  bens.close();
  await one.close();
});
