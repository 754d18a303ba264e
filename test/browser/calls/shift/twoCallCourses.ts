import type { Beginning, Call, SoloCourses } from './soloCourses.ts';
import type { ShiftSeat } from './shiftSeat.ts';

/** What becomes of somebody who calls while the agent talks. */
export type Beside = 'answered' | 'declined' | 'given up';

/** Somebody calls while the agent talks. */
export class TwoCallCourses {
  readonly #solo: SoloCourses;

  constructor(solo: SoloCourses) {
    this.#solo = solo;
  }

  async beside(seat: ShiftSeat, begins: Beginning, what: Beside): Promise<void> {
    const first = await this.#solo.begin(seat, begins);
    const second = await this.#solo.ring(seat);
    if (what === 'answered') return this.#answered(seat, first, second);
    await this.#inVain(seat, second, what);
    await this.#solo.hangsUp(seat, first.customer);
    await this.#solo.isOver(seat, first.played);
  }

  /** The first one waits on hold, and its turn comes when the second is over. */
  async #answered(seat: ShiftSeat, first: Call, second: Call): Promise<void> {
    second.played.answeredAfter = Date.now();
    await seat.phone.button('Hold and answer').click();
    await second.customer.isAnswered();
    await seat.isRecorded(second.played.phone, 'connected');
    await seat.isRecorded(first.played.phone, 'held');
    first.played.holds = 1;
    await this.#solo.hangsUp(seat, second.customer);
    await seat.isRecorded(second.played.phone, 'ended');
    second.played.endedBefore = Date.now();
    await seat.phone.inCall('On hold');
    await seat.resumes();
    await this.#solo.hangsUp(seat, first.customer);
    await seat.isRecorded(first.played.phone, 'ended');
    first.played.endedBefore = Date.now();
    // One after the other, beginning with the one that ended last.
    await this.#solo.wrapsUp(seat, first.played);
    await this.#solo.wrapsUp(seat, second.played);
    await seat.isReady();
  }

  async #inVain(seat: ShiftSeat, call: Call, how: 'declined' | 'given up'): Promise<void> {
    const other = seat.page.getByRole('region', { name: 'Other call' });
    const decline = other.getByRole('button', { name: 'Decline' });
    await decline.waitFor();
    await this.#solo.isNotAnswered(seat, call, how === 'declined' ? decline : null);
    await other.waitFor({ state: 'detached' });
  }
}
