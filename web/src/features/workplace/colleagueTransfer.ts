import type { Softphone } from '../../../../src/client/softphone.ts';
import type { TransferWay } from '../../../../src/contract/vocabulary.ts';
import type { Phone } from '../../lib/sip/phone.ts';
import type { CallKey, CallMedia, PhoneCall } from '../../lib/sip/phoneCall.ts';
import { CannotNow } from './workplace.ts';

/** Whom to hand a call on to: a colleague, or whoever of a team, or of all, has been Ready for the longest time. */
export type TransferTarget = { agentId: string } | { teamCode: string } | 'anybody';

/** A colleague whom the gateway reserves for the agent's call, or has reserved. `name`: null until it is known who. */
export type ReservedColleague = { name: string | null };
/**
 * `key`: of the agent's call. `isByTones`: the PBX calls them, as tones have asked it to. `tellsEnd`: they have
 * answered, or declined, so that their own softphone tells what becomes of it.
 */
type State = {
  key: CallKey;
  colleague: ReservedColleague;
  transferId: string | null;
  isByTones: boolean;
  tellsEnd: boolean;
};

type Needs = {
  softphone: Pick<Softphone, 'cancelTransfer' | 'on' | 'startTransfer'>;
  /** The one that the agent talks in, as the phone has it; null: there is none. */
  call: () => PhoneCall | null;
  /** How it can be handed on; null: it cannot. */
  way: () => TransferWay | null;
  changed: () => void;
};

/** A colleague who does not answer by then is given up: the customer waits on hold. Milliseconds. */
const answersWithinMs = 20_000;

/**
 * Hands the call of this page on to a colleague whom the gateway reserves: that one sees the customer before the
 * telephone rings. From the answer on it is an ordinary consultation; one that ends before frees the colleague. A PBX
 * that is asked by tones calls them itself, and they talk to whoever it lets them.
 */
export class ColleagueTransfer {
  readonly #needs: Needs;
  #state: State | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
    needs.softphone.on('transferEnded', ({ call_id: id }) => {
      // Their telephone says so, too, unless it never rang.
      if (this.#state?.transferId !== id || this.#state.tellsEnd) return;
      if (this.#state.isByTones) needs.call()?.keep('unreachable');
      else needs.call()?.endConsult('unreachable');
    });
  }

  /** Null: nobody is reserved. */
  get colleague(): ReservedColleague | null {
    return this.#state?.colleague ?? null;
  }

  /**
   * Reserves a colleague, and has the telephone call them.
   * @param call the one in front: its id, and by which the page knows it
   * @param isAskedFirst the agent talks to them before they get the customer
   * Rejects with SoftphoneRefusal, or with CannotNow where a colleague is reserved already.
   */
  async start({ id, key }: { id: string; key: CallKey }, target: TransferTarget, isAskedFirst: boolean): Promise<void> {
    if (this.#state !== null) throw new CannotNow('in_call');
    const isByTones = this.#needs.way() === 'tones';
    const state: State = { key, colleague: { name: null }, transferId: null, isByTones, tellsEnd: false };
    this.#become(state);
    try {
      const {
        agent,
        call_id: transferId,
        extension,
      } = await this.#needs.softphone.startTransfer(id, target === 'anybody' ? {} : target);
      const ownCall = this.#needs.call();
      // The call is over meanwhile.
      if (this.#state !== state || ownCall === null) return this.#free(transferId);
      this.#become({ key, colleague: { name: agent.name }, transferId, isByTones, tellsEnd: false });
      if (isByTones) return ownCall.transfer(extension);
      ownCall.consult(extension, {
        name: agent.name,
        forCall: transferId,
        joinsAtOnce: !isAskedFirst,
        withinMs: answersWithinMs,
        onDeclined: () => {
          if (this.#state?.transferId === transferId) this.#state.tellsEnd = true;
        },
      });
    } catch (error) {
      if (this.#state === state) this.#become(null);
      throw error;
    }
  }

  /** From now on this is the agent's phone. */
  use(phone: Phone | null): void {
    phone?.on('call', (key, event) => {
      // Of another call it is no concern.
      if (this.#state?.key !== key) return;
      if (event.type === 'ended') this.stop(event.end.reason === 'transferred');
      else if (event.type === 'media') this.#hear(event.media);
    });
  }

  /** The call is over, or the page goes. @param isHandedOn the colleague has the customer, or is about to */
  stop(isHandedOn = false): void {
    const state = this.#state;
    if (state === null) return;
    this.#become(null);
    if (state.transferId !== null && !state.tellsEnd && !isHandedOn) this.#free(state.transferId);
  }

  #hear({ consult, isTransferring }: Partial<CallMedia>): void {
    const state = this.#state;
    if (state === null || state.transferId === null) return;
    if (consult === null || (state.isByTones && isTransferring === false)) this.stop();
    else if (consult?.step === 'talking') state.tellsEnd = true;
  }

  /** Once: the gateway frees them by itself where this does not arrive. */
  #free(transferId: string): void {
    this.#needs.softphone.cancelTransfer(transferId).catch(() => {});
  }

  #become(state: State | null): void {
    this.#state = state;
    this.#needs.changed();
  }
}
