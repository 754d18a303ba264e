import { expect, it } from 'vitest';
import { eventually } from '../../../support/time/waiting.ts';
import { customer, useWorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';

const room = useWorkplaceRoom('call-keys');

it('a call that the agent makes is told with how SIP calls it, from the first report on', async () => {
  const agent = await room.someAgent();
  const desk = await room.readyDesk(agent);
  await room.click(agent).expect(201);
  const { id } = await desk.hasCall('dialing');
  desk.phone.tells({ type: 'placed', sipCallId: 'made@pbx' });
  desk.phone.rings();
  await eventually(async () =>
    expect(await room.recorded(id)).toMatchObject({ state: 'ringing', sip_call_id: 'made@pbx' }),
  );
});

it('a call that rings is told with how SIP calls it, the number that was called, and where it waited', async () => {
  const desk = await room.readyDesk();
  const told = { sipCallId: 'rings@pbx', dialedNumber: '8001', queue: 'Support' };
  desk.phone.isCalledBy({ phoneNumber: customer, displayName: null, ...told });
  const { id } = await desk.hasCall('ringing');
  expect(desk.workplace.view().call).toMatchObject({ dialed_number: '8001', queue: 'Support' });
  await eventually(async () =>
    expect(await room.recorded(id)).toMatchObject({
      sip_call_id: 'rings@pbx',
      dialed_number: '8001',
      queue: 'Support',
    }),
  );
});

it('who calls while the agent talks is told so as well, and leaves the agent’s call as it is', async () => {
  const agent = await room.someAgent();
  const { desk, call } = await room.talking(agent);
  desk.phone.turnsAway({ phoneNumber: '+15551230099', displayName: null, sipCallId: 'busy@pbx' });
  await eventually(async () => {
    const { body } = await room.gateway.as(room.company).get('/api/calls?sip_call_id=busy@pbx').expect(200);
    expect(body.calls).toMatchObject([{ phone: '+15551230099', end_detail: 'agent_busy' }]);
  });
  expect(await room.recorded(call.id)).toMatchObject({ state: 'connected', sip_call_id: null });
});
