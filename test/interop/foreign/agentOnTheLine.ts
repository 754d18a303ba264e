import { listenTo } from '../../browser/calls/ears.ts';
import { eventually } from '../../support/time/waiting.ts';
import type { AgentAtWork } from '../agentAtWork.ts';
import { tones, type Voice } from './heardSound.ts';

/** Hands the customer on to a telephone of the PBX. */
export async function handOn(agent: AgentAtWork, extension: string, how: 'Transfer now' | 'Call first'): Promise<void> {
  await agent.press('Transfer');
  await agent.page.getByLabel('Number, extension or colleague').fill(extension);
  await agent.page.getByRole('button', { name: how, exact: true }).click();
}

/** Waits until that voice is the loudest that the agent hears. */
export async function agentHears(agent: AgentAtWork, voice: Voice): Promise<void> {
  await eventually(async () => {
    const { hertz, decibels } = await listen(agent);
    if (decibels < -50 || Math.abs(hertz - tones[voice]) >= 50)
      throw new Error(`the agent hears ${hertz} Hz at ${decibels} dB, and not the ${voice}`);
  });
}

/** Waits until the agent hears nobody. */
export async function agentIsSilent(agent: AgentAtWork): Promise<void> {
  await eventually(async () => {
    const { hertz, decibels } = await listen(agent);
    if (decibels > -70) throw new Error(`the agent hears ${hertz} Hz at ${decibels} dB`);
  });
}

function listen({ page }: AgentAtWork) {
  return page.evaluate(listenTo, { ms: 400, whose: 'all' } as const);
}
