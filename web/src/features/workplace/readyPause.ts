import type { Softphone } from '../../../../src/client/softphone.ts';

/** Takes a Ready agent out of the line for a while, and puts them back unless something else has happened since. */
export class ReadyPause {
  readonly #softphone: Softphone;
  /** How the agent is Not Ready by this: since when (ISO 8601), and why, as two changes may fall into one millisecond. */
  #pause: { since: string | null; reason: string | null } | null = null;

  constructor(softphone: Softphone) {
    this.#softphone = softphone;
  }

  /** @returns false: the agent is not Ready, or the gateway did not do it */
  async begin(): Promise<boolean> {
    if (this.#softphone.agent?.state !== 'ready') return false;
    try {
      const agent = await this.#softphone.setNotReady();
      if (agent.state === 'not_ready') this.#pause = agent;
      return agent.state === 'not_ready';
    } catch {
      return false;
    }
  }

  /** @returns whether the agent is Ready again by this */
  async end(): Promise<boolean> {
    const pause = this.#pause;
    this.#pause = null;
    const agent = this.#softphone.agent;
    if (pause === null || agent?.state !== 'not_ready') return false;
    if (agent.since !== pause.since || agent.reason !== pause.reason) return false;
    try {
      return (await this.#softphone.setReady()).state === 'ready';
    } catch {
      return false;
    }
  }
}
