import { callingEnd, otherEndText } from '../shared/otherEnd.ts';
import type { CallAttempt } from './callAttempt.ts';
import { CallMove } from './callMove.ts';
import type { SipCall, SipCallListener } from './sip/sipCall.ts';
import type { SipUserAgent } from './sip/userAgent.ts';

type Referral = Parameters<SipCallListener['onReferred']>[0];
export type MoveStep = 'begun' | 'done' | 'failed';

type Needs = {
  userAgent: () => SipUserAgent | null;
  /** Listens to an agent's call, whichever SIP call it is. */
  listener: (attempt: CallAttempt) => SipCallListener;
  /** Unanswered for longer, the new call is given up. Milliseconds. */
  noAnswerMs: number;
  onStep: (step: MoveStep, who: string) => void;
};

/** What the telephone network has agents' calls moved to: one move at a time, and none without a microphone. */
export class CallMoves {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** The other side wants the call to go on with somebody else, whom this side calls. */
  refer(attempt: CallAttempt, referral: Referral): void {
    const { call: from, stream } = attempt;
    const userAgent = this.#needs.userAgent();
    if (attempt.move !== null) return referral.refuse(491);
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
    if (attempt.move !== null || attempt.isOver || from === null) return to.reject('decline_busy');
    if (stream === null) return to.reject('no_microphone');
    const { caller } = to;
    const move = this.#moveFrom(attempt, from, caller.displayName ?? otherEndText(callingEnd(caller)), () => undefined);
    to.listen(move.listener);
    move.begin(to, this.#needs.noAnswerMs);
    to.answer(stream);
  }

  #moveFrom(attempt: CallAttempt, from: SipCall, who: string, notify: (code: number) => void): CallMove {
    const onDone = (to: SipCall) => {
      const { isMuted, isHeld } = from;
      attempt.isHoldDue = isHeld;
      attempt.goOnWith(to);
      // Whoever hears of it keeps the call for the page after this one, as it is then.
      to.goOn(isMuted, isHeld);
      this.#needs.onStep('done', who);
    };
    const onFailed = () => {
      attempt.move = null;
      this.#needs.onStep('failed', who);
    };
    return (attempt.move = new CallMove({ from, main: this.#needs.listener(attempt), who, notify, onDone, onFailed }));
  }
}
