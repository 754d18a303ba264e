import { Emitter } from '@socket.io/component-emitter';
import type { Dialed, Phone, PhoneAbilities, PhoneEvents, TestStep } from './phone.ts';
import type { CallKey, PhoneCall, PhoneCallEvent, PhoneDialog, PhoneEnd } from './phoneCall.ts';
import type { PhoneLine } from './phoneLine.ts';

/** What every telephone without a voice of its own has in common: it does nothing that it is not told here to do. */
abstract class SilentPhone extends Emitter<PhoneEvents, PhoneEvents> implements Phone {
  abstract readonly line: PhoneLine;
  abstract readonly can: PhoneAbilities;

  call(_key: CallKey): PhoneCall | null {
    return null;
  }
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
  dial(_key: CallKey, _whom: Dialed): void {}
  takeOver(_key: CallKey, _dialog: PhoneDialog): void {}
  release(_dialog: PhoneDialog): void {}
  test(onStep: (step: TestStep) => void): () => void {
    onStep({ step: 'over', quality: null, end: null });
    return () => undefined;
  }
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
    transfer: null,
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

  /** What the agent tells of, be it begun by the page before this one. */
  override call(key: CallKey): PhoneCall {
    return new DeskCall((event) => void this.emit('call', key, event));
  }

  override dial(_key: CallKey, { phoneNumber }: Dialed): void {
    this.#open(`${this.#scheme}:${phoneNumber}`);
  }
}

/** A call at it. */
class DeskCall implements PhoneCall {
  readonly dialog = null;
  readonly #tell: (event: PhoneCallEvent) => void;

  constructor(tell: (event: PhoneCallEvent) => void) {
    this.#tell = tell;
  }

  answer(): void {}
  reject(): void {}
  passOn(): void {}
  hangUp(): void {}
  setMuted(): void {}
  setHeld(): void {}
  transfer(): void {}
  keep(): void {}
  consult(): void {
    this.#tell({ type: 'media', media: { consult: null } });
  }
  confer(): void {}
  completeConsult(): void {}
  endConsult(): void {}
  async admitListener(): Promise<null> {
    return null;
  }
  sendDtmf(): void {}
  reportAnswered(): void {
    this.#tell({ type: 'connected' });
  }
  reportEnded(end: PhoneEnd): void {
    this.#tell({ type: 'ended', end });
  }
}

/** Stands where a telephone would be, and says why there is none. */
export class NoPhone extends SilentPhone {
  readonly line: PhoneLine;
  readonly can: PhoneAbilities = {
    mute: false,
    hold: false,
    dtmf: false,
    transfer: null,
    incoming: false,
    reportsByHand: false,
  };

  constructor(why: 'not_set_up' | 'no_account') {
    super();
    this.line = { state: 'unavailable', why, retrying: false };
  }
}
