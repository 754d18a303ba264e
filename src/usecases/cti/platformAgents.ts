import type { AgentStateEvent } from '../../connectors/connector.ts';
import type { PlatformAgentView } from '../../contract/ctiConnections.ts';
import { type AgentId, type CompanyId, toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import { datedAt } from '../../domain/platformCalls.ts';
import type { CtiConnection, PlatformAgent } from '../../ports/cti.ts';
import type { PageRequest } from '../../ports/queryResults.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import { findAgent } from '../agents/findAgent.ts';
import { followPlatform, leavePlatform } from '../agents/platformState.ts';
import type { CallServices, Services } from '../services.ts';
import { accountAtPlatform, noConnection } from './companyAccount.ts';
import { withoutSecrets } from './accountSettings.ts';
import { agentSettings, noPlatformAgent } from './agentAccount.ts';
import { endCallsLeftBehind } from './silentCalls.ts';
import { followStoredState } from './storedStates.ts';
import { longestText, meetAgent, namesAreIds } from './meetAgent.ts';

type Needs = CallServices & Pick<Services, 'platformAgents'>;

/**
 * A platform says what its agent does: from now on that is what the agent does here. Older news than the last changes
 * nothing. A platform's word that an agent is free ends the calls of that platform which the agent is still on by our
 * record: their end was lost.
 */
export async function takeAgentState(
  services: Needs,
  connection: CtiConnection,
  event: AgentStateEvent,
): Promise<void> {
  const { companyId, connector } = connection;
  const known = await meetAgent(services, connection, event.agent);
  if (known === null) return;
  const at = datedAt(event.at, services.clock.now());
  const { state } = event;
  const reason = event.reason?.slice(0, longestText) ?? null;
  if (!(await services.platformAgents.noteState(companyId, connector, known.platformId, { state, reason, at }))) return;
  const { agentId } = known;
  if (agentId === null) return;
  if (state === 'ready' || state === 'wrap_up' || state === 'offline')
    await endCallsLeftBehind(services, connection, agentId, at);
  const presence = await services.presence.find(companyId, agentId);
  const callId = presence?.platform?.callId ?? null;
  // On a call, whatever else is told: the states that a platform shows beside a call are those of its queues.
  const shown =
    callId === null || state === 'reserved' ? { state, reason } : ({ state: 'on_call', reason: null } as const);
  await followPlatform(services, { companyId, agentId, connector, ...shown, callId, dialsBy: connection.dialVia });
}

/** How agents of a platform and of the company belong together. Refuses with `not_found`. */
export async function listPlatformAgents(
  { cipher, ctiConnections, platformAgents }: Pick<Services, 'cipher' | 'ctiConnections' | 'platformAgents'>,
  companyId: CompanyId,
  connector: string,
  page: PageRequest,
): Promise<Outcome<{ agents: PlatformAgentView[]; next_cursor: string | null }>> {
  const connection = await ctiConnections.find(companyId, connector);
  if (connection === null) return noConnection;
  const { items, nextCursor } = await platformAgents.list(companyId, connector, page);
  return ok({ agents: items.map((one) => platformAgentView(cipher, connection, one)), next_cursor: nextCursor });
}

/**
 * Says which of the company's agents an agent of a platform is, whether the platform has told of it or will; null: it
 * is found by e-mail address or agent code again. Whoever it was before is its own master from now on. Refuses with
 * `not_found`, `unknown_agent` and `wrong_company`.
 */
export async function mapPlatformAgent(
  services: Needs & Pick<Services, 'agents' | 'cipher' | 'ctiConnections'>,
  companyId: CompanyId,
  { connector, platform_id: platformId }: { connector: string; platform_id: string },
  agentId: string | null,
): Promise<Outcome<PlatformAgentView>> {
  const connection = await services.ctiConnections.find(companyId, connector);
  if (connection === null) return noConnection;
  if (agentId !== null) {
    const found = await findAgent(services, companyId, agentId);
    if (found.kind === 'refused') return found;
  }
  const before = await services.platformAgents.find(companyId, connector, platformId);
  const mapped = await services.platformAgents.map(
    companyId,
    connector,
    platformId,
    agentId === null ? null : toId<AgentId>(agentId),
    namesAreIds(connector),
  );
  if (mapped === null) return noPlatformAgent;
  if (before !== null && before.agentId !== null && before.agentId !== mapped.agentId)
    await leavePlatform(services, { companyId, agentId: before.agentId, connector });
  await followStoredState(services, mapped, connection.dialVia);
  return ok(platformAgentView(services.cipher, connection, mapped));
}

function platformAgentView(cipher: SecretCipher, connection: CtiConnection, agent: PlatformAgent): PlatformAgentView {
  const fields = accountAtPlatform(connection.connector)?.agentFields ?? [];
  const { accountEncrypted, platformId } = agent;
  return {
    platform_id: agent.platformId,
    email: agent.email,
    name: agent.name,
    agent_id: agent.agentId,
    matched_by: agent.matchedBy,
    state: agent.state,
    reason: agent.reason,
    state_at: agent.stateAt?.toISOString() ?? null,
    account:
      fields.length === 0
        ? null
        : { settings: withoutSecrets(fields, agentSettings(cipher, { connection, platformId, accountEncrypted })) },
    seen_at: agent.seenAt.toISOString(),
  };
}
