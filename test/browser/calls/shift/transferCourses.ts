import type { Played } from './ledger.ts';
import type { Beginning, Call, SoloCourses } from './soloCourses.ts';
import type { ShiftRoom } from './shiftRoom.ts';
import type { ShiftSeat } from './shiftSeat.ts';

/** What becomes of a call that an agent wants to hand on to a colleague. */
export type HandOn = 'at once' | 'asked first' | 'taken back' | 'declined';
/** What goes wrong with the colleague once the call is theirs. */
export type Aftermath = 'none' | 'reload' | 'no gateway' | 'no PBX';

/** Calls that are handed on. */
export class TransferCourses {
  readonly #room: ShiftRoom;
  readonly #solo: SoloCourses;

  constructor(room: ShiftRoom, solo: SoloCourses) {
    this.#room = room;
    this.#solo = solo;
  }

  /** To somebody outside, who is not asked first. */
  async toNumber(seat: ShiftSeat, begins: Beginning): Promise<void> {
    const call = await this.#solo.begin(seat, begins);
    const other = await this.#room.pbx.customer(this.#room.ledger.newNumber());
    await this.#opens(seat);
    await seat.page.getByRole('textbox', { name: 'Number, extension or colleague' }).fill(other.number);
    await seat.phone.button('Transfer now').click();
    await other.rings();
    await other.answers();
    this.#isHandedOn(call.played, other.number);
    await this.#solo.isOver(seat, call.played);
    await call.customer.hangsUp();
    await other.isLeft();
  }

  async toColleague(
    from: ShiftSeat,
    to: ShiftSeat,
    { begins, how, aftermath }: { begins: Beginning; how: HandOn; aftermath: Aftermath },
  ): Promise<void> {
    const call = await this.#solo.begin(from, begins);
    await this.#opens(from);
    const colleagues = from.page.getByRole('list', { name: 'Colleagues' });
    const name = how === 'at once' ? new RegExp(`^${to.name}`) : `Call ${to.name} first`;
    await colleagues.getByText('Ready', { exact: true }).waitFor();
    await colleagues.getByRole('button', { name }).click();
    call.played.holds = 1;
    const theirs = this.#theirs(call.played, from, to);
    await to.isRecorded(theirs.phone, 'ringing');
    if (how === 'declined') return this.#declined(from, to, call, theirs);
    theirs.answeredAfter = Date.now();
    await to.phone.button('Answer').click();
    await to.phone.inCall('Connected');
    if (how === 'taken back') return this.#takenBack(from, to, call, theirs);
    if (how === 'asked first') {
      await from.page.getByText(/^You are talking to/).waitFor();
      await from.phone.button('Complete the transfer').click();
    }
    this.#isHandedOn(call.played, to.extension);
    await this.#solo.isOver(from, call.played);
    await to.isRecorded(theirs.phone, 'connected');
    await this.#meets(to, aftermath);
    await this.#solo.hangsUp(to, call.customer);
    await this.#solo.isOver(to, theirs);
  }

  async #opens(seat: ShiftSeat): Promise<void> {
    await seat.page.getByRole('button', { name: 'Transfer', exact: true }).click();
  }

  /** The colleague's record of it. */
  #theirs({ phone }: Played, from: ShiftSeat, to: ShiftSeat): Played {
    const agentId = to.agent.id;
    return this.#room.ledger.begin({ phone, agentId, direction: 'inbound', trigger: 'transfer', from: from.agent.id });
  }

  #isHandedOn(played: Played, to: string): void {
    played.endReason = 'transferred';
    played.transferredTo = to;
  }

  async #declined(from: ShiftSeat, to: ShiftSeat, call: Call, theirs: Played): Promise<void> {
    const decline = to.phone.button('Decline');
    await decline.waitFor();
    await decline.click();
    theirs.wasAnswered = false;
    theirs.endReason = 'rejected';
    await to.isRecorded(theirs.phone, 'ended');
    await this.#goesOn(from, call);
    await to.goesBackToWork();
  }

  async #takenBack(from: ShiftSeat, to: ShiftSeat, call: Call, theirs: Played): Promise<void> {
    await from.page.getByText(/^You are talking to/).waitFor();
    await from.phone.button('Back to the customer').click();
    theirs.endedBy = 'customer';
    theirs.endDetail = 'consulted';
    await to.isRecorded(theirs.phone, 'ended');
    theirs.endedBefore = Date.now();
    await this.#goesOn(from, call);
    await to.isReady();
  }

  /** The agent is with the customer again, until one of them hangs up. */
  async #goesOn(from: ShiftSeat, { played, customer }: Call): Promise<void> {
    await from.phone.inCall('Connected');
    await this.#solo.hangsUp(from, customer);
    await this.#solo.isOver(from, played);
  }

  async #meets(to: ShiftSeat, aftermath: Aftermath): Promise<void> {
    if (aftermath === 'reload') await to.reloads('Connected');
    if (aftermath === 'no gateway') await to.withoutGateway(async () => undefined);
    if (aftermath === 'no PBX') await to.losesPbx();
  }
}
