import type { Softphone } from '../../../src/client/softphone.ts';

/** Takes a Ready agent out of the line for a while, and puts them back unless something else has happened since. */
export class ReadyPause {
  readonly #softphone: Softphone;
  /** Since when the agent is Not Ready by this; ISO 8601. */
  #since: string | null = null;

  constructor(softphone: Softphone) {
    this.#softphone = softphone;
  }

  /** @returns false: the agent is not Ready, or the gateway did not do it */
  async begin(): Promise<boolean> {
    if (this.#softphone.agent?.state !== 'ready') return false;
    try {
      const agent = await this.#softphone.setNotReady();
      if (agent.state === 'not_ready') this.#since = agent.since;
      return agent.state === 'not_ready';
    } catch {
      return false;
    }
  }

  /** @returns whether the agent is Ready again by this */
  async end(): Promise<boolean> {
    const since = this.#since;
    this.#since = null;
    const agent = this.#softphone.agent;
    if (since === null || agent?.state !== 'not_ready' || agent.since !== since) return false;
    try {
      return (await this.#softphone.setReady()).state === 'ready';
    } catch {
      return false;
    }
  }
}
