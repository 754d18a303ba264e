import { platformName } from '../../contract/platforms.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Presence } from '../../domain/presence.ts';
import type { DialedFor, PlatformAgent } from '../../ports/cti.ts';
import type { PresenceChange } from '../agents/changePresence.ts';
import { limitRate } from '../integrations/endpointRequest.ts';
import type { Services } from '../services.ts';

/** A person waits for it. Milliseconds. */
const askWithinMs = 5_000;
/** Of one agent: more than anybody needs, and nothing that a platform would mind. */
const requests = { limit: 30, windowSeconds: 60 };

type Needs = Pick<Services, 'ctiConnections' | 'platformAgents' | 'platformStates' | 'companyOf'>;
type AskNeeds = Needs & Pick<Services, 'counters'>;
type Wanted = { state: 'ready' | 'not_ready' | 'offline'; reason: string | null };

/**
 * Asks the platform that sets an agent's state for a change that was refused here for that. The state stays as it is
 * until the platform tells of it. Null: it was refused for something else, or this platform cannot be asked. Refuses
 * with `conflict`, `rate_limited` and `dependency_unavailable`.
 */
export async function askOwner(
  services: AskNeeds,
  change: PresenceChange,
  { reason, state }: Wanted,
): Promise<Outcome<Presence> | null> {
  if (change.kind !== 'refused' || change.code !== 'platform_owned' || state === 'offline') return null;
  const { current } = change;
  const connector = current?.platform?.connector ?? null;
  if (current === null || connector === null) return null;
  const agent = await askable(
    services,
    await services.platformAgents.ofAgent(current.companyId, current.agentId),
    connector,
  );
  if (agent === null) return null;
  const tooMany = await limitRate(
    services.counters,
    `states asked for at platforms for ${current.agentId}`,
    'changes of state',
    requests,
  );
  if (tooMany !== null) return tooMany;
  const asked = await services.platformStates.ask(agent, { state, reason }, askWithinMs);
  if (asked.kind === 'taken') return ok(current);
  const name = platformName(connector);
  const params = { name, words: asked.said };
  return asked.kind === 'refused'
    ? refuse('conflict', `${name} did not take the state: ${asked.said}`, {
        cause: { code: 'platform_refused_state', params },
      })
    : refuse('dependency_unavailable', `${name} may not have taken the state: ${asked.said}`, {
        retryAfterSeconds: 5,
        cause: { code: 'platform_without_state', params },
      });
}

/** The platforms of a company that can be asked for an agent's state. */
export async function platformsThatTakeStates(
  services: Needs,
  companyId: CompanyId,
  agentId: AgentId,
): Promise<string[]> {
  if (!(await services.companyOf(companyId)).hasPlatforms) return [];
  const known = await services.platformAgents.ofAgent(companyId, agentId);
  const connectors = [...new Set(known.map(({ connector }) => connector))];
  const found = await Promise.all(connectors.map((connector) => askable(services, known, connector)));
  return connectors.filter((_connector, index) => found[index] !== null);
}

/** @param known as whom platforms know the agent */
async function askable(
  { ctiConnections, platformStates }: Pick<Needs, 'ctiConnections' | 'platformStates'>,
  known: readonly PlatformAgent[],
  connector: string,
): Promise<DialedFor | null> {
  const one = known.find((agent) => agent.connector === connector);
  const connection = one === undefined ? null : await ctiConnections.find(one.companyId, connector);
  if (connection === null || one === undefined) return null;
  const agent = { connection, platformId: one.platformId, accountEncrypted: one.accountEncrypted };
  return platformStates.takes(agent) ? agent : null;
}
