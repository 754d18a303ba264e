import { describe, expect, it } from 'vitest';
import { disconnectAgentsOf } from '../../../src/usecases/agents/disconnectDeadGateway.ts';
import type { NodeId } from '../../../src/domain/ids.ts';

type Needs = Parameters<typeof disconnectAgentsOf>[0];

describe('the agents of a dead gateway', () => {
  it('are all tried though one of them fails, in every company, and the failure is told', async () => {
    const tried: string[] = [];
    const agentIds = Array.from({ length: 200 }, (_, number) => `agent-${String(number)}`);
    const services = {
      nodes: {
        takeTurn: async () => true,
        async *agentsOf() {
          for (const companyId of ['first', 'second']) yield { companyId, agentIds };
        },
      },
      presence: {
        find: async (companyId: string, agentId: string) => {
          tried.push(`${companyId} ${agentId}`);
          if (tried.length === 1) throw new Error('broken');
          return null;
        },
      },
    } as unknown as Needs;
    const failed = await disconnectAgentsOf(services, 'dead' as NodeId).then(
      () => null,
      (error: unknown) => error,
    );
    expect((failed as Error).cause).toMatchObject({ message: 'broken' });
    expect(new Set(tried).size).toBe(400);
  });
});
