import type { OwnDay } from '../../contract/reports.ts';
import type { Principal } from '../../domain/access.ts';
import { timesOfRange } from '../../domain/reportTimes.ts';
import { scopeOf } from '../contacts/contactScope.ts';
import type { Services } from '../services.ts';
import { nothing, written, writtenTimes } from './figures.ts';

type Needs = Pick<Services, 'clock' | 'reports' | 'companyOf' | 'tasks'>;

/** Tasks are counted no further. */
const mostTasks = 1_000;

/**
 * The agent's own calls of today in that time zone, in figures as a report has them,
 * and how much is due until midnight.
 */
export async function readOwnDay(
  services: Needs,
  principal: Extract<Principal, { kind: 'agent' }>,
  timeZone: string,
): Promise<OwnDay> {
  const { companyId, agentId } = principal;
  const until = new Date(services.clock.now());
  const { since, until: midnight } = timesOfRange('today', until, timeZone);
  const which = { since, until, agentIds: [agentId] };
  const scope = { agentIds: [agentId], contacts: await scopeOf(services, principal) };
  const [[counted = nothing], times, callbacksDue] = await Promise.all([
    services.reports.calls(companyId, which, 'agent', timeZone),
    services.reports.times(companyId, which, 'agent', timeZone, until),
    services.tasks.count(companyId, scope, { state: 'open', assigneeId: agentId, dueUntil: midnight }, mostTasks),
  ]);
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    time_zone: timeZone,
    ...written(counted),
    ...writtenTimes(times),
    callbacks_due: callbacksDue,
  };
}
