import type { CallMove } from './callMoves.ts';
import type { Consultation } from './consultation.ts';
import type { Listeners } from './listeners.ts';
import type { OpenMicrophone } from './microphone.ts';
import type { PhoneDialog, PhoneProblem } from './phoneCall.ts';
import type { SipCall } from './jssip/sipCall.ts';

type Needs = {
  /** Null: none can be used. */
  open: () => Promise<OpenMicrophone | null>;
  onProblem: (problem: PhoneProblem) => void;
};

/** A call from its first click to its end, with the microphone that it has for itself. */
export class CallAttempt {
  /** The call that it takes over; null: it is a new one. */
  readonly takenOver: PhoneDialog | null;
  /** Null while an outgoing call waits for its microphone. */
  call: SipCall | null;
  isAnswering = false;
  /** How often the telephone network has named another caller. */
  callerChanges = 0;
  /** To another SIP call, as its PBX has asked. */
  move: CallMove | null = null;
  /** With whom the agent talks about it. */
  consult: Consultation | null = null;
  /** Who listens to it; null: nobody has yet. */
  listeners: Listeners | null = null;
  /**
   * Whom they talked to has left while the network was asked to join both: should it refuse,
   * the customer comes back from hold.
   */
  waitsForTransfer = false;
  /** What the other side is heard by. */
  sound: MediaStream | null = null;
  /** It was taken over from hold, and is not known to be held again. */
  isHoldDue: boolean;
  /** What the agent asked for while it was being taken over; null: nothing. */
  wantedHeld: boolean | null = null;
  readonly #needs: Needs;
  #microphone: OpenMicrophone | null = null;
  #isOver = false;

  constructor(needs: Needs, about: { call?: SipCall; takenOver?: PhoneDialog }) {
    this.#needs = needs;
    this.call = about.call ?? null;
    this.takenOver = about.takenOver ?? null;
    this.isHoldDue = this.takenOver?.isHeld === true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** What the other side hears now; null: nothing, the microphone is not open. */
  get stream(): MediaStream | null {
    return this.#microphone?.stream ?? null;
  }

  /** Goes on with another SIP call. */
  goOnWith(call: SipCall): void {
    this.call = call;
    this.move = null;
    // The one that it began with may have been lost meanwhile.
    const track = this.#microphone?.track ?? null;
    if (track !== null) call.replaceTrack(track);
  }

  /** What the other side hears. Null: no microphone can be used, or the call is over meanwhile. */
  async open(): Promise<MediaStream | null> {
    const microphone = await this.#needs.open();
    if (this.#isOver) microphone?.close();
    else if (microphone !== null) this.#use(microphone);
    return this.#isOver ? null : (microphone?.stream ?? null);
  }

  /** Something was plugged in or out, or chosen: is heard by what is to be used now. */
  async renewMicrophone(): Promise<void> {
    const old = this.#microphone;
    if (old === null || !(await old.isOutdated()) || this.#isOver || this.#microphone !== old) return;
    const wasLost = !old.isLive;
    const next = await this.#needs.open();
    if (next === null) return;
    if (this.#isOver || this.#microphone !== old || next.track === null) return next.close();
    old.close();
    this.#use(next);
    const isHeard = this.consult?.hearBy(next.stream) === true;
    if (this.listeners?.hearAnew() !== true && !isHeard) this.call?.replaceTrack(next.track);
    if (wasLost) this.#needs.onProblem({ code: 'microphone_replaced' });
  }

  /** The network has not handed it on. */
  notHandedOn(): void {
    this.consult?.notHandedOn();
    if (this.waitsForTransfer && this.call?.isHeld === true) this.call.setHeld(false);
    this.waitsForTransfer = false;
  }

  /** @param isHandedOn the network joins the customer and who is consulted */
  end(isHandedOn = false): void {
    this.#isOver = true;
    this.move?.stop();
    this.consult?.close(isHandedOn);
    this.listeners?.close();
    this.#microphone?.close();
  }

  #use(microphone: OpenMicrophone): void {
    this.#microphone = microphone;
    if (this.takenOver?.isMuted === true || this.takenOver?.isHeld === true) microphone.setMuted(true);
    microphone.onLost(() => {
      if (this.#isOver || this.#microphone !== microphone) return;
      this.#needs.onProblem({ code: 'microphone_lost' });
      void this.renewMicrophone();
    });
  }
}
