import type { EndEvent, RTCSession } from 'jssip/lib/RTCSession.js';
import type { TransferCode } from '../../../../../src/contract/telephony.ts';
import type { PhoneEnd, PhoneProblem } from '../phoneCall.ts';
import type { RequestedEnd } from '../sipOutcome.ts';
import { areTones, type Tones } from './tones.ts';
import { addressIncomplete, Transfer } from './transfer.ts';

type Needs = {
  session: () => RTCSession | null;
  tones: Tones;
  /** What the network is asked for. */
  code: TransferCode;
  onChange: (isTransferring: boolean) => void;
  onProblem: (problem: PhoneProblem) => void;
  /** The network says that the customer is with somebody else. */
  onDone: () => void;
};

/** Has the network hand a call on, one try at a time: by a REFER, or by tones, which tell nobody how it goes. */
export class HandingOn {
  readonly #needs: Needs;
  /** Null: it is not asked, or was asked by tones. */
  #transfer: Transfer | null = null;
  /** Whom the tones are for. `isOut`: all have been sent. */
  #byTones: { to: string; isOut: boolean } | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get isUnderWay(): boolean {
    return this.#byTones !== null || this.#transfer?.isUnderWay === true;
  }
  /** Whom the call may be with at any moment, as the network has agreed, or has been told; null: nobody. */
  get agreedTo(): string | null {
    if (this.#byTones?.isOut === true) return this.#byTones.to;
    return this.#transfer?.isAgreed === true ? this.#transfer.to : null;
  }

  /**
   * @param to as the PBX knows them
   * @param joined a call with them, whose place the customer takes: a REFER, as no tone can say so
   */
  begin(to: string, joined: RTCSession | null): void {
    const { code, onChange } = this.#needs;
    onChange(true);
    if (joined === null && code.by === 'tones') void this.#sound(to);
    else this.#refer(to, joined);
  }

  /** The call is here, whatever the network was asked. */
  keep(why?: 'unreachable'): void {
    const { onChange, onProblem } = this.#needs;
    const { to } = this.#byTones ?? {};
    if (to === undefined) return;
    this.#byTones = null;
    // What has not gone out would hand it on all the same.
    this.#needs.tones.cut();
    onChange(false);
    if (why === 'unreachable') onProblem({ code: 'consult_unanswered', who: to });
  }

  /** The call is over. */
  stop(): void {
    this.#transfer?.stop();
  }

  /**
   * How a call ended that somebody has taken on; null: nobody has. Once the network has agreed, or all tones are out,
   * whoever hangs up on purpose leaves it to hand the call on.
   */
  endOf({ cause, originator }: EndEvent, requested: RequestedEnd | null): PhoneEnd | null {
    const isDeliberate = cause === 'Terminated' && ((originator as string) === 'remote' || requested === 'hang_up');
    const to = this.#transfer?.isDone === true ? this.#transfer.to : isDeliberate ? this.agreedTo : null;
    return to === null ? null : { reason: 'transferred', endedBy: 'agent', transferredTo: to };
  }

  async #sound(to: string): Promise<void> {
    const { code, onChange, onProblem, tones } = this.#needs;
    const digits = code.code.replace('{number}', () => to.replace(/^\+/, '00'));
    if (!areTones(digits)) {
      onChange(false);
      return onProblem({ code: 'transfer_refused', who: to, sipCode: addressIncomplete });
    }
    const asked = { to, isOut: false };
    this.#byTones = asked;
    const isSent = tones.send(digits) && (await tones.sent());
    if (this.#byTones !== asked) return;
    if (isSent) {
      asked.isOut = true;
      // The call is kept for the page after this one as one that may be with somebody else.
      return onChange(true);
    }
    // Why was told.
    this.#byTones = null;
    onChange(false);
  }

  #refer(to: string, joined: RTCSession | null): void {
    const { code, onChange, onDone, onProblem, session } = this.#needs;
    const own = session();
    if (own === null) return;
    const transfer = new Transfer(to, {
      onAgreed: () => this.#transfer === transfer && onChange(true),
      onDone: () => {
        this.#transfer = transfer;
        onDone();
      },
      onRefused: (sipCode) => {
        onChange(false);
        onProblem({ code: 'transfer_refused', who: to, sipCode });
      },
    });
    this.#transfer?.stop();
    this.#transfer = transfer;
    const asked =
      joined === null && code.by === 'refer' ? code.code.replaceAll(',', '').replace('{number}', () => to) : to;
    transfer.begin(own, asked, joined);
  }
}
