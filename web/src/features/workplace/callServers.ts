import type { IceServer, SessionTelephony } from '../../../../src/contract/telephony.ts';
import type { IceServers } from '../../lib/sip/iceServers.ts';
import type { Timers } from './timers.ts';

type Needs = {
  timers: Timers;
  /** The gateway's time, by which credentials end. Milliseconds since the epoch. */
  now: () => number;
  /** Asks the gateway for the settings, and has what is in them taken here. */
  read: () => Promise<void>;
};

/** Longer than calls last; half of what the gateway gives. Milliseconds. */
const leastLeftMs = 6 * 60 * 60_000;
/** A call does not wait longer for the gateway: most find a way without TURN. Milliseconds. */
const waitsForMs = 2_000;

/**
 * The STUN and TURN servers of an agent's calls. They are asked for anew when a call begins, or looks for another way,
 * and their credentials end soon: a page may lie open, or asleep, for days.
 */
export class CallServers implements IceServers {
  readonly #needs: Needs;
  #servers: IceServer[] = [];

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get current(): IceServer[] {
    return this.#servers;
  }

  /** A call that lasts keeps its servers when its company telephones otherwise from now on. */
  take(telephony: SessionTelephony): void {
    if (telephony.mode === 'sip') this.#servers = telephony.ice_servers;
  }

  async renew(): Promise<void> {
    const { now, timers, read } = this.#needs;
    // The gateway's time, as it is known here, may stand still while the machine sleeps.
    const soon = Math.max(now(), timers.now()) + leastLeftMs;
    if (!this.#servers.some(({ expires_at: end }) => end !== undefined && Date.parse(end) < soon)) return;
    // What cannot be read now is asked for by the next call.
    const asked = read().catch(() => undefined);
    let cancel = (): void => undefined;
    const enough = new Promise<void>((resolve) => (cancel = timers.after(waitsForMs, resolve)));
    await Promise.race([asked, enough]);
    cancel();
  }
}
