import type { AgentId, CompanyId, NodeId } from '../../domain/ids.ts';
import { forEachConcurrently } from '../concurrency/forEachConcurrently.ts';
import type { Services } from '../services.ts';
import { changePresence } from './changePresence.ts';

/** One gateway at a time disconnects a dead one's agents; should it die over it, another goes on after this. */
const turnMs = 3_000;

type Needs = Pick<
  Services,
  'agentCard' | 'clock' | 'nodes' | 'observer' | 'outbox' | 'presence' | 'softphones' | 'wakeDispatcher'
>;

/**
 * Treats the agents of a gateway that is dead as what they are: not connected. They are unroutable from then on and find
 * everything as it was when they are back within the grace. Each is disconnected once, whoever else does the same.
 */
export async function disconnectAgentsOf(services: Needs, nodeId: NodeId): Promise<void> {
  if (!(await services.nodes.takeTurn(`release:${nodeId}`, turnMs))) return;
  await disconnectAll(services, nodeId);
}

/** The end of a gateway that is certainly dead: its agents are disconnected, and the webhooks that it held are due again. */
export async function takeOver(services: Needs, nodeId: NodeId): Promise<void> {
  if (!(await services.nodes.takeTurn(`take over:${nodeId}`, turnMs))) return;
  await disconnectAll(services, nodeId);
  await services.outbox.release(nodeId, 'all', new Date(services.clock.now()));
  services.wakeDispatcher();
  await services.nodes.retire(nodeId);
}

/** One agent's failure does not keep the others connected; the first one is thrown once all have been tried. */
async function disconnectAll(services: Needs, nodeId: NodeId): Promise<void> {
  let failure: { cause: unknown } | null = null;
  for await (const { companyId, agentIds } of services.nodes.agentsOf(nodeId)) {
    await forEachConcurrently(agentIds, (agentId) =>
      disconnect(services, companyId, agentId, nodeId).catch((cause: unknown) => void (failure ??= { cause })),
    );
  }
  if (failure !== null) throw new Error('an agent of a dead gateway could not be disconnected', failure);
}

async function disconnect(services: Needs, companyId: CompanyId, agentId: AgentId, nodeId: NodeId): Promise<void> {
  const presence = await services.presence.find(companyId, agentId);
  if (presence === null || presence.nodeId !== nodeId || presence.lease === null) return;
  const command = { type: 'lose_connection', lease: presence.lease } as const;
  const changed = await changePresence(services, companyId, agentId, command, presence);
  if (changed.kind === 'changed') services.observer.repaired('dead_gateway');
}
