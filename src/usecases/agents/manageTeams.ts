import type { CreateTeamRequest, TeamView, UpdateTeamRequest } from '../../contract/teams.ts';
import { ledTeamsOf, type Principal } from '../../domain/access.ts';
import { type AgentId, type CompanyId, type TeamId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { Team, TeamRefused } from '../../ports/teams.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'teams'>;

/** How many teams a company can have. */
const maxTeams = 500;

/**
 * Makes a team. Refuses a code that another one has, agents whom the company has not,
 * and more teams than a company can have.
 */
export async function createTeam(
  { teams, clock, newId }: Needs & Pick<Services, 'clock' | 'newId'>,
  companyId: CompanyId,
  { code, name, agent_ids }: CreateTeamRequest,
): Promise<Outcome<TeamView>> {
  const at = new Date(clock.now());
  const team: Team = {
    companyId,
    id: toId<TeamId>(newId()),
    code,
    name,
    agentIds: idsOf(agent_ids),
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const created = await teams.create(team, maxTeams);
  if (created === 'too_many') {
    return refuse('conflict', `A company has at most ${maxTeams} teams.`, {
      cause: { code: 'too_many_teams', params: { max: maxTeams } },
    });
  }
  return created === 'created' ? ok(teamView(team)) : refusalOf(created);
}

/** The company's teams, in order of their names; a supervisor of some teams sees these alone. */
export async function listTeams({ teams }: Needs, principal: Principal): Promise<{ teams: TeamView[] }> {
  return { teams: (await teams.list(principal.companyId, ledTeamsOf(principal))).map(teamView) };
}

/** One team, as far as the caller sees it. */
export async function readTeam({ teams }: Needs, principal: Principal, id: string): Promise<Outcome<TeamView>> {
  const found = await teams.find(principal.companyId, toId(id));
  return found === null || !isShown(principal, found.id) ? noSuchTeam : ok(teamView(found));
}

function isShown(principal: Principal, id: TeamId): boolean {
  return ledTeamsOf(principal)?.includes(id) ?? true;
}

/**
 * Changes a team and who is in it. Clicks that have chosen their agent already go on;
 * those who lead it see who is in it now.
 * @param expected the version that the caller has read: another one now is refused. Null: whatever it is
 */
export async function updateTeam(
  { teams, clock, softphones }: Needs & Pick<Services, 'clock' | 'softphones'>,
  companyId: CompanyId,
  id: string,
  body: UpdateTeamRequest,
  expected: number | null,
): Promise<Outcome<TeamView>> {
  const before = await teams.find(companyId, toId(id));
  if (before === null) return noSuchTeam;
  if (expected !== null && expected !== before.version) return changedMeanwhile(before.version);
  const { code = before.code, name = before.name } = body;
  const agentIds = body.agent_ids === undefined ? before.agentIds : idsOf(body.agent_ids);
  const after: Team = {
    ...before,
    code,
    name,
    agentIds,
    version: before.version + 1,
    updatedAt: new Date(clock.now()),
  };
  const updated = await teams.update(after, body.agent_ids !== undefined);
  if (updated === 'not_updated') return changedMeanwhile(before.version + 1);
  if (updated !== 'updated') return refusalOf(updated);
  softphones.rightsChanged(companyId);
  return ok(teamView(after));
}

/** Takes a team away; its agents stay. Who leads no other one sees nobody then, until an admin says whom. */
export async function removeTeam(
  { teams, softphones }: Needs & Pick<Services, 'softphones'>,
  companyId: CompanyId,
  id: string,
): Promise<Outcome<null>> {
  if (!(await teams.remove(companyId, toId(id)))) return noSuchTeam;
  softphones.rightsChanged(companyId);
  return ok(null);
}

/**
 * Who is in the team with that code. Refuses with `unknown_team`.
 * @param of teams that may be named; null: any of the company
 */
export async function membersOfTeam(
  { teams }: Needs,
  companyId: CompanyId,
  of: readonly TeamId[] | null,
  code: string,
): Promise<Outcome<readonly AgentId[]>> {
  const team = await teams.membersOf(companyId, code);
  return team === null || of?.includes(team.id) === false
    ? refuse('unknown_team', 'The company has no such team, or it is not shown to you.')
    : ok(team.agentIds);
}

const noSuchTeam = refuse('not_found', 'There is no such team, or it is not shown to you.');

function changedMeanwhile(version: number): Refused {
  return refuse('conflict', 'The team was changed meanwhile.', {
    cause: { code: 'changed_meanwhile', params: { version } },
  });
}

function refusalOf(refused: TeamRefused): Refused {
  return refused.kind === 'taken'
    ? refuse('conflict', 'Another team of the company has this code.', {
        errors: [{ path: 'code', message: 'is taken', code: 'taken' }],
      })
    : refuse('invalid_request', 'The company has no such agent.', {
        errors: [{ path: `agent_ids.${refused.place}`, message: 'is none of the company', code: 'not_of_company' }],
      });
}

/** In the order in which they were given: a refusal names the place. */
function idsOf(given: string[]): AgentId[] {
  return given.map((id) => toId<AgentId>(id));
}

function teamView({ id, code, name, agentIds, version, createdAt, updatedAt }: Team): TeamView {
  return {
    id,
    code,
    name,
    agent_ids: agentIds.toSorted(),
    version,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
