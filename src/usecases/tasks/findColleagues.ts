import type { ColleagueList, ColleaguesQuery } from '../../contract/colleagues.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { partPattern, wordsOf } from '../../domain/searchText.ts';
import type { Services } from '../services.ts';

/** The company's active people whose names or codes have all of these words, by name. Machines are nobody's colleagues. */
export async function findColleagues({ agents }: Pick<Services, 'agents'>, companyId: CompanyId, { q, limit }: ColleaguesQuery): Promise<ColleagueList> {
  const found = await agents.search(companyId, wordsOf(q).map(partPattern), limit);
  return { colleagues: found.map(({ id, name, agentCode }) => ({ id, name, agent_code: agentCode })) };
}
