import type { CreateTeamRequest, TeamView, UpdateTeamRequest } from '../../contract/teams.ts';
import { type AgentId, type CompanyId, type TeamId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { Team, TeamRefused } from '../../ports/teams.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'teams'>;

/** How many teams a company can have. */
const maxTeams = 500;

/** Makes a team. Refuses a code that another one has, agents whom the company has not, and more teams than a company can have. */
export async function createTeam({ teams, clock, newId }: Needs & Pick<Services, 'clock' | 'newId'>, companyId: CompanyId, { code, name, agent_ids }: CreateTeamRequest): Promise<Outcome<TeamView>> {
  const at = new Date(clock.now());
  const team: Team = { companyId, id: toId<TeamId>(newId()), code, name, agentIds: idsOf(agent_ids), version: 1, createdAt: at, updatedAt: at };
  const created = await teams.create(team, maxTeams);
  if (created === 'too_many') return refuse('conflict', `A company has at most ${maxTeams} teams.`, { cause: { code: 'too_many_teams', params: { max: maxTeams } } });
  return created === 'created' ? ok(teamView(team)) : refusalOf(created);
}

/** The company's teams, in order of their names. */
export async function listTeams({ teams }: Needs, companyId: CompanyId): Promise<{ teams: TeamView[] }> {
  return { teams: (await teams.list(companyId)).map(teamView) };
}

/** One team. */
export async function readTeam({ teams }: Needs, companyId: CompanyId, id: string): Promise<Outcome<TeamView>> {
  const found = await teams.find(companyId, toId(id));
  return found === null ? noSuchTeam : ok(teamView(found));
}

/**
 * Changes a team and who is in it. Clicks that have chosen their agent already go on.
 * @param expected the version that the caller has read: another one now is refused. Null: whatever it is
 */
export async function updateTeam({ teams, clock }: Needs & Pick<Services, 'clock'>, companyId: CompanyId, id: string, body: UpdateTeamRequest, expected: number | null): Promise<Outcome<TeamView>> {
  const before = await teams.find(companyId, toId(id));
  if (before === null) return noSuchTeam;
  if (expected !== null && expected !== before.version) return changedMeanwhile(before.version);
  const { code = before.code, name = before.name } = body;
  const agentIds = body.agent_ids === undefined ? before.agentIds : idsOf(body.agent_ids);
  const after: Team = { ...before, code, name, agentIds, version: before.version + 1, updatedAt: new Date(clock.now()) };
  const updated = await teams.update(after, body.agent_ids !== undefined);
  if (updated === 'not_updated') return changedMeanwhile(before.version + 1);
  return updated === 'updated' ? ok(teamView(after)) : refusalOf(updated);
}

/** Takes a team away; its agents stay. */
export async function removeTeam({ teams }: Needs, companyId: CompanyId, id: string): Promise<Outcome<null>> {
  return (await teams.remove(companyId, toId(id))) ? ok(null) : noSuchTeam;
}

/** Who is in the team with that code. Refuses with `unknown_team`. */
export async function membersOfTeam({ teams }: Needs, companyId: CompanyId, code: string): Promise<Outcome<AgentId[]>> {
  const members = await teams.membersOf(companyId, code);
  return members === null ? refuse('unknown_team', 'The company has no such team.') : ok(members);
}

const noSuchTeam = refuse('not_found', 'There is no such team.');

function changedMeanwhile(version: number): Refused {
  return refuse('conflict', 'The team was changed meanwhile.', { cause: { code: 'changed_meanwhile', params: { version } } });
}

function refusalOf(refused: TeamRefused): Refused {
  return refused.kind === 'taken'
    ? refuse('conflict', 'Another team of the company has this code.', { errors: [{ path: 'code', message: 'is taken', code: 'taken' }] })
    : refuse('invalid_request', 'The company has no such agent.', { errors: [{ path: `agent_ids.${refused.place}`, message: 'is none of the company', code: 'not_of_company' }] });
}

/** In the order in which they were given: a refusal names the place. */
function idsOf(given: string[]): AgentId[] {
  return given.map((id) => toId<AgentId>(id));
}

function teamView({ id, code, name, agentIds, version, createdAt, updatedAt }: Team): TeamView {
  return { id, code, name, agent_ids: agentIds.toSorted(), version, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
