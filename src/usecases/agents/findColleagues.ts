import type { ColleagueList, ColleaguesQuery } from '../../contract/colleagues.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { holdsWords, wordsOf } from '../../domain/searchText.ts';
import type { Colleague } from '../../ports/colleagues.ts';
import type { Services } from '../services.ts';

/**
 * The company's active people whose names or codes have all of these words, whoever can take a call soonest first.
 * Machines are nobody's colleagues. Without the presence store they are found by name, without their states, and nobody
 * is in the state that was asked for. Refuses a team that the company has not.
 */
export async function findColleagues(
  { colleagues }: Pick<Services, 'colleagues'>,
  companyId: CompanyId,
  { q, limit, state, team_code: code }: ColleaguesQuery,
): Promise<Outcome<ColleagueList>> {
  const team = code === undefined ? undefined : await colleagues.team(companyId, code);
  if (team === null) return refuse('unknown_team', 'The company has no such team.');
  const words = wordsOf(q);
  const found: Colleague[] = [];
  for (const one of await colleagues.people(companyId)) {
    if (found.length === limit) break;
    const fits =
      (state === undefined || one.state === state) &&
      (team === undefined || team.has(one.id)) &&
      holdsWords(one.text, words);
    if (fits) found.push(one);
  }
  return ok({
    colleagues: found.map(({ id, name, agentCode, extension, state: doing, since }) => ({
      id,
      name,
      agent_code: agentCode,
      state: doing,
      since: since?.toISOString() ?? null,
      extension,
    })),
  });
}
