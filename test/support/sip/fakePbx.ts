import type { Dialed } from '../../../web/src/lib/sip/phone.ts';
import type { CallKey, ConsultOptions, PhoneDialog, PhoneEnd } from '../../../web/src/lib/sip/phoneCall.ts';
import { FakePhone } from './fakePhone.ts';

/** Where a customer is: at a telephone of the PBX, with its agent or on hold; or gone. */
export type Whereabouts = { at: string; isHeld: boolean } | 'gone';

/**
 * A PBX with telephones that the test plays, and one customer: it knows with whom the customer is, whatever becomes of
 * pages and gateways. A page that goes leaves its call behind, for the next telephone of that extension to take over.
 */
export class FakePbx {
  /** Registered by extension: the latest. */
  readonly telephones = new Map<string, PbxPhone>();
  /** Where the customer was, in order. */
  readonly whereabouts: Whereabouts[] = [];
  /** Who is being asked beside the customer, by the extension of who asks. */
  readonly asked = new Map<string, Asked>();
  /** Whether it joins those whom it is asked to join (REFER). */
  joins = true;

  telephone(extension: string): PbxPhone {
    const phone = new PbxPhone(this, extension);
    this.telephones.set(extension, phone);
    return phone;
  }

  get customer(): Whereabouts {
    return this.whereabouts.at(-1) ?? 'gone';
  }

  customerIs(where: Whereabouts): void {
    this.whereabouts.push(where);
  }

  /** The customer hangs up. */
  customerLeaves(): void {
    const { customer } = this;
    if (customer === 'gone') return;
    this.customerIs('gone');
    this.telephones.get(customer.at)?.ends({ reason: 'completed', endedBy: 'customer' });
  }

  /** A telephone calls another one. */
  invite(from: PbxPhone, to: string, options: ConsultOptions): void {
    const callee = this.telephones.get(to);
    const asked: Asked = { to, options, isAnswered: false };
    this.asked.set(from.extension, asked);
    from.tellConsult('calling', asked);
    const isTaken = callee !== undefined && callee !== from && callee.isFree;
    if (!isTaken) return this.leave(from.extension, 'consult_unanswered');
    callee.askedBy = from.extension;
    from.tellConsult('ringing', asked);
    callee.isCalledBy({
      phoneNumber: from.extension,
      displayName: null,
      ...(options.forCall === undefined ? {} : { forCall: options.forCall }),
    });
  }

  /** Whom somebody asks has answered. */
  answered(by: string): void {
    const asked = this.asked.get(by);
    if (asked === undefined) return;
    asked.isAnswered = true;
    this.telephones.get(by)?.tellConsult('talking', asked);
    if (asked.options.joinsAtOnce === true) this.join(by);
  }

  /** Whoever asks is left by whom they ask: with the customer again. */
  leave(by: string, code: 'consult_over' | 'consult_unanswered' | null): void {
    const asked = this.asked.get(by);
    if (asked === undefined) return;
    this.asked.delete(by);
    const callee = this.telephones.get(asked.to);
    if (callee?.askedBy === by) callee.letGo();
    const asking = this.telephones.get(by);
    asking?.tellsMedia({ consult: null });
    if (code !== null) asking?.emit('problem', { code, who: asked.to });
    if (this.customer !== 'gone' && this.customer.at === by) asking?.setHeld(false);
  }

  /** Puts whom somebody asks in their place with the customer. */
  join(by: string): void {
    const asked = this.asked.get(by);
    const asking = this.telephones.get(by);
    if (asked === undefined || asking === undefined) return;
    if (!asked.isAnswered) return void (asked.options.joinsAtOnce = true);
    asking.tellsMedia({ isTransferring: true });
    if (!this.joins) {
      asking.tellsMedia({ isTransferring: false });
      return void asking.emit('problem', { code: 'transfer_refused', who: asked.to, sipCode: 603 });
    }
    this.asked.delete(by);
    const callee = this.telephones.get(asked.to);
    if (callee !== undefined) callee.askedBy = null;
    this.customerIs({ at: asked.to, isHeld: false });
    asking.tellsMedia({ consult: null });
    asking.ends({ reason: 'transferred', endedBy: 'agent', transferredTo: asked.to });
  }
}

