import { eventually } from '../../support/time/waiting.ts';
import type { Scenario } from '../scenario.ts';
import type { World } from '../world.ts';

/** Until the balancer sends requests to all of them. */
async function allInRotation({ cluster }: World): Promise<void> {
  const all = cluster.gateways.map(({ nodeName }) => nodeName);
  await eventually(async () => {
    const now = (await cluster.balancer?.inRotation()) ?? all;
    return all.every((name) => now.includes(name));
  });
}

/** Every gateway ends in order and starts again, one after the other, while callers come through the balancer. */
export const rolledOut: Scenario = {
  name: 'all gateways are restarted in order, one after the other',
  through: 'balancer',
  // A named agent may be busy, roll-out or not.
  kinds: ['any', 'any', 'any', 'keyed'],
  isLight: true,
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      for (const gateway of world.cluster.gateways) {
        world.ledger.did(`${gateway.nodeName}: is asked to end`);
        await gateway.stop();
        world.ledger.did(`${gateway.nodeName}: has ended`);
        await world.startAgain(gateway);
        await allInRotation(world);
      }
    }
    world.findings.push(noFailedClick(world));
  },
};

function noFailedClick({ ledger }: World) {
  const violations: string[] = [];
  let slowest = 0;
  for (const { id, tries } of ledger.clicks) {
    for (const { answer, sentAt, answeredAt } of tries) {
      if (answer === null) continue;
      slowest = Math.max(slowest, Math.round((answeredAt ?? 0) - sentAt));
      const isFine =
        answer.kind === 'dialed' || (answer.kind === 'refused' && answer.code === 'idempotency_in_progress');
      if (!isFine)
        violations.push(`click ${id} sent at ${sentAt}, answered at ${answeredAt}: ${JSON.stringify(answer)}`);
    }
  }
  const others = [...ledger.requests].filter(([what]) => !/ (200|404)$/.test(what));
  for (const [what, count] of others) violations.push(`${what}: ${count} times`);
  return {
    invariant: 'no request fails',
    figures: { clicks: ledger.clicks.length, 'slowest ms': slowest },
    violations,
  };
}
