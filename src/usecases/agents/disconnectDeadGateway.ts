import type { AgentId, CompanyId, NodeId } from '../../domain/ids.ts';
import { forEachConcurrently } from '../concurrency/forEachConcurrently.ts';
import type { Services } from '../services.ts';
import { changePresence } from './changePresence.ts';

/**
 * One gateway at a time disconnects a dead one's agents; should it die meanwhile, another goes on after this.
 * Milliseconds.
 */
const turnMs = 3_000;

type Needs = Pick<
  Services,
  'agentCard' | 'callLog' | 'clock' | 'nodes' | 'observer' | 'outbox' | 'presence' | 'softphones' | 'wakeDispatcher'
>;

/**
 * Marks the agents of a dead gateway as not connected. They get no calls from then on,
 * and find everything as it was when they come back within the grace. Safe when several gateways do it at once.
 */
export async function disconnectAgentsOf(services: Needs, nodeId: NodeId): Promise<void> {
  if (!(await services.nodes.takeTurn(`disconnect agents of:${nodeId}`, turnMs))) return;
  await disconnectAll(services, nodeId);
}

/**
 * Clears up after a gateway that is certainly dead: disconnects its agents and gives back the endpoints that it served.
 */
export async function clearUpAfter(services: Needs, nodeId: NodeId): Promise<void> {
  if (!(await services.nodes.takeTurn(`clear up after:${nodeId}`, turnMs))) return;
  await disconnectAll(services, nodeId);
  await Promise.all([services.outbox.release(nodeId), services.callLog.release(nodeId)]);
  services.wakeDispatcher(null);
  await services.nodes.retire(nodeId);
}

/** One failure does not stop the others; the first error is thrown once all have been tried. */
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
