import type { Call } from '../../../domain/calls.ts';
import type { AgentCard, CompanySettings } from '../../../domain/company.ts';
import type { CallId, CompanyId } from '../../../domain/ids.ts';
import type { FindResult } from '../../../ports/queryResults.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import type { Services } from '../../services.ts';
import { callView } from '../../views/callView.ts';

export type CallContext = { settings: CompanySettings; agent: AgentCard; at: Date };
export type Changed<R> = { kind: 'changed'; call: Call } | { kind: 'kept'; call: Call; why: R };
type Decision<R> = { kind: 'changed'; call: Call; events: OutboxEvent[] } | { kind: 'kept'; why: R };

type Needs = Pick<Services, 'calls' | 'settings' | 'agentCard' | 'clock' | 'softphones' | 'wakeDispatcher'>;

/** One call is changed by its softphone, its agent, a supervisor and the reaper: rarely at once. */
const maxTries = 20;

/**
 * Changes a call together with the events it announces, in one transaction: decide on what is stored, write if it
 * is still so, else decide anew. Tells the agent's softphone.
 */
export async function changeCall<R>(
  services: Needs,
  companyId: CompanyId,
  callId: CallId,
  decide: (call: Call, context: CallContext) => Decision<R>,
): Promise<FindResult<Changed<R>>> {
  for (let tries = 0; tries < maxTries; tries++) {
    const found = await services.calls.find(companyId, callId);
    if (found.kind !== 'found') return found;
    const call = found.value;
    const [settings, agent] = await Promise.all([
      services.settings(companyId),
      services.agentCard(companyId, call.agentId),
    ]);
    const decision = decide(call, { settings, agent, at: new Date(services.clock.now()) });
    if (decision.kind === 'kept') return { kind: 'found', value: { kind: 'kept', call, why: decision.why } };
    if ((await services.calls.commit(decision.call, decision.events)) === 'conflict') continue;
    if (decision.events.length > 0) services.wakeDispatcher();
    services.softphones.callChanged(companyId, call.agentId, callView(decision.call));
    return { kind: 'found', value: { kind: 'changed', call: decision.call } };
  }
  throw new Error(`a call changed ${maxTries} times during one command`);
}
