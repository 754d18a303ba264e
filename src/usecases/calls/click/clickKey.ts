import type { ClickToDialAnswer } from '../../../contract/clickToDial.ts';
import { type JsonText, writeJson } from '../../../contract/jsonText.ts';
import { ledTeamsOf, type Principal } from '../../../domain/access.ts';
import type { Outcome } from '../../../domain/outcome.ts';
import { type BegunRequest, freeKey, type KeyNeeds, takeKey } from '../../concurrency/idempotencyKey.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import { tooSlow } from './dialEndings.ts';

/** Takes a click's key, or refuses the click at the deadline; a key that comes later is freed again. */
export async function beginInTime(
  services: KeyNeeds,
  principal: Principal,
  key: string,
  request: unknown,
  deadline: number,
): Promise<Outcome<BegunRequest>> {
  const beginning = begin(services, principal, key, request);
  const begun = await withDeadline(services.clock, deadline, beginning);
  if (begun !== null) return begun;
  const freeLate = async (late: Outcome<BegunRequest>) => {
    if (late.kind === 'ok' && late.value.kind === 'fresh')
      await freeKey(services, principal.companyId, late.value.held);
  };
  void beginning.then(freeLate, () => undefined);
  return tooSlow;
}

/**
 * Keys are the company's; to another agent, though, the same body is another request: it would dial from that agent's
 * softphone. So it is to a supervisor of some teams: the answer names an agent.
 */
async function begin(
  services: KeyNeeds,
  principal: Principal,
  key: string,
  request: unknown,
): Promise<Outcome<BegunRequest>> {
  const isOwn = principal.kind === 'agent' && (principal.role === 'agent' || ledTeamsOf(principal) !== null);
  const agentId = isOwn ? principal.agentId : null;
  const text = writeJson(request);
  return takeKey(services, principal.companyId, key, agentId === null ? text : `["${agentId}",${text}]`, {
    // An older version left the agent out and read numbers as doubles.
    // Delete this once no such gateway has run for 24 h.
    fingerprint: JSON.stringify(JSON.parse(text)),
    counts: (answer) => agentId === null || dialedFrom(answer) === agentId,
  });
}

/** The agent of a click's answer. */
function dialedFrom(answer: JsonText): unknown {
  return (answer.plain() as Partial<ClickToDialAnswer>).agent?.id;
}
