import { Emitter } from '@socket.io/component-emitter';
import type {
  Caller,
  ConsultOptions,
  Phone,
  PhoneAbilities,
  PhoneDialog,
  PhoneEnd,
  PhoneEvents,
  PhoneLine,
  PhoneListener,
  TestStep,
} from '../../../web/src/lib/sip/phone.ts';

/** A telephone without a network: it does as the test says, and keeps what it was told to do. */
export class FakePhone extends Emitter<PhoneEvents, PhoneEvents> implements Phone {
  can: PhoneAbilities = { mute: true, hold: true, dtmf: true, transfer: true, incoming: true, reportsByHand: false };
  line: PhoneLine = { state: 'ready' };
  dialog: PhoneDialog | null = null;
  /** e.g. `dial +15551230001`, in order. */
  readonly did: string[] = [];
  #isMuted = false;
  #isHeld = false;
  #call: 'none' | 'out' | 'in' | 'connected' = 'none';

  // What happens at it.

  becomes(line: PhoneLine): void {
    this.line = line;
    this.emit('line', line);
  }
  isCalledBy(caller: Caller): void {
    this.#call = 'in';
    this.emit('incoming', caller);
  }
  /** Somebody calls while there is a call, and hears that it is busy. */
  turnsAway(caller: Caller): void {
    this.emit('turnedAway', caller);
  }
  /** The network names another caller. */
  isWith(caller: Caller): void {
    this.emit('callerChanged', caller);
  }
  rings(): void {
    this.emit('ringing', false);
  }
  isAnswered(): void {
    this.#call = 'connected';
    this.dialog = {
      ...{ callId: 'sip-call', localTag: 'here', remoteTag: 'there' },
      ...{ localUri: 'sip:here@pbx.example', remoteUri: 'sip:there@pbx.example' },
      ...{
        target: 'sip:there@192.0.2.7',
        address: 'sip:there@pbx.example',
        routes: [],
        cseq: 20_000,
        isMuted: this.#isMuted,
      },
      isHeld: this.#isHeld,
    };
    this.emit('connected');
    if (this.#isMuted) this.emit('muted', true);
    if (this.#isHeld) this.emit('held', true);
  }
  ends(end: PhoneEnd): void {
    if (this.#call === 'none') return;
    this.#call = 'none';
    this.#isMuted = false;
    this.#isHeld = false;
    this.dialog = null;
    this.emit('ended', end);
  }

  // What it is told.

  start(): void {
    this.emit('line', this.line);
  }
  withdraw(): void {
    this.did.push('withdraw');
  }
  test(onStep: (step: TestStep) => void): () => void {
    this.did.push('test');
    onStep({ step: 'calling' });
    return () => void this.did.push('end test');
  }
  stop(): void {
    this.did.push('stop');
    this.off();
  }
  abandon(): void {
    this.did.push('abandon');
    this.off();
  }
  dial(phoneNumber: string): void {
    this.#call = 'out';
    this.did.push(`dial ${phoneNumber}`);
  }
  takeOver(dialog: PhoneDialog): void {
    this.#call = 'out';
    this.#isMuted = dialog.isMuted;
    this.#isHeld = dialog.isHeld;
    this.did.push(`take over ${dialog.callId}`);
  }
  release(dialog: PhoneDialog): void {
    this.did.push(`release ${dialog.callId}`);
  }
  answer(): void {
    this.did.push('answer');
    this.isAnswered();
  }
  reject(why?: 'busy' | 'away'): void {
    this.did.push(why === undefined ? 'reject' : `reject as ${why}`);
    this.ends({ reason: why === 'busy' ? 'busy' : 'rejected', endedBy: 'agent' });
  }
  hangUp(): boolean {
    this.did.push('hang up');
    const hasCall = this.#call !== 'none';
    this.ends({ reason: this.#call === 'connected' ? 'completed' : 'canceled', endedBy: 'agent' });
    return hasCall;
  }
  setMuted(isMuted: boolean): void {
    this.#isMuted = isMuted;
    if (this.dialog !== null) this.dialog = { ...this.dialog, isMuted };
    this.emit('muted', isMuted);
  }
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (this.dialog !== null) this.dialog = { ...this.dialog, isHeld };
    this.emit('held', isHeld);
  }
  transfer(to: string): void {
    this.did.push(`transfer ${to}`);
    this.emit('transferring', true);
  }
  consult(to: string, _options?: ConsultOptions): void {
    this.did.push(`consult ${to}`);
    this.setHeld(true);
    this.emit('consult', { to, step: 'calling', with: 'colleague' });
  }
  confer(): void {
    this.did.push('confer');
    this.setHeld(false);
  }
  completeConsult(): void {
    this.did.push('complete');
    this.emit('transferring', true);
  }
  endConsult(_why?: 'unreachable'): void {
    this.did.push('end consult');
    this.emit('consult', null);
    this.setHeld(false);
  }
  async admitListener(): Promise<PhoneListener | null> {
    return this.dialog === null ? null : this.listener();
  }
  /** Whoever is let in next. */
  listener: () => PhoneListener | null = () => null;
  sendDtmf(tone: string): void {
    this.did.push(`tone ${tone}`);
  }
  reportAnswered(): void {
    this.emit('connected');
  }
  reportEnded(end: PhoneEnd): void {
    this.emit('ended', end);
  }
}
