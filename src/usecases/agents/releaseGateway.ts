import type { AgentId, CompanyId, NodeId } from '../../domain/ids.ts';
import { inParallel } from '../inParallel.ts';
import type { Services } from '../services.ts';
import { changePresence } from './changePresence.ts';

/** One gateway at a time releases a dead one's agents; should it die over it, another goes on after this. */
const turnMs = 3_000;

type Needs = Pick<
  Services,
  'agentCard' | 'clock' | 'nodes' | 'observer' | 'outbox' | 'presence' | 'softphones' | 'wakeDispatcher'
>;

/**
 * Takes over from a gateway that is dead. Its agents are treated as what they are: not connected. They are unroutable
 * from then on and find everything as it was when they are back within the grace. Each is released once, whoever else
 * releases too. The webhooks that it was sending are due again.
 */
export async function releaseGateway(services: Needs, nodeId: NodeId): Promise<void> {
  if (!(await services.nodes.takeTurn(`release:${nodeId}`, turnMs))) return;
  for await (const { companyId, agentIds } of services.nodes.agentsOf(nodeId)) {
    await inParallel(agentIds, (agentId) => releaseAgent(services, companyId, agentId, nodeId));
  }
  await services.outbox.release(nodeId, 'all', new Date(services.clock.now()));
  services.wakeDispatcher();
  await services.nodes.retire(nodeId);
}

async function releaseAgent(services: Needs, companyId: CompanyId, agentId: AgentId, nodeId: NodeId): Promise<void> {
  const presence = await services.presence.find(companyId, agentId);
  if (presence === null || presence.nodeId !== nodeId || presence.lease === null) return;
  const command = { type: 'lose_connection', lease: presence.lease } as const;
  const changed = await changePresence(services, companyId, agentId, command, presence);
  if (changed.kind === 'changed') services.observer.repaired('dead_gateway');
}
