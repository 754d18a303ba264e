import type { Softphone } from '../../../../src/client/softphone.ts';
import type { PhoneLine } from '../../lib/sip/phone.ts';
import { ReadyPause } from './readyPause.ts';
import type { Timers } from './timers.ts';

/** A telephone that is away for this long takes its agent out of the line. Milliseconds. */
const awayForMs = 5_000;
/** Back within this time, the agent is Ready again as if nothing had happened. Milliseconds. */
const backWithinMs = 120_000;

type Needs = { softphone: Softphone; timers: Timers; tell: (kind: 'info' | 'problem', text: string) => void };

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
    const why = this.#line.state === 'unavailable' ? this.#line.detail : 'Your telephone is not connected.';
    this.#needs.tell('problem', `${why} You are Not Ready until it works again.`);
  }

  async #bringBack(pausedAt: number): Promise<void> {
    this.#pausedAt = null;
    if (this.#needs.timers.now() - pausedAt > backWithinMs) return;
    if (await this.#pause.end()) this.#needs.tell('info', 'Your telephone is back, and you are Ready again.');
  }
}
