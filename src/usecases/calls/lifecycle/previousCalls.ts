import type { PreviousCallsView } from '../../../contract/previousCalls.ts';
import { isWithin, type Principal } from '../../../domain/access.ts';
import type { Call } from '../../../domain/calls.ts';
import type { CallId, CompanyId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../../domain/outcome.ts';
import { isAtCall } from '../../../domain/presence.ts';
import type { PhoneNumber } from '../../../domain/phones/phoneNumbers.ts';
import { agentScopeOf } from '../../agents/agentScope.ts';
import { activityView } from '../../contacts/contactViews.ts';
import type { Services } from '../../services.ts';
import { findCall } from './readCalls.ts';

const shown = 5;

/** A page that asks just when its call ends is answered: the call may have ended on the way. Milliseconds. */
const readableAfterMs = 60_000;

/**
 * The calls with the number of a call before it, whoever had them. An agent, who else sees only the own calls,
 * reads them while the call lasts or is wrapped up, and for a minute after it. Refuses with `not_found`,
 * `wrong_company` and `role_required`.
 */
export async function readPreviousCalls(
  services: Pick<Services, 'calls' | 'clock' | 'ledAgents' | 'presence'>,
  principal: Principal,
  id: CallId,
): Promise<Outcome<PreviousCallsView>> {
  const found = await findCall(services, principal, id);
  if (found.kind === 'refused') return found;
  const call = found.value;
  if (!(await maySeePrevious(services, principal, call))) {
    return refuse(
      'role_required',
      'An agent reads the calls before an own one while that lasts or is wrapped up, and for a minute after it.',
    );
  }
  // Nobody knows whose calls those of withheld numbers are.
  return ok(
    call.phone === null
      ? { calls: [], last_spoken: null }
      : await previousCalls(services, principal.companyId, call.phone, call.id),
  );
}

/** Whether a call is one that the principal is at, or of an agent whom it sees. */
export async function maySeePrevious(
  services: Pick<Services, 'clock' | 'ledAgents' | 'presence'>,
  principal: Principal,
  call: Call,
): Promise<boolean> {
  const { clock, presence } = services;
  const { companyId } = principal;
  if (!isWithin(await agentScopeOf(services, principal), call.agentId)) return false;
  if (principal.kind === 'company_key' || principal.role !== 'agent' || call.state !== 'ended') return true;
  if (call.endedAt !== null && clock.now() < call.endedAt.getTime() + readableAfterMs) return true;
  const present = await presence.find(companyId, principal.agentId);
  return present !== null && isAtCall(present, call.id);
}

/** The last calls with a number, and who spoke last. @param before a call; null: all are told */
export async function previousCalls(
  { calls }: Pick<Services, 'calls'>,
  companyId: CompanyId,
  phone: PhoneNumber,
  before: CallId | null,
): Promise<PreviousCallsView> {
  const { calls: latest, lastSpoken } = await calls.previous(companyId, phone, before, shown);
  return {
    calls: latest.map(({ id, ...call }) => activityView({ kind: 'call', id, call })),
    last_spoken:
      lastSpoken === null
        ? null
        : {
            at: (lastSpoken.endedAt ?? lastSpoken.createdAt).toISOString(),
            agent: { id: lastSpoken.agentId, name: lastSpoken.agentName },
          },
  };
}
