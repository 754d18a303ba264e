import type { CallView } from '../../contract/calls.ts';
import type { Call } from '../../domain/calls.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { callView } from '../views/callView.ts';

/** A call is changed by its softphone and others meanwhile: rarely so often. */
const maxTries = 20;

/**
 * Changes the screen pop of a call, as it is stored, and tells the agent.
 * The same screen pop (by identity) writes and tells nothing.
 * @param more told to the agent with it
 */
export async function changeScreenPop(
  { calls, softphones }: Pick<Services, 'calls' | 'softphones'>,
  { companyId, id }: Pick<Call, 'companyId' | 'id'>,
  change: (call: Call) => Outcome<Call['screenPop']>,
  more: Pick<CallView, 'looking_up'> = {},
): Promise<Outcome<Call>> {
  for (let tries = 0; tries < maxTries; tries++) {
    const found = await calls.find(companyId, id);
    if (found.kind === 'wrong_company') return refuse('wrong_company', 'That call belongs to another company.');
    if (found.kind === 'unknown') return refuse('not_found', 'There is no such call.');
    const call = found.value;
    const changed = change(call);
    if (changed.kind === 'refused') return changed;
    // What is told of a person who was erased comes too late.
    if (changed.value === call.screenPop || call.erasedAt !== null) return ok(call);
    const next = { ...call, screenPop: changed.value, version: call.version + 1 };
    if ((await calls.commitScreenPop(next)) === 'conflict') continue;
    softphones.callChanged(companyId, call.agentId, { ...callView(next), ...more });
    return ok(next);
  }
  throw new Error(`a call changed ${maxTries} times while its screen pop was changed`);
}
