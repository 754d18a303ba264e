import type { PhoneEnd } from './phone.ts';
import type { SipCall, SipCallListener } from './sip/sipCall.ts';

type Needs = {
  /** The SIP call that goes on until the other one is there, and if that never is. */
  from: SipCall;
  /** Listens to the agent's call, whichever SIP call it is. */
  main: SipCallListener;
  /** With whom the call is to go on, for people. */
  who: string;
  /** Tells who has asked for it how far it is: a status code of SIP. */
  notify: (code: number) => void;
  /** The agent's call goes on with that one, muted and held as it was. `from` is connected no more, or shall not be. */
  onDone: (to: SipCall) => void;
  /** It goes on as before. */
  onFailed: () => void;
};

/** Whoever has asked for it hangs up when told that it is done; or we do. Milliseconds. */
const goodbyeWithinMs = 4_000;

/** Moves the agent's call from one SIP call to another one, as its PBX has asked (REFER, or INVITE with Replaces). */
export class CallMove {
  readonly #needs: Needs;
  #to: SipCall | null = null;
  #sound: MediaStream | null = null;
  /** How `from` has ended meanwhile: who hands a call on may hang up at once. */
  #end: PhoneEnd | null = null;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
    needs.from.listen({ ...needs.main, onEnded: (end) => this.#leave(end) });
  }

  /** Of the SIP call that shall take the place. */
  readonly listener: SipCallListener = {
    onRinging: (hasSound) => (this.#isOver ? this.#needs.main.onRinging(hasSound) : this.#needs.notify(180)),
    onConnected: () => this.#done(),
    onHeld: (isHeld) => this.#needs.main.onHeld(isHeld),
    onHeldByOther: (isHeld) => this.#isOver && this.#needs.main.onHeldByOther(isHeld),
    onSound: (stream) => this.#hear(stream),
    onVoiceTrouble: (trouble) => this.#isOver && this.#needs.main.onVoiceTrouble(trouble),
    onProblem: (text) => this.#needs.main.onProblem(text),
    onReferred: (referral) => this.#needs.main.onReferred(referral),
    onReplaced: (call) => this.#needs.main.onReplaced(call),
    onEnded: (end) => (this.#isOver ? this.#needs.main.onEnded(end) : this.#fail(end)),
  };

  /** @param withinMs not taken for longer, it is given up */
  begin(to: SipCall, withinMs: number): void {
    this.#to = to;
    this.#timer = setTimeout(() => to.hangUp('no_answer'), withinMs);
  }

  /** Could not even be begun. */
  abort(): void {
    this.#fail({ reason: 'failed' });
  }

  /** The agent has hung up. */
  hangUp(): void {
    if (this.#end === null) this.#needs.from.hangUp();
    else this.#to?.hangUp();
  }

  /** The call is over for this page. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #hear(stream: MediaStream): void {
    this.#sound = stream;
    // What was heard so far is heard until it ends.
    if (this.#isOver || this.#end !== null) this.#needs.main.onSound(stream);
  }

  #leave(end: PhoneEnd): void {
    // The agent has hung up; nothing goes on, and how the other one ends is told no more.
    if (end.endedBy === 'agent' || this.#to === null) {
      this.#isOver = true;
      this.#needs.main.onEnded(end);
      return this.#to?.hangUp();
    }
    this.#end = end;
    if (this.#sound !== null) this.#needs.main.onSound(this.#sound);
  }

  #done(): void {
    const { from, main, notify, onDone } = this.#needs;
    const to = this.#to;
    if (to === null || this.#isOver) return;
    this.#isOver = true;
    this.stop();
    const { wasConnected } = from;
    const silent = { onHeld: ignore, onHeldByOther: ignore, onSound: ignore, onVoiceTrouble: ignore, onProblem: ignore };
    from.listen({ ...main, ...silent, onReferred: ignore, onReplaced: ignore, onEnded: ignore });
    main.onVoiceTrouble(null);
    from.silence();
    onDone(to);
    if (this.#sound !== null) main.onSound(this.#sound);
    if (!wasConnected) main.onConnected();
    else main.onHeldByOther(to.isHeldByOther);
    notify(200);
    if (to.isInbound) from.hangUp();
    else setTimeout(() => from.hangUp(), goodbyeWithinMs);
  }

  #fail(end: PhoneEnd): void {
    const { from, main, who, notify, onFailed } = this.#needs;
    this.#isOver = true;
    this.stop();
    notify(end.sipCode ?? (end.reason === 'no_answer' ? 408 : 487));
    if (this.#end === null) {
      from.listen(main);
      return onFailed();
    }
    const problem = `The call was handed over to ${who}, who could not be reached.`;
    main.onEnded(end.endedBy === 'agent' ? { reason: 'completed', endedBy: 'agent' } : { ...this.#end, problem });
  }
}

function ignore(): void {}
