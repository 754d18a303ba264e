import type { PhoneAbilities, PhoneEnd, PhoneLine } from './phone.ts';
import { SilentPhone } from './silentPhone.ts';

/**
 * The telephone on the agent's desk: the page opens a link that it follows, and hears nothing of the call. The agent
 * tells what becomes of it.
 */
export class DeskPhone extends SilentPhone {
  readonly line: PhoneLine = { state: 'ready' };
  readonly can: PhoneAbilities = { mute: false, hold: false, dtmf: false, incoming: false, reportsByHand: true };
  readonly #open: (link: string) => void;
  readonly #scheme: 'tel' | 'sip';

  /** @param open follows a link, as a click on it would */
  constructor(scheme: 'tel' | 'sip', open: (link: string) => void) {
    super();
    this.#scheme = scheme;
    this.#open = open;
  }

  override dial(phoneNumber: string): void {
    this.#open(`${this.#scheme}:${phoneNumber}`);
  }

  override reportAnswered(): void {
    this.emit('connected');
  }

  override reportEnded(end: PhoneEnd): void {
    this.emit('ended', end);
  }
}
