import type { Softphone } from '../../../../src/client/softphone.ts';
import type { PhoneLine } from '../../lib/sip/phoneLine.ts';
import type { Timers } from './timers.ts';
import type { NoticeMessage } from './workplace.ts';

/** A telephone that is away for this long takes its agent out of the line. Milliseconds. */
const awayForMs = 5_000;
/** Back within this time, the agent is Ready again as if nothing had happened. Milliseconds. */
const backWithinMs = 120_000;

type Needs = { softphone: Softphone; timers: Timers; tell: (kind: 'info' | 'problem', message: NoticeMessage) => void };

/** Keeps an agent from being Ready for long with a telephone that cannot make a call. */
export class PhoneWatch {
  readonly #needs: Needs;
  readonly #pause: ReadyPause;
  #line: PhoneLine = { state: 'starting' };
  #cancelTimer: (() => void) | null = null;
  /** By this machine's clock; null: the agent was not taken out of the line. */
  #pausedAt: number | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#pause = new ReadyPause(needs.softphone);
  }

  /** The telephone's line or the agent's state has changed. */
  look(line: PhoneLine): void {
    this.#line = line;
    const isMismatch = this.#needs.softphone.agent?.state === 'ready' && line.state !== 'ready';
    if (!isMismatch) this.stop();
    else this.#cancelTimer ??= this.#needs.timers.after(awayForMs, () => void this.#takeOut());
    if (line.state === 'ready' && this.#pausedAt !== null) void this.#bringBack(this.#pausedAt);
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  async #takeOut(): Promise<void> {
    this.#cancelTimer = null;
    if (!(await this.#pause.begin())) return;
    this.#pausedAt = this.#needs.timers.now();
    this.#needs.tell('problem', { code: 'paused', line: this.#line });
  }

  async #bringBack(pausedAt: number): Promise<void> {
    this.#pausedAt = null;
    if (this.#needs.timers.now() - pausedAt > backWithinMs) return;
    if (await this.#pause.end()) this.#needs.tell('info', { code: 'ready_again' });
  }
}

/** Takes a Ready agent out of the line for a while, and puts them back unless something else has happened since. */
export class ReadyPause {
  readonly #softphone: Softphone;
  /**
   * How the agent is Not Ready by this: since when (ISO 8601), and why, as two changes may fall into one millisecond.
   */
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
