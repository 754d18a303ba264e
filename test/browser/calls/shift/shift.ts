import type { BrowserRoom } from '../../../support/browser/browser.ts';
import type { Joint, Solo, Spell } from './plan.ts';
import { SoloCourses } from './soloCourses.ts';
import type { ShiftRoom } from './shiftRoom.ts';
import type { ShiftSeat } from './shiftSeat.ts';
import { TransferCourses } from './transferCourses.ts';
import { TwoCallCourses } from './twoCallCourses.ts';

/** Two agents at work. */
export class Shift {
  readonly ada: ShiftSeat;
  readonly ben: ShiftSeat;
  readonly #solo: SoloCourses;
  readonly #twoCalls: TwoCallCourses;
  readonly #transfers: TransferCourses;

  private constructor(room: ShiftRoom, ada: ShiftSeat, ben: ShiftSeat) {
    this.ada = ada;
    this.ben = ben;
    this.#solo = new SoloCourses(room);
    this.#twoCalls = new TwoCallCourses(this.#solo);
    this.#transfers = new TransferCourses(room, this.#solo);
  }

  static async begin(room: ShiftRoom, browser: BrowserRoom): Promise<Shift> {
    const [ada, ben] = room.company.agents;
    if (ada === undefined || ben === undefined) throw new Error('the company has two agents');
    return new Shift(room, await room.seat(ada, browser), await room.seat(ben, browser));
  }

  /** Both by themselves, side by side, and then together. */
  async play({ ada, ben, joint }: Spell): Promise<void> {
    await Promise.all([this.#works(this.ada, ada), this.#works(this.ben, ben)]);
    if (joint !== null) await this.#together(joint);
  }

  async #works(seat: ShiftSeat, solos: readonly Solo[]): Promise<void> {
    for (const solo of solos) await told(seat, solo, () => this.#alone(seat, solo));
  }

  #alone(seat: ShiftSeat, solo: Solo): Promise<void> {
    switch (solo.kind) {
      case 'talk':
        return this.#solo.talk(seat, solo);
      case 'in vain':
        return this.#solo.vainly(seat, solo.begins, solo.how);
      case 'rings in vain':
        return this.#solo.ringsInVain(seat, solo.how);
      case 'beside':
        return this.#twoCalls.beside(seat, solo.begins, solo.what);
      case 'to a number':
        return this.#transfers.toNumber(seat, solo.begins);
    }
  }

  #together(joint: Joint): Promise<void> {
    const [from, to] = joint.from === 'ada' ? [this.ada, this.ben] : [this.ben, this.ada];
    return told(from, joint, () => this.#transfers.toColleague(from, to, joint));
  }
}

/** Whatever fails says in which call. */
async function told(seat: ShiftSeat, course: Solo | Joint, play: () => Promise<void>): Promise<void> {
  try {
    await play();
  } catch (error) {
    throw new Error(`${seat.agent.agentCode}, in ${JSON.stringify(course)}`, { cause: error });
  }
}
