import { expect, it } from 'vitest';
import { JsonText } from '../../../src/contract/jsonText.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import { type AgentId, type CallId, type CompanyId, toId } from '../../../src/domain/ids.ts';
import type { PhoneNumber } from '../../../src/domain/phones/phoneNumbers.ts';
import type { LookedUp } from '../../../src/ports/crm.ts';
import { newCall } from '../../../src/usecases/calls/lifecycle/newCall.ts';
import type { ChosenNeeds } from '../../../src/usecases/screenPops/chooseRecord.ts';
import { completeScreenPop } from '../../../src/usecases/screenPops/completeScreenPop.ts';
import { RememberedCalls } from '../calls/click/rememberedCalls.ts';

const id = '0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b';
const [first, second] = ['+15551230001', '+15551230002'] as PhoneNumber[] as [PhoneNumber, PhoneNumber];
const grace = {
  phone: first,
  data: JsonText.of({ name: 'Grace Hopper' }),
  tier: null,
  externalSystem: 'hubspot',
  externalId: '7',
  externalObject: null,
  recordUrl: null,
  candidates: null,
  updatedAt: new Date(0),
};

/** What the CRM answers of the first number once the call may have another caller. */
async function answeredLate(
  looked: LookedUp,
  now: PhoneNumber,
): Promise<{ name: string | undefined; told: CallView[] }> {
  const calls = new RememberedCalls();
  const about = {
    id: toId<CallId>(id),
    companyId: toId<CompanyId>(id),
    agentId: toId<AgentId>(id),
    direction: 'inbound',
    trigger: 'inbound_ring',
  } as const;
  const call = newCall({ ...about, phone: first, screenPop: {}, at: new Date(0) });
  await calls.store.create(call, []);
  let answer: (looked: LookedUp) => void = () => undefined;
  const asked = new Promise<LookedUp>((resolve) => (answer = resolve));
  const told: CallView[] = [];
  const softphones = { callChanged: (_company: unknown, _agent: unknown, view: CallView) => void told.push(view) };
  const completing = completeScreenPop({ calls: calls.store, softphones } as unknown as ChosenNeeds, call, {
    found: false,
    screenPop: {},
    asked,
    isLookingUp: true,
  });
  await calls.store.commitCaller({ ...call, phone: now, version: 2 }, { step: 'caller_changed', at: new Date(0) });
  answer(looked);
  await completing;
  const found = await calls.store.find(call.companyId, call.id);
  return { name: found.kind === 'found' ? found.value.screenPop?.name : undefined, told };
}

it('what the CRM tells late of a caller is shown, unless the call has another one by then', async () => {
  const found: LookedUp = { kind: 'found', entry: grace };
  const same = await answeredLate(found, first);
  expect(same.name).toBe('Grace Hopper');
  expect(same.told).toMatchObject([{ customer_name: 'Grace Hopper', looking_up: false }]);
  expect(await answeredLate(found, second)).toEqual({ name: undefined, told: [] });
});

it('that the CRM knows nobody is told, unless the call has another one by then', async () => {
  expect((await answeredLate({ kind: 'nobody' }, first)).told).toMatchObject([{ looking_up: false }]);
  expect((await answeredLate({ kind: 'nobody' }, second)).told).toEqual([]);
});
