import { SoftphoneRefusal, type Softphone } from '../../../../src/client/softphone.ts';
import type { SessionSettings, SessionTelephony } from '../../../../src/contract/telephony.ts';
import type { IceServers } from '../../lib/sip/iceServers.ts';
import type { Phone, PhoneAbilities } from '../../lib/sip/phone.ts';
import type { PhoneLine } from '../../lib/sip/phoneLine.ts';
import { CallServers } from './callServers.ts';
import type { Timers } from './timers.ts';

type Needs = {
  softphone: Softphone;
  timers: Timers;
  makePhone: (telephony: SessionTelephony, servers: IceServers) => Phone;
  hasCall: () => boolean;
  /** Whether the phone is in a call: replacing it would end one. */
  isInUse: () => boolean;
  /** From now on this is the agent's phone. */
  onPhone: (phone: Phone | null) => void;
  changed: () => void;
};

/** After settings that could not be read. Milliseconds. */
const againAfterMs = 2_000;
const nothing: PhoneAbilities = {
  mute: false,
  hold: false,
  dtmf: false,
  transfer: null,
  incoming: false,
  reportsByHand: false,
};

/** The agent's phone: the one that the company's settings ask for, while this page is the agent's softphone. */
export class PhoneManager {
  readonly #needs: Needs;
  readonly #servers: CallServers;
  #settings: SessionSettings | null = null;
  #phone: Phone | null = null;
  /** What the phone was made for; null: it is to be replaced as soon as that costs no call. */
  #madeFor: SessionTelephony | null = null;
  #isClosed = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    const { softphone, timers } = needs;
    this.#servers = new CallServers({ timers, now: () => softphone.now(), read: () => this.#take() });
  }

  /** Null until the gateway has told. */
  get settings(): SessionSettings | null {
    return this.#settings;
  }
  get phone(): Phone | null {
    return this.#phone;
  }
  get line(): PhoneLine {
    return this.#phone?.line ?? { state: 'starting' };
  }
  get can(): PhoneAbilities {
    return this.#phone?.can ?? nothing;
  }

  /** Reads the settings, and makes the phone that they ask for. */
  async read(): Promise<void> {
    const { softphone, timers } = this.#needs;
    try {
      await this.#take();
    } catch (error) {
      const isReplaced = error instanceof SoftphoneRefusal && error.code === 'session_replaced';
      if (this.#isClosed || isReplaced || softphone.line !== 'connected') return;
      timers.after(againAfterMs, () => void this.read());
    }
  }

  /** Makes the phone of the settings, unless a call lasts at the one that is there. */
  fill(): void {
    const { isInUse, makePhone, onPhone, changed } = this.#needs;
    const wanted = this.#settings?.telephony ?? null;
    if (wanted === null || (isInUse() && this.#phone !== null)) return;
    if (this.#phone !== null && this.#madeFor !== null && isSamePhone(wanted, this.#madeFor)) return;
    this.empty('stop');
    this.#madeFor = wanted;
    const phone = makePhone(wanted, this.#servers);
    this.#phone = phone;
    onPhone(phone);
    phone.on('line', changed);
    phone.start();
  }

  /** Is called no more. A call that lasts is not hung up for that; afterwards another phone is needed. */
  retire(): void {
    this.#madeFor = null;
    if (this.#needs.hasCall()) this.#phone?.withdraw();
    else this.empty('stop');
  }

  empty(how: 'stop' | 'abandon'): void {
    const phone = this.#phone;
    this.#phone = null;
    this.#madeFor = null;
    this.#needs.onPhone(null);
    phone?.off();
    phone?.[how]();
  }

  /** For good. */
  close(): void {
    this.#isClosed = true;
    this.empty('stop');
  }

  async #take(): Promise<void> {
    const { softphone, changed } = this.#needs;
    const settings = await softphone.readSettings();
    if (this.#isClosed || softphone.line === 'replaced') return;
    this.#settings = settings;
    this.#servers.take(settings.telephony);
    this.fill();
    changed();
  }
}

/** Calls read the STUN and TURN servers as they begin: other ones, or other credentials, need no other phone. */
function isSamePhone(one: SessionTelephony, other: SessionTelephony): boolean {
  const [made, wanted] = [one, other].map((telephony) => JSON.stringify({ ...telephony, ice_servers: [] }));
  return made === wanted;
}
