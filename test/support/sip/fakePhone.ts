import { Emitter } from '@socket.io/component-emitter';
import type { Dialed, Phone, PhoneAbilities, PhoneEvents, TestStep } from '../../../web/src/lib/sip/phone.ts';
import {
  type Caller,
  type CallKey,
  type CallMedia,
  type ConsultOptions,
  nextCallKey,
  type PhoneCall,
  type PhoneCallEvent,
  type PhoneDialog,
  type PhoneEnd,
  type PhoneListener,
} from '../../../web/src/lib/sip/phoneCall.ts';
import type { PhoneLine } from '../../../web/src/lib/sip/phoneLine.ts';

/** A telephone without a network, and its call: it does as the test says, and keeps what it was told to do. */
export class FakePhone extends Emitter<PhoneEvents, PhoneEvents> implements Phone, PhoneCall {
  can: PhoneAbilities = { mute: true, hold: true, dtmf: true, transfer: 'refer', incoming: true, reportsByHand: false };
  line: PhoneLine = { state: 'ready' };
  dialog: PhoneDialog | null = null;
  /** e.g. `dial +15551230001`, in order. */
  readonly did: string[] = [];
  #isMuted = false;
  #isHeld = false;
  #call: 'none' | 'out' | 'in' | 'connected' = 'none';
  #key: CallKey = 0;
  readonly #beside = new Map<CallKey, FakeCall>();

  // What happens at it.

