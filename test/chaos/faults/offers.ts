import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterGateway } from '../../../demo/cluster/gateway.ts';
import { eventually } from '../../support/time/waiting.ts';
import type { AgentAtWork } from '../load/agentAtWork.ts';
import type { Scenario } from '../scenario.ts';
import { wayOf, type World } from '../world.ts';

/** An agent who is Ready, the gateway that holds the softphone, and another one to click at. */
export type Moment = { agent: AgentAtWork; owner: ClusterGateway; other: ClusterGateway };

export function moment(world: World): Promise<Moment> {
  return eventually(async () => {
    const ready = world.agents.filter(({ softphone }) => softphone.agent?.state === 'ready');
    const agent = ready[Math.floor(Math.random() * ready.length)];
    const owner = agent === undefined ? null : await world.gatewayOf(agent);
    const other = world.cluster.gateways.find((gateway) => gateway !== owner && !world.isFaulty(gateway.nodeName));
    return (
      agent !== undefined &&
      owner !== null &&
      other !== undefined &&
      !world.isFaulty(owner.nodeName) && { agent, owner, other }
    );
  });
}

/** Until the agent is claimed by that click, or the click is over. */
export async function untilReserved(world: World, agent: AgentAtWork, answered: Promise<unknown>): Promise<void> {
  let isOver = false;
  void answered.finally(() => (isOver = true));
  while (!isOver && (await world.presenceOf(agent))?.state !== 'reserved') {
    // Once more at once: the moment is short.
  }
}

async function standStill(
  world: World,
  gateway: ClusterGateway,
  when: string,
  around: () => Promise<void>,
): Promise<void> {
  world.fault(gateway, `stands still ${when}`);
  gateway.pause();
  try {
    await around();
  } finally {
    gateway.resume();
  }
  await pause(300);
  world.healed(gateway, 'goes on');
}

const someTime = () => pause([900, 2_200, 3_200, 6_000][Math.floor(Math.random() * 4)]);

/** The message with the offer waits in front of a gateway that does not take it until the claim is over. */
async function beforeTheOffer(world: World): Promise<void> {
  const { agent, owner, other } = await moment(world);
  await standStill(world, owner, 'and then one of its agents is claimed', async () => {
    // Goes on as soon as the click has failed: the offer that waits has not expired by itself then.
    await world.clicks.click(world.companyOf(agent), wayOf(other), agent.agent.id);
  });
}

/** The gateway stops at whatever it is doing just after the claim: before, in or after the emission of the offer. */
async function inTheOffer(world: World): Promise<void> {
  const { agent, owner, other } = await moment(world);
  const answered = world.clicks.click(world.companyOf(agent), wayOf(other), agent.agent.id);
  await untilReserved(world, agent, answered);
  await standStill(world, owner, 'right after one of its agents was claimed', someTime);
  await answered;
}

/** The gateway that was asked stops between the claim and the offer, or between the confirmation and the record. */
async function whileAsking(world: World): Promise<void> {
  const { agent, other } = await moment(world);
  const answered = world.clicks.click(world.companyOf(agent), wayOf(other), agent.agent.id);
  await untilReserved(world, agent, answered);
  await standStill(world, other, 'right after it claimed an agent', someTime);
  await answered;
}

/** As before, but the gateway does not come back as itself. */
async function killedWhileAsking(world: World): Promise<void> {
  const { agent, other } = await moment(world);
  const answered = world.clicks.click(world.companyOf(agent), wayOf(other), agent.agent.id);
  await untilReserved(world, agent, answered);
  world.fault(other, 'is killed right after it claimed an agent');
  await other.kill('SIGKILL');
  await answered;
  await world.startAgain(other);
}

export const stalledInOffer: Scenario = {
  name: 'gateways stand still in the middle of an offer',
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      for (const harm of [beforeTheOffer, inTheOffer, whileAsking, inTheOffer]) {
        await harm(world);
        await world.for(500);
      }
    }
  },
};

export const killedInOffer: Scenario = {
  name: 'a gateway is killed in the middle of a click',
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      await killedWhileAsking(world);
      await world.for(1_000);
    }
  },
};

/** The gateway that was asked loses Redis between the claim and the answer, and cannot take back what it began. */
export const cutInOffer: Scenario = {
  name: 'a gateway is cut off from Redis in the middle of a click',
  async harm(world, patience) {
    for (let round = 0; round < 6 * patience; round += 1) {
      const { agent, other } = await moment(world);
      const way = world.chaos.redisWays[world.cluster.gateways.indexOf(other)];
      const answered = world.clicks.click(world.companyOf(agent), wayOf(other), agent.agent.id);
      await untilReserved(world, agent, answered);
      world.fault(other, 'loses Redis right after it claimed an agent', { isDown: false });
      if (round % 2 === 0) way?.cut();
      else way?.silence();
      await answered;
      await world.for(1_500);
      way?.mend();
      await world.for(2_500);
      world.healed(other, 'reaches Redis again');
    }
  },
};
