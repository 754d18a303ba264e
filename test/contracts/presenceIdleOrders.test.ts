import { describe, expect, it } from 'vitest';
import { createIdleOrders } from '../../src/adapters/memory/idleOrders.ts';
import type { AgentId } from '../../src/domain/ids.ts';
import { fresh, noon } from '../support/stores/presenceFixtures.ts';

describe('the idle orders of teams, in memory', () => {
  const agentIds = (count: number) => Array.from({ length: count }, () => fresh<AgentId>());
  const [agentId, other] = agentIds(2) as [AgentId, AgentId];
  const someTeams = (count: number) => Array.from({ length: count }, () => [agentId, other, ...agentIds(20)]);

  /** How many places are looked for when the agent becomes idle, between one who is idle longer and nobody. */
  function comparedAt(orders: ReturnType<typeof createIdleOrders>): number {
    let compared = 0;
    orders.delete(agentId);
    const counted = {
      valueOf() {
        compared += 1;
        return noon + 5;
      },
    };
    orders.set(agentId, counted as unknown as number);
    return compared;
  }

  it('are kept for the teams of the last hour alone', () => {
    let time = noon;
    const orders = createIdleOrders(() => time);
    orders.set(other, noon);
    const alone = comparedAt(orders);
    const [kept, ...former] = someTeams(10);
    for (const team of [kept!, ...former]) expect(orders.firstAmong(team, [])).toBe(other);
    expect(comparedAt(orders)).toBe(11 * alone);
    time += 3_000_000;
    expect(orders.firstAmong(kept!, [other])).toBe(agentId);
    time += 1_000_000;
    const [late] = someTeams(1);
    expect(orders.firstAmong(late!, [])).toBe(other);
    expect(comparedAt(orders)).toBe(3 * alone);
    expect([kept!, ...former, late!].map((team) => orders.firstAmong(team, [other]))).toEqual(
      Array.from({ length: 11 }, () => agentId),
    );
  });

  it('are kept for a thousand teams at most, those that were named last', () => {
    let time = noon;
    const orders = createIdleOrders(() => time);
    orders.set(other, noon);
    const alone = comparedAt(orders);
    const teams = someTeams(1_010);
    for (const team of teams) {
      time += 1;
      orders.firstAmong(team, []);
    }
    expect(comparedAt(orders)).toBe(1_001 * alone);
    expect(orders.firstAmong(teams[0]!, [other])).toBe(agentId);
  });
});
