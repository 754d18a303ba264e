import type { DialVia } from '../../contract/ctiConnections.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import { platformSilenceMs, type Presence } from '../../domain/presence.ts';
import type { PlatformAgent } from '../../ports/cti.ts';
import type { Page } from '../../ports/queryResults.ts';
import { followPlatform } from '../agents/platformState.ts';
import { forEachConcurrently } from '../concurrency/forEachConcurrently.ts';
import type { Services } from '../services.ts';

type Needs = Pick<
  Services,
  'agentCard' | 'clock' | 'ctiConnections' | 'observer' | 'platformAgents' | 'presence' | 'companyOf' | 'softphones'
>;

/**
 * Has an agent do what its platform told last, if it told within the time for which that holds.
 * @returns the presence afterwards; null: nothing was changed
 */
export async function followStoredState(
  services: Omit<Needs, 'companyOf' | 'ctiConnections' | 'platformAgents'>,
  known: PlatformAgent,
  dialsBy: DialVia,
): Promise<Presence | null> {
  const { agentId, companyId, connector, reason, state, stateAt } = known;
  if (
    agentId === null ||
    state === null ||
    stateAt === null ||
    stateAt.getTime() < services.clock.now() - platformSilenceMs
  )
    return null;
  const followed = await followPlatform(services, {
    companyId,
    agentId,
    connector,
    state,
    reason,
    callId: null,
    dialsBy,
  });
  return followed.kind === 'changed' ? followed.after : null;
}

/**
 * An agent who opens a softphone may be at work at a platform, which told so before there was a presence to tell.
 * @returns as followStoredState
 */
export async function followPlatformOf(
  services: Needs,
  companyId: CompanyId,
  agentId: AgentId,
): Promise<Presence | null> {
  if (!(await services.companyOf(companyId)).hasPlatforms) return null;
  const [latest] = await services.platformAgents.ofAgent(companyId, agentId);
  const connection = latest === undefined ? null : await services.ctiConnections.find(companyId, latest.connector);
  return latest === undefined || connection === null ? null : followStoredState(services, latest, connection.dialVia);
}

const batch = 500;

/**
 * At start, where presence may have been lost: whom platforms have told to be at work is at work again.
 * @returns how many
 */
export async function restorePlatformAgents(services: Needs): Promise<number> {
  const since = new Date(services.clock.now() - platformSilenceMs);
  let restored = 0;
  let cursor: string | null = null;
  do {
    const page: Page<PlatformAgent> = await services.platformAgents.atWork(since, { cursor, limit: batch });
    await forEachConcurrently(page.items, async (known) => {
      const { agentId, companyId, connector } = known;
      if (agentId === null || (await services.presence.find(companyId, agentId)) !== null) return;
      const connection = await services.ctiConnections.find(companyId, connector);
      if (connection !== null && (await followStoredState(services, known, connection.dialVia)) !== null) restored += 1;
    });
    cursor = page.nextCursor;
  } while (cursor !== null);
  return restored;
}
