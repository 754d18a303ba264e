import type { Call } from '../../domain/calls.ts';
import { layOver, screenPopOf } from '../../domain/screenPop.ts';
import type { Services } from '../services.ts';
import { callView } from '../views/callView.ts';
import type { ComposedPop } from './lookUp.ts';

/** A call is changed by its softphone and others meanwhile: rarely so often. */
const maxTries = 20;

type Needs = Pick<Services, 'calls' | 'observer' | 'softphones'>;

/**
 * Lays what was known when the call was made over what the CRM tells later, and shows it to the agent by
 * `call_state_changed`. Never rejects: a call goes on without a record.
 */
export async function completeScreenPop(services: Needs, { companyId, id }: Pick<Call, 'companyId' | 'id'>, { asked }: ComposedPop): Promise<void> {
  try {
    const looked = await asked;
    if (looked?.kind !== 'found') return;
    const told = screenPopOf(looked.entry);
    await changeScreenPop(services, { companyId, id }, (call) => layOver(call.screenPop ?? {}, told));
  } catch (error) {
    services.observer.problem('a screen pop could not be completed', error, { company_id: companyId });
  }
}

/** Changes the screen pop of a call, as it is stored, and shows it to the agent. Null: there is no such call. */
export async function changeScreenPop(
  { calls, softphones }: Pick<Services, 'calls' | 'softphones'>,
  { companyId, id }: Pick<Call, 'companyId' | 'id'>,
  change: (call: Call) => Call['screenPop'],
): Promise<Call | null> {
  for (let tries = 0; tries < maxTries; tries++) {
    const found = await calls.find(companyId, id);
    if (found.kind !== 'found') return null;
    const call = found.value;
    const next = { ...call, screenPop: change(call), version: call.version + 1 };
    if ((await calls.commitScreenPop(next)) === 'conflict') continue;
    softphones.callChanged(companyId, call.agentId, callView(next));
    return next;
  }
  throw new Error(`a call changed ${maxTries} times while its screen pop was changed`);
}