  becomes(line: PhoneLine): void {
    this.line = line;
    this.emit('line', line);
  }
  isCalledBy(caller: Caller): void {
    this.#call = 'in';
    this.#key = nextCallKey();
    this.emit('incoming', this.#key, caller);
  }
  /** Somebody calls while there are two calls, and hears that it is busy. */
  turnsAway(caller: Caller): void {
    this.emit('turnedAway', caller);
  }
  /** Somebody calls beside the call that there is. */
  isCalledBesideBy(caller: Caller): FakeCall {
    const call = new FakeCall(this, nextCallKey());
    this.#beside.set(call.key, call);
    this.emit('incoming', call.key, caller);
    return call;
  }
  /** The call that it has taken over beside another one. */
  takenBeside(): FakeCall {
    const [call] = this.#beside.values();
    if (call === undefined) throw new Error('no call was taken over beside another one');
    return call;
  }
  /** It takes its time, as the network does. */
  isSlowToHold = false;
  /** The network names another caller. */
  isWith(caller: Caller): void {
    this.tells({ type: 'caller_changed', caller });
  }
  rings(): void {
    this.tells({ type: 'rings', hasSound: false });
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
    this.tells({ type: 'connected' });
    if (this.#isMuted) this.tells({ type: 'muted', isMuted: true });
    if (this.#isHeld) this.tells({ type: 'held', isHeld: true });
  }
  ends(end: PhoneEnd): void {
    if (this.#call === 'none') return;
    this.#call = 'none';
    this.#isMuted = false;
    this.#isHeld = false;
    this.dialog = null;
    this.tells({ type: 'ended', end });
  }
  /** Of its call. */
  tells(event: PhoneCallEvent): void {
    this.emit('call', this.#key, event);
  }
  tellsMedia(media: Partial<CallMedia>): void {
    this.tells({ type: 'media', media });
  }

  // What it is told.

  call(key: CallKey): PhoneCall | null {
    // What is reported by hand may have begun at the page before.
    if (this.can.reportsByHand) this.#key = key;
    const beside = this.#beside.get(key);
    if (beside !== undefined) return beside.isOver ? null : beside;
    return this.can.reportsByHand || (this.#call !== 'none' && this.#key === key) ? this : null;
  }

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
  dial(key: CallKey, { phoneNumber }: Dialed): void {
    this.#key = key;
    this.#call = 'out';
    this.did.push(`dial ${phoneNumber}`);
  }
  takeOver(key: CallKey, dialog: PhoneDialog): void {
    if (this.#call !== 'none') {
      this.#beside.set(key, new FakeCall(this, key, dialog));
      return void this.did.push(`take over ${dialog.callId} beside`);
    }
    this.#key = key;
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
  passOn(to: string): void {
    this.did.push(`pass on to ${to}`);
    this.ends(passedOnTo(to));
  }
  hangUp(): void {
    this.did.push('hang up');
    this.ends({ reason: this.#call === 'connected' ? 'completed' : 'canceled', endedBy: 'agent' });
  }
  setMuted(isMuted: boolean): void {
    this.#isMuted = isMuted;
    if (this.dialog !== null) this.dialog = { ...this.dialog, isMuted };
    this.tells({ type: 'muted', isMuted });
  }
  setHeld(isHeld: boolean): void {
    if (!this.isSlowToHold) this.isHolding(isHeld);
  }
  /** The network has put the call on hold, or taken it back. */
  isHolding(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (this.dialog !== null) this.dialog = { ...this.dialog, isHeld };
    this.tells({ type: 'held', isHeld });
  }
  transfer(to: string): void {
    this.did.push(`transfer ${to}`);
    this.tellsMedia({ isTransferring: true });
  }
  keep(why?: 'unreachable'): void {
    this.did.push(why === undefined ? 'keep' : `keep: ${why}`);
    this.tellsMedia({ isTransferring: false });
  }
  consult(to: string, _options?: ConsultOptions): void {
    this.did.push(`consult ${to}`);
    this.setHeld(true);
    this.tellsMedia({ consult: { to, step: 'calling', with: 'colleague' } });
  }
  confer(): void {
    this.did.push('confer');
    this.setHeld(false);
  }
  completeConsult(): void {
    this.did.push('complete');
    this.tellsMedia({ isTransferring: true });
  }
  endConsult(_why?: 'unreachable'): void {
    this.did.push('end consult');
    this.tellsMedia({ consult: null });
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
    this.tells({ type: 'connected' });
  }
  reportEnded(end: PhoneEnd): void {
    this.tells({ type: 'ended', end });
  }
}

function passedOnTo(to: string): PhoneEnd {
  return { reason: 'canceled', endedBy: 'agent', detail: 'passed_on', transferredTo: to };
}

/** A call beside the first one, likewise. What it is told to do stands in the telephone's list, as `beside: answer`. */
export class FakeCall implements PhoneCall {
  readonly key: CallKey;
  readonly #phone: FakePhone;
  dialog: PhoneDialog | null;
  isOver = false;
  #isAnswered = false;

  /** @param takenOver the dialog of a page that is gone */
  constructor(phone: FakePhone, key: CallKey, takenOver: PhoneDialog | null = null) {
    this.#phone = phone;
    this.key = key;
    this.dialog = takenOver;
  }

  tells(event: PhoneCallEvent): void {
    this.#phone.emit('call', this.key, event);
  }
  isAnswered(): void {
    this.#isAnswered = true;
    this.dialog ??= {
      ...{ callId: 'sip-call-beside', localTag: 'here', remoteTag: 'there', cseq: 20_000, routes: [] },
      ...{ localUri: 'sip:here@pbx.example', remoteUri: 'sip:there@pbx.example', target: 'sip:there@192.0.2.7' },
      ...{ address: 'sip:there@pbx.example', isMuted: false, isHeld: false },
    };
    this.tells({ type: 'connected' });
    if (this.dialog.isHeld) this.tells({ type: 'held', isHeld: true });
  }
  ends(end: PhoneEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.dialog = null;
    this.tells({ type: 'ended', end });
  }

  answer(): void {
    this.#did('answer');
    this.isAnswered();
  }
  reject(why?: 'busy' | 'away'): void {
    this.#did(why === undefined ? 'reject' : `reject as ${why}`);
    this.ends({ reason: why === 'busy' ? 'busy' : 'rejected', endedBy: 'agent' });
  }
  passOn(to: string): void {
    this.#did(`pass on to ${to}`);
    this.ends(passedOnTo(to));
  }
  hangUp(): void {
    this.#did('hang up');
    this.ends({ reason: this.#isAnswered ? 'completed' : 'canceled', endedBy: 'agent' });
  }
  setMuted(isMuted: boolean): void {
    this.tells({ type: 'muted', isMuted });
  }
  setHeld(isHeld: boolean): void {
    this.#did(isHeld ? 'hold' : 'resume');
    if (this.dialog !== null) this.dialog = { ...this.dialog, isHeld };
    this.tells({ type: 'held', isHeld });
  }
  transfer(to: string): void {
    this.#did(`transfer ${to}`);
  }
  keep(): void {}
  consult(to: string): void {
    this.#did(`consult ${to}`);
  }
  confer(): void {}
  completeConsult(): void {}
  endConsult(): void {}
  async admitListener(): Promise<null> {
    return null;
  }
  sendDtmf(tone: string): void {
    this.#did(`tone ${tone}`);
  }
  reportAnswered(): void {}
  reportEnded(): void {}

  #did(what: string): void {
    this.#phone.did.push(`beside: ${what}`);
  }
}
