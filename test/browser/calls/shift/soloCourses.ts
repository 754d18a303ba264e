import type { Locator } from 'playwright-core';
import type { Customer } from '../../../support/sip/customer.ts';
import { eventually } from '../../../support/time/waiting.ts';
import type { Played } from './ledger.ts';
import type { ShiftRoom } from './shiftRoom.ts';
import type { ShiftSeat } from './shiftSeat.ts';

/** A call as it is played, and the customer's telephone. */
export type Call = { played: Played; customer: Customer };
/** How a call of an agent begins. */
export type Beginning = 'click' | 'hand' | 'ring';
/** What goes wrong while they talk. */
export type Trouble = 'none' | 'reload' | 'reload on hold' | 'no gateway' | 'no network' | 'no PBX' | 'no sound';
/** How it ends where nobody talks. */
export type Vain = 'busy' | 'no answer' | 'declined' | 'customer unavailable' | 'agent hangs up';

export type Talk = {
  begins: Beginning;
  holds: number;
  trouble: Trouble;
  /** Who hangs up; where the page is out of reach: meanwhile. */
  ends: 'agent' | 'customer' | 'customer meanwhile';
};

export const dispositions = ['Resolved', 'Follow-up needed', 'Not interested', 'Other'] as const;

/** What the network answers in each, and what is told of it. */
const refusals = {
  busy: { status: 486, reason: 'Busy Here', end: 'busy' },
  'no answer': { status: 480, reason: 'Temporarily Unavailable', end: 'no_answer' },
  declined: { status: 603, reason: 'Decline', end: 'rejected' },
  'customer unavailable': { status: 408, reason: 'Request Timeout', end: 'no_answer' },
} as const;

/** Calls that concern one agent alone. */
export class SoloCourses {
  readonly #room: ShiftRoom;

  constructor(room: ShiftRoom) {
    this.#room = room;
  }

