import type { AgentId, CallId, CompanyId, Lease } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { Presence } from '../../domain/presence.ts';
import { changePresence } from '../agents/changePresence.ts';
import { refusedChange } from '../agents/refusedChange.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'agentCard' | 'observer' | 'presence' | 'settings' | 'softphones'>;

/**
 * Lets an agent who is typing finish the wrap-up of that call, up to the company's maximum. Once more while enough time
 * is left changes nothing.
 */
export async function extendWrapUp(
  services: Needs,
  { companyId, agentId, lease }: { companyId: CompanyId; agentId: AgentId; lease: Lease },
  callId: CallId,
): Promise<Outcome<Presence>> {
  const { wrapUpSeconds, wrapUpMaxSeconds } = await services.settings(companyId);
  const maxMs = Math.max(wrapUpSeconds, wrapUpMaxSeconds) * 1000;
  const changed = await changePresence(services, companyId, agentId, { type: 'extend_wrap_up', callId, lease, maxMs });
  if (changed.kind === 'changed') return ok(changed.after);
  if (changed.kind === 'unchanged' && changed.current !== null) return ok(changed.current);
  return refusedChange(changed, 'extend the wrap-up of that call');
}
