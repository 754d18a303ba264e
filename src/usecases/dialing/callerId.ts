import type { OutgoingNumber } from '../../contract/dialing.ts';
import type { AgentId, CompanyId, TeamId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { PhoneNumber } from '../../domain/phones/phoneNumbers.ts';
import { readPhone } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';

/**
 * The number that somebody asks to call by, which must be one of the company's outgoing ones.
 * @param input null: none is asked for
 */
export async function readCallerId(
  services: Pick<Services, 'companyOf'>,
  companyId: CompanyId,
  input: string | undefined,
): Promise<Outcome<PhoneNumber | null>> {
  if (input === undefined) return ok(null);
  const read = await readPhone(services, companyId, input);
  const { outgoing_numbers: numbers } = (await services.companyOf(companyId)).settings;
  if (read.kind === 'ok' && numbers.some(({ phone_number: number }) => number === read.value)) return read;
  return refuse('invalid_request', 'The company does not call by this number.', {
    errors: [{ path: 'caller_id', message: 'is none of the company’s outgoing numbers', code: 'not_outgoing' }],
  });
}

/**
 * The number that an agent’s calls show where none is asked for: the first that is the agent’s, else the first of a
 * team of theirs, else the first that is everybody’s. Null: as the PBX has it.
 */
export async function usualCallerId(
  { companyOf, ledAgents }: Pick<Services, 'companyOf' | 'ledAgents'>,
  companyId: CompanyId,
  agentId: AgentId,
): Promise<string | null> {
  const { outgoing_numbers: numbers } = (await companyOf(companyId)).settings;
  const isOfTeam = async ({ team_ids: teamIds }: OutgoingNumber) =>
    teamIds.length > 0 && (await ledAgents(companyId, teamIds as TeamId[])).includes(agentId);
  const own = numbers.find(({ agent_ids: agentIds }) => agentIds.includes(agentId));
  if (own !== undefined) return own.phone_number;
  for (const number of numbers) if (await isOfTeam(number)) return number.phone_number;
  return numbers.find(({ agent_ids: a, team_ids: t }) => a.length + t.length === 0)?.phone_number ?? null;
}
