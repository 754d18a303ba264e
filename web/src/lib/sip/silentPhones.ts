import { Emitter } from '@socket.io/component-emitter';
import type { Phone, PhoneAbilities, PhoneDialog, PhoneEnd, PhoneEvents, PhoneLine, TestStep } from './phone.ts';

/** What every telephone without a voice of its own has in common: it does nothing that it is not told here to do. */
abstract class SilentPhone extends Emitter<PhoneEvents, PhoneEvents> implements Phone {
  abstract readonly line: PhoneLine;
  abstract readonly can: PhoneAbilities;
  readonly dialog: PhoneDialog | null = null;

  start(): void {
    this.emit('line', this.line);
  }
  withdraw(): void {}
  stop(): void {
    this.off();
  }
  abandon(): void {
    this.off();
  }
  dial(_phoneNumber: string): void {}
  takeOver(_dialog: PhoneDialog): void {}
  release(_dialog: PhoneDialog): void {}
  answer(): void {}
  reject(): void {}
  hangUp(): boolean {
    return false;
  }
  setMuted(_isMuted: boolean): void {}
  setHeld(_isHeld: boolean): void {}
  transfer(_to: string): void {}
  consult(_to: string): void {
    this.emit('consult', null);
  }
  confer(): void {}
  completeConsult(): void {}
  endConsult(_why?: 'unreachable'): void {}
  async admitListener(): Promise<null> {
    return null;
  }
  sendDtmf(_tone: string): void {}
  test(onStep: (step: TestStep) => void): () => void {
    onStep({ step: 'over', quality: null, end: null });
    return () => undefined;
  }
  reportAnswered(): void {}
  reportEnded(_end: PhoneEnd): void {}
}

/**
 * The telephone on the agent's desk: the page opens a link that it follows, and hears nothing of the call. The agent
 * tells what becomes of it.
 */
export class DeskPhone extends SilentPhone {
  readonly line: PhoneLine = { state: 'ready' };
  readonly can: PhoneAbilities = {
    mute: false,
    hold: false,
    dtmf: false,
    transfer: false,
    incoming: false,
    reportsByHand: true,
  };
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

/** Stands where a telephone would be, and says why there is none. */
export class NoPhone extends SilentPhone {
  readonly line: PhoneLine;
  readonly can: PhoneAbilities = {
    mute: false,
    hold: false,
    dtmf: false,
    transfer: false,
    incoming: false,
    reportsByHand: false,
  };

  constructor(why: 'not_set_up' | 'no_account') {
    super();
    this.line = { state: 'unavailable', why, retrying: false };
  }
}
