import { onTestFinished, expect, it } from 'vitest';
import { z } from 'zod';
import { Softphone } from '../../../../src/client/softphone.ts';
import { endReasons, reportedEndDetails } from '../../../../src/contract/vocabulary.ts';
import { ProgressReports } from '../../../../web/src/features/workplace/progressReports.ts';
import type { PhoneEnd } from '../../../../web/src/lib/sip/phoneCall.ts';
import { FakeGateway } from '../../../support/gateway/fakeGateway.ts';
import { createManualClock } from '../../../support/time/manualClock.ts';
import { eventually } from '../../../support/time/waiting.ts';

const callId = '01a1fd9a-df84-76de-b312-4c71c7114e01';
const quality = { mos: 4.1, mos_median: 4.2, mos_worst: 2.9, jitter_ms: 3, loss_percent: 0 };

/** What a gateway of the version before takes; anything else it refuses. */
const ofBefore = z.strictObject({
  call_id: z.uuid(),
  state: z.string(),
  end_reason: z.enum(endReasons.filter((reason) => reason !== 'transferred')).optional(),
  ended_by: z.enum(['agent', 'customer']).optional(),
  sip_code: z.int().optional(),
  end_detail: z.enum(reportedEndDetails.filter((detail) => detail !== 'passed_on')).optional(),
});

/** What is told of the end of a call, and what of that a gateway has taken. @param refuses what it is told */
async function told(
  end: PhoneEnd,
  refuses: (report: unknown) => boolean,
  sipCallId?: string,
): Promise<{ told: unknown[]; taken: unknown[] }> {
  const gateway = await FakeGateway.start();
  const softphone = new Softphone({ url: gateway.url, token: 'a' });
  onTestFinished(async () => {
    softphone.close();
    await gateway.close();
  });
  await softphone.connect();
  const all: unknown[] = [];
  const taken: unknown[] = [];
  gateway.last.on('call_progress', (report, acknowledge) => {
    all.push(report);
    if (refuses(report))
      return acknowledge({ ok: false, error: { code: 'invalid_request', detail: 'The payload does not fit.' } });
    taken.push(report);
    acknowledge({ ok: true, call: {} as never });
  });
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  };
  const reports = new ProgressReports(softphone, createManualClock(Date.now()), store, () => {});
  if (sipCallId !== undefined) reports.carry(callId, sipCallId);
  reports.add(callId, { state: 'ended', end });
  await eventually(() => expect(reports.isBehind).toBe(false));
  return { told: all, taken };
}

const refusedBefore = (report: unknown) => !ofBefore.safeParse(report).success;

it('the end of a call is told to a gateway of before without what that does not know', async () => {
  const bad = await told({ reason: 'completed', endedBy: 'customer', sipCode: 200, quality }, refusedBefore);
  // With the middle and the worst moment, by the averages, and without.
  expect(bad.told).toHaveLength(3);
  expect(bad.taken).toEqual([
    { call_id: callId, state: 'ended', end_reason: 'completed', ended_by: 'customer', sip_code: 200 },
  ]);
  const handedOn = await told(
    { reason: 'transferred', endedBy: 'agent', transferredTo: '1001', quality },
    refusedBefore,
  );
  expect(handedOn.taken).toEqual([{ call_id: callId, state: 'ended', end_reason: 'completed', ended_by: 'agent' }]);
  const passedOn = await told(
    { reason: 'canceled', endedBy: 'agent', detail: 'passed_on', transferredTo: '1001' },
    refusedBefore,
  );
  expect(passedOn.taken).toEqual([{ call_id: callId, state: 'ended', end_reason: 'canceled', ended_by: 'agent' }]);
});

it('SIP’s Call-ID goes with what is told of its call, where the gateway takes it', async () => {
  const ended = { call_id: callId, state: 'ended', end_reason: 'busy' };
  expect((await told({ reason: 'busy' }, () => false, 'sip')).told).toEqual([{ ...ended, sip_call_id: 'sip' }]);
  expect((await told({ reason: 'busy' }, refusedBefore, 'sip')).taken).toEqual([ended]);
});

it('is told whole to a gateway that takes it, and not again where there is nothing to leave out', async () => {
  const whole = await told({ reason: 'transferred', endedBy: 'agent', transferredTo: '1001', quality }, () => false);
  expect(whole.told).toEqual([
    {
      call_id: callId,
      state: 'ended',
      end_reason: 'transferred',
      ended_by: 'agent',
      transferred_to: '1001',
      quality,
    },
  ]);
  expect((await told({ reason: 'busy' }, () => true)).told).toHaveLength(1);
});

it('is given up by a gateway that has no use for it at all', async () => {
  expect(await told({ reason: 'completed', quality }, () => true)).toMatchObject({ told: [{}, {}, {}], taken: [] });
});