  /** Begun, answered and talked in. */
  async talk(seat: ShiftSeat, { begins, holds, trouble, ends }: Talk): Promise<void> {
    const { played, customer } = await this.begin(seat, begins);
    for (let n = 0; n < holds; n += 1) {
      await seat.holds();
      await seat.resumes();
    }
    played.holds = holds;
    const endsMeanwhile = ends === 'customer meanwhile' && ['no gateway', 'no network'].includes(trouble);
    await this.#meets(seat, played, trouble, async () => {
      if (endsMeanwhile) await customer.hangsUp();
    });
    if (ends === 'agent') await this.hangsUp(seat, customer);
    else {
      if (!endsMeanwhile) await customer.hangsUp();
      played.endedBy = 'customer';
    }
    await this.isOver(seat, played);
  }

  /** Somebody is called who does not answer. */
  async vainly(seat: ShiftSeat, begins: 'click' | 'hand', how: Vain): Promise<void> {
    const { played, customer } = await this.dial(seat, begins);
    played.wasAnswered = false;
    if (how === 'agent hangs up') {
      await seat.phone.inCall('Ringing');
      await this.#hangsUpUnanswered(seat, customer);
      played.endReason = 'canceled';
    } else {
      const { status, reason, end } = refusals[how];
      customer.declines(status, reason);
      played.endReason = end;
      played.endedBy = 'customer';
    }
    await this.isOver(seat, played);
  }

  /** Somebody calls whom nobody talks to. */
  async ringsInVain(seat: ShiftSeat, how: 'declined' | 'missed'): Promise<void> {
    const call = await this.ring(seat);
    await seat.isRecorded(call.played.phone, 'ringing');
    await this.isNotAnswered(seat, call, how === 'declined' ? seat.phone.button('Decline') : null);
    if (how === 'declined') await seat.goesBackToWork();
    else await seat.isReady();
  }

  /** A ring that is over before anybody talks. @param decline what the agent presses; null: the customer gives up */
  async isNotAnswered(seat: ShiftSeat, { played, customer }: Call, decline: Locator | null): Promise<void> {
    played.wasAnswered = false;
    if (decline !== null) {
      await decline.click();
      await customer.isRefused();
      played.endReason = 'rejected';
    } else {
      await customer.givesUp();
      played.endReason = 'canceled';
      played.endedBy = 'customer';
    }
    await seat.isRecorded(played.phone, 'ended');
  }

  /** One begins a call that is answered. */
  async begin(seat: ShiftSeat, begins: Beginning): Promise<Call> {
    const begun = begins === 'ring' ? await this.ring(seat) : await this.dial(seat, begins);
    const { played, customer } = begun;
    played.answeredAfter = Date.now();
    if (begins === 'ring') {
      await seat.phone.button('Answer').click();
      await customer.isAnswered();
    } else await customer.answers();
    await seat.phone.inCall('Connected');
    await seat.isRecorded(played.phone, 'connected');
    return begun;
  }

  /** A customer is dialed, and rings. */
  async dial(seat: ShiftSeat, begins: 'click' | 'hand'): Promise<Call> {
    const phone = this.#room.ledger.newNumber();
    const customer = await this.#room.pbx.customer(phone);
    const trigger = begins === 'click' ? 'click_to_dial' : 'manual_dial';
    const played = this.#room.ledger.begin({ phone, agentId: seat.agent.id, direction: 'outbound', trigger });
    if (begins === 'click') await seat.isClicked(phone);
    else await seat.dialsByHand(phone);
    await customer.rings();
    return { played, customer };
  }

  /** A customer calls, and the agent's page rings. */
  async ring(seat: ShiftSeat): Promise<Call> {
    const phone = this.#room.ledger.newNumber();
    const customer = await this.#room.pbx.customer(phone);
    const played = this.#room.ledger.begin({ phone, agentId: seat.agent.id, direction: 'inbound' });
    customer.dials(seat.extension);
    await eventually(async () => (await seat.recordOf(phone)) !== undefined);
    return { played, customer };
  }

  /** The agent ends the call that is in front. */
  async hangsUp(seat: ShiftSeat, customer: Customer): Promise<void> {
    await seat.phone.button('Hang up').click();
    await customer.isLeft();
  }

  /** The record tells that it is over; it is wrapped up, and the agent is Ready. */
  async isOver(seat: ShiftSeat, played: Played): Promise<void> {
    await seat.isRecorded(played.phone, 'ended');
    played.endedBefore = Date.now();
    await this.wrapsUp(seat, played);
    await seat.isReady();
  }

  async wrapsUp(seat: ShiftSeat, played: Played): Promise<void> {
    const { ledger } = this.#room;
    const label = dispositions[Number(played.phone.at(-1)) % dispositions.length] ?? dispositions[0];
    await seat.wrapsUp(played, { label, notes: ledger.newNotes() });
  }

  async #hangsUpUnanswered(seat: ShiftSeat, customer: Customer): Promise<void> {
    await seat.phone.button('Hang up').click();
    await customer.isGivenUp();
  }

  async #meets(seat: ShiftSeat, played: Played, trouble: Trouble, meanwhile: () => Promise<void>): Promise<void> {
    switch (trouble) {
      case 'none':
        return;
      case 'reload':
        return seat.reloads('Connected');
      case 'reload on hold':
        await seat.holds();
        await seat.isRecorded(played.phone, 'held');
        played.holds += 1;
        await seat.reloads('On hold');
        return seat.resumes();
      case 'no gateway':
        return seat.withoutGateway(meanwhile);
      case 'no network':
        return seat.withoutNetwork(meanwhile);
      case 'no PBX':
        return seat.losesPbx();
      case 'no sound':
        return this.#losesSound(seat);
    }
  }

  async #losesSound(seat: ShiftSeat): Promise<void> {
    const trouble = seat.page.getByTestId('voice-trouble');
    this.#room.pbx.lose(seat.extension, true);
    await trouble.waitFor();
    this.#room.pbx.lose(seat.extension, false);
    await trouble.waitFor({ state: 'detached' });
  }
}
