import { expect, it, onTestFinished } from 'vitest';
import { Softphone } from '../../src/client/softphone.ts';
import { dialingCall, FakeGateway } from '../support/gateway/fakeGateway.ts';

const callId = '01a1fd9a-df84-76de-b312-4c71c7114e01';
const refusal = { ok: false, error: { code: 'invalid_request', detail: 'sip_call_id is not known.' } } as const;

async function connected() {
  const gateway = await FakeGateway.start();
  const softphone = new Softphone({ url: gateway.url, token: 'a' });
  onTestFinished(async () => {
    softphone.close();
    await gateway.close();
  });
  await softphone.connect();
  return { gateway, softphone };
}

it('a call that rings is told to a gateway of before without what that does not know', async () => {
  const { gateway, softphone } = await connected();
  const told: unknown[] = [];
  gateway.last.on('incoming_call', (ring, acknowledge) => {
    told.push(ring);
    if ('sip_call_id' in ring) return acknowledge(refusal);
    acknowledge({ ok: true, call: dialingCall(callId), found: false, screen_pop: {} });
  });
  expect((await softphone.incomingCall('+15551230001', 'Grace', { sip_call_id: 'sip' })).call.id).toBe(callId);
  const ofBefore = { phone_number: '+15551230001', display_name: 'Grace' };
  expect(told).toEqual([{ ...ofBefore, sip_call_id: 'sip' }, ofBefore]);
});

it('so is how a call goes', async () => {
  const { gateway, softphone } = await connected();
  const told: unknown[] = [];
  gateway.last.on('call_progress', (progress, acknowledge) => {
    told.push(progress);
    if ('sip_call_id' in progress) return acknowledge(refusal);
    acknowledge({ ok: true, call: dialingCall(callId) });
  });
  await softphone.reportProgress(callId, 'ended', { end_reason: 'busy', sip_call_id: 'sip' });
  const ofBefore = { call_id: callId, state: 'ended', end_reason: 'busy' };
  expect(told).toEqual([{ ...ofBefore, sip_call_id: 'sip' }, ofBefore]);
});

it('so is how a call sounded, by the averages that it knows', async () => {
  const { gateway, softphone } = await connected();
  const told: unknown[] = [];
  gateway.last.on('call_progress', (progress, acknowledge) => {
    told.push(progress.quality);
    if (progress.quality?.mos_median !== undefined) return acknowledge(refusal);
    acknowledge({ ok: true, call: dialingCall(callId) });
  });
  const ofBefore = { mos: 4.2, rtt_ms: 80, jitter_ms: 7, loss_percent: 0.4 };
  const quality = { ...ofBefore, mos_median: 4.3, mos_worst: 2.1 };
  await softphone.reportProgress(callId, 'ended', { quality });
  expect(told).toEqual([quality, ofBefore]);
});
