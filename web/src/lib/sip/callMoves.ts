import { callingEnd } from '../../shared/otherEnd.ts';
import type { CallAttempt } from './callAttempt.ts';
import type { PhoneEnd } from './phoneCall.ts';
import type { SipCall, SipCallListener } from './jssip/sipCall.ts';
import type { SipUserAgent } from './jssip/userAgent.ts';

type Referral = Parameters<SipCallListener['onReferred']>[0];
export type MoveStep = 'begun' | 'done' | 'failed';

type MovesNeeds = {
  userAgent: () => SipUserAgent | null;
  /** Listens to the agent's call, whichever SIP call it is. */
  listener: SipCallListener;
  /** Unanswered for longer, the new call is given up. Milliseconds. */
  noAnswerMs: number;
  onStep: (step: MoveStep, who: string | null) => void;
};

/** What the telephone network has the agent's call moved to: one move at a time, and none without a microphone. */
export class CallMoves {
  readonly #needs: MovesNeeds;

  constructor(needs: MovesNeeds) {
    this.#needs = needs;
  }

  /** The other side wants the call to go on with somebody else, whom this side calls. */
  refer(attempt: CallAttempt, referral: Referral): void {
    const { call: from, stream } = attempt;
    const userAgent = this.#needs.userAgent();
    if (attempt.move !== null || attempt.consult !== null) return referral.refuse(491);
    if (attempt.isOver || from === null || stream === null || userAgent === null) return referral.refuse(603);
    const move = this.#moveFrom(attempt, from, referral.who, referral.accept());
    this.#needs.onStep('begun', referral.who);
    try {
      move.begin(userAgent.refer(referral, stream, move.listener), this.#needs.noAnswerMs);
    } catch {
      move.abort();
    }
  }

  /** The telephone network has put another call in the place of this one: nobody is asked. */
  replace(attempt: CallAttempt, to: SipCall): void {
    const { call: from, stream } = attempt;
    if (attempt.move !== null || attempt.consult !== null || attempt.isOver || from === null)
      return to.reject('decline_busy');
    if (stream === null) return to.reject('no_microphone');
    const { phone, caller } = callingEnd(to.caller);
    const named = to.callerByNumber;
    const move = this.#moveFrom(
      attempt,
      from,
      to.caller.displayName ?? phone ?? caller,
      () => undefined,
      () => named !== null && this.#needs.listener.onEvent({ type: 'caller_changed', caller: named }),
    );
    to.listen(move.listener);
    move.begin(to, this.#needs.noAnswerMs);
    to.answer(stream);
  }

  #moveFrom(
    attempt: CallAttempt,
    from: SipCall,
    who: string | null,
    notify: (code: number) => void,
    onThere: () => unknown = ignore,
  ): CallMove {
    attempt.listeners?.part();
    const onDone = (to: SipCall) => {
      const { isMuted, isHeld } = from;
      attempt.isHoldDue = isHeld;
      attempt.goOnWith(to);
      // Whoever hears of it keeps the call for the page after this one, as it is then.
      to.goOn(isMuted, isHeld);
      this.#needs.onStep('done', who);
      onThere();
    };
    const onFailed = () => {
      attempt.move = null;
      this.#needs.onStep('failed', who);
    };
    return (attempt.move = new CallMove({ from, main: this.#needs.listener, who, notify, onDone, onFailed }));
  }
}

type MoveNeeds = {
  /** The SIP call that goes on until the other one is there, and if that never is. */
  from: SipCall;
  /** Listens to the agent's call, whichever SIP call it is. */
  main: SipCallListener;
  /** With whom the call is to go on, for people. */
  who: string | null;
  /** Tells who has asked for it how far it is: a status code of SIP. */
  notify: (code: number) => void;
  /** The agent's call goes on with that one, muted and held as it was. `from` is connected no more, or shall not be. */
  onDone: (to: SipCall) => void;
  /** It goes on as before. */
  onFailed: () => void;
};

/** Whoever has asked for it hangs up when told that it is done; or we do. Milliseconds. */
const hangUpWithinMs = 4_000;

/** Moves the agent's call from one SIP call to another one, as its PBX has asked (REFER, or INVITE with Replaces). */
export class CallMove {
  readonly #needs: MoveNeeds;
  #to: SipCall | null = null;
  #sound: MediaStream | null = null;
  /** How `from` has ended meanwhile: who hands a call on may hang up at once. */
  #end: PhoneEnd | null = null;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(needs: MoveNeeds) {
    this.#needs = needs;
    const { main, from } = needs;
    from.listen({
      ...main,
      onEvent: (event) => (event.type === 'ended' ? this.#leave(event.end) : main.onEvent(event)),
    });
  }

  /** Of the SIP call that shall take the place. */
  readonly listener: SipCallListener = {
    onEvent: (event) => {
      if (this.#isOver) this.#needs.main.onEvent(event);
      else if (event.type === 'rings') this.#needs.notify(180);
      else if (event.type === 'connected') this.#done();
      else if (event.type === 'ended') this.#fail(event.end);
    },
    onSound: (stream) => this.#hear(stream),
    onProblem: (problem) => this.#needs.main.onProblem(problem),
    onReferred: (referral) => this.#needs.main.onReferred(referral),
    onReplaced: (call) => this.#needs.main.onReplaced(call),
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
      this.#needs.main.onEvent({ type: 'ended', end });
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
    from.listen({ onEvent: ignore, onSound: ignore, onProblem: ignore, onReferred: ignore, onReplaced: ignore });
    main.onEvent({ type: 'media', media: { trouble: null } });
    from.silence();
    onDone(to);
    if (this.#sound !== null) main.onSound(this.#sound);
    if (!wasConnected) main.onEvent({ type: 'connected' });
    else main.onEvent({ type: 'media', media: { isHeldByOther: to.isHeldByOther } });
    notify(200);
    if (to.isInbound) from.hangUp();
    else setTimeout(() => from.hangUp(), hangUpWithinMs);
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
    const problem = { code: 'transfer_unanswered', who } as const;
    const told: PhoneEnd =
      end.endedBy === 'agent' ? { reason: 'completed', endedBy: 'agent' } : { ...this.#end, problem };
    main.onEvent({ type: 'ended', end: told });
  }
}

function ignore(): void {}