type Asked = { to: string; options: ConsultOptions; isAnswered: boolean };

/** A telephone of that PBX. */
export class PbxPhone extends FakePhone {
  readonly extension: string;
  /** Who asks this one about a customer. */
  askedBy: string | null = null;
  readonly #pbx: FakePbx;
  #isInCall = false;
  #isGone = false;

  constructor(pbx: FakePbx, extension: string) {
    super();
    this.#pbx = pbx;
    this.extension = extension;
  }

  get isFree(): boolean {
    return !this.#isInCall && !this.#isGone;
  }

  tellConsult(step: 'calling' | 'ringing' | 'talking', { options, to }: Asked): void {
    const named = options.name === undefined ? {} : { name: options.name };
    this.tellsMedia({ consult: { to, ...named, step, with: 'colleague' } });
  }

  /** The other side has hung up, or given up. */
  letGo(): void {
    this.askedBy = null;
    const wasConnected = this.dialog !== null;
    this.ends(
      wasConnected ? { reason: 'completed', endedBy: 'customer' } : { reason: 'canceled', endedBy: 'customer' },
    );
  }

  override isCalledBy(caller: Parameters<FakePhone['isCalledBy']>[0]): void {
    this.#isInCall = true;
    super.isCalledBy(caller);
  }
  override dial(key: CallKey, whom: Dialed): void {
    this.#isInCall = true;
    super.dial(key, whom);
  }
  override takeOver(key: CallKey, dialog: PhoneDialog): void {
    this.#isInCall = true;
    super.takeOver(key, dialog);
    this.isAnswered();
  }
  override isAnswered(): void {
    super.isAnswered();
    const by = this.askedBy;
    if (by === null) this.#pbx.customerIs({ at: this.extension, isHeld: this.dialog?.isHeld === true });
    else this.#pbx.answered(by);
  }
  override setHeld(isHeld: boolean): void {
    super.setHeld(isHeld);
    const { customer } = this.#pbx;
    if (customer !== 'gone' && customer.at === this.extension && this.askedBy === null)
      this.#pbx.customerIs({ at: this.extension, isHeld });
  }
  override consult(to: string, options: ConsultOptions = {}): void {
    this.did.push(`consult ${to}`);
    this.setHeld(true);
    this.#pbx.invite(this, to, { ...options });
  }
  override completeConsult(): void {
    this.#pbx.join(this.extension);
  }
  override endConsult(why?: 'unreachable'): void {
    this.#pbx.leave(this.extension, why === undefined ? null : 'consult_unanswered');
  }
  override ends(end: PhoneEnd): void {
    const { askedBy } = this;
    const wasConnected = this.dialog !== null;
    this.#isInCall = false;
    this.askedBy = null;
    super.ends(end);
    if (askedBy !== null && end.reason === 'rejected') this.#pbx.asked.get(askedBy)?.options.onDeclined?.();
    if (askedBy !== null) return this.#pbx.leave(askedBy, wasConnected ? 'consult_over' : 'consult_unanswered');
    this.#pbx.leave(this.extension, null);
    const { customer } = this.#pbx;
    if (customer !== 'gone' && customer.at === this.extension && end.reason !== 'transferred')
      this.#pbx.customerIs('gone');
  }
  /**
   * The page goes, and hangs up with whom it asks about the customer, or is asked by;
   * the customer stays where they are.
   */
  override abandon(): void {
    super.abandon();
    this.#go();
  }
  override stop(): void {
    super.stop();
    this.#go();
  }
  #go(): void {
    this.#isGone = true;
    if (this.askedBy !== null)
      this.#pbx.leave(this.askedBy, this.dialog === null ? 'consult_unanswered' : 'consult_over');
    this.#pbx.leave(this.extension, null);
  }
}
