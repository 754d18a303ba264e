import { expect, it, onTestFinished } from 'vitest';
import { Softphone } from '../../src/client/softphone.ts';
import { dialingCall, FakeGateway } from '../support/gateway/fakeGateway.ts';

const callId = '01a1fd9a-df84-76de-b312-4c71c7114e01';

it('a call that rings is told to a gateway of before without what that does not know', async () => {
  const gateway = await FakeGateway.start();
  const softphone = new Softphone({ url: gateway.url, token: 'a' });
  onTestFinished(async () => {
    softphone.close();
    await gateway.close();
  });
  await softphone.connect();
  const told: unknown[] = [];
  gateway.last.on('incoming_call', (ring, acknowledge) => {
    told.push(ring);
    if ('sip_call_id' in ring)
      return acknowledge({ ok: false, error: { code: 'invalid_request', detail: 'sip_call_id is not known.' } });
    acknowledge({ ok: true, call: dialingCall(callId), found: false, screen_pop: {} });
  });
  expect((await softphone.incomingCall('+15551230001', 'Grace', { sip_call_id: 'sip' })).call.id).toBe(callId);
  const ofBefore = { phone_number: '+15551230001', display_name: 'Grace' };
  expect(told).toEqual([{ ...ofBefore, sip_call_id: 'sip' }, ofBefore]);
});
