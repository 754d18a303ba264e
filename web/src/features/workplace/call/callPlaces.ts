import type { CallView } from '../../../../../src/contract/calls.ts';
import type { CallKey, PhoneCall } from '../../../lib/sip/phoneCall.ts';
import type { PhoneManager } from '../phoneManager.ts';
import type { Sounds } from './callEffects.ts';
import type { CallEvent } from './callEvents.ts';
import type { CallPlace, CallPlaceNeeds } from './callPlace.ts';
import { CallSounds } from './callSounds.ts';
import { awaitedIdOf, callIdOf, isTalk, sessionOf, usesPhone } from './callState.ts';
import { hasRoomBehind, mayTurn, stepsOf, type Turn, type TurnStep } from './twoCalls.ts';

type Needs = {
  phones: PhoneManager;
  sounds: Sounds;
  /** @param shared what a place needs of the two together */
  newPlace: (shared: Pick<CallPlaceNeeds, 'sounds' | 'hasOther' | 'changed'>) => CallPlace;
  changed: () => void;
};

/** The two places for calls of this page, and the agent's turn from one to the other (twoCalls.ts). */
export class CallPlaces {
  readonly #needs: Needs;
  readonly #sounds: CallSounds;
  #front: CallPlace;
  #behind: CallPlace;
  #turn: Turn = 'none';
  #isArranging = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#sounds = new CallSounds(needs.sounds, () => this.all.some(({ state }) => isTalk(state)));
    this.#front = this.#newPlace();
    this.#behind = this.#newPlace();
  }

  /** Of the call that the agent talks in, or of all that there is. */
  get front(): CallPlace {
    return this.#front;
  }
  /** Of the other one, which rings or is on hold. */
  get behind(): CallPlace {
    return this.#behind;
  }
  get all(): readonly [CallPlace, CallPlace] {
    return [this.#front, this.#behind];
  }
  /** Where there is something; at least the one in front. */
  get busy(): readonly CallPlace[] {
    return this.#behind.state.phase === 'idle' ? [this.#front] : this.all;
  }
  /** Whether the agent is about to talk in the call behind. */
  get isTurning(): boolean {
    return this.#turn !== 'none';
  }

  /** Null: the page has no such call. */
  of(key: CallKey): CallPlace | null {
    return this.all.find((place) => place.isCurrent(key)) ?? null;
  }

  /** The same by the gateway's id. */
  with(callId: string): CallPlace | null {
    return this.all.find(({ state }) => callIdOf(state) === callId) ?? null;
  }

  /** Where the gateway's word of a call belongs, be it one that is to ring again; null: the page has no such call. */
  about(callId: string): CallPlace | null {
    return this.all.find(({ state }) => awaitedIdOf(state) === callId) ?? null;
  }

  /** Whether the gateway's word of a call is of the one behind: that has this id, or is yet to get one. */
  isBehind(callId: string): boolean {
    return this.isBehindUnrecorded
      ? awaitedIdOf(this.#front.state) !== callId
      : awaitedIdOf(this.#behind.state) === callId;
  }
  /** Whether the gateway is yet to say which call the one behind is. */
  get isBehindUnrecorded(): boolean {
    return sessionOf(this.#behind.state)?.record.kind === 'pending';
  }

  /** Where whoever calls now has a place, or hears that the agent is busy. */
  forCaller(): CallPlace {
    const awaiting = this.all.find(({ state }) => state.phase === 'awaiting_ring' || state.phase === 'expecting');
    if (awaiting !== undefined) return awaiting;
    const isAllowed = this.#needs.phones.settings?.call_waiting === true;
    return isAllowed && hasRoomBehind(this.#front.state, this.#behind.state) ? this.#behind : this.#front;
  }

  /**
   * Where a call is fetched that the gateway knows and this page does not: of two, one comes behind the other.
   * @param hasTwo whether the gateway has two
   */
  forOrphan({ id }: CallView, hasTwo: boolean): CallPlace {
    const known = this.about(id);
    if (known !== null || !hasTwo) return known ?? this.#front;
    return awaitedIdOf(this.#front.state) !== null && this.#behind.state.phase === 'idle' ? this.#behind : this.#front;
  }

  /** As its phone has it; null: there is none there, or the phone has nothing of it. */
  phoneCallOf({ state }: CallPlace): PhoneCall | null {
    const session = sessionOf(state);
    return session === null ? null : (this.#needs.phones.phone?.call(session.key) ?? null);
  }

  /** For that call, if the page still has it. @returns whether it has */
  sendFor(key: CallKey, event: CallEvent): boolean {
    const place = this.of(key);
    place?.send(event);
    return place !== null;
  }

  /** Answers the call behind, or goes on with it, once the one in front is on hold. */
  turn(): void {
    if (this.#turn !== 'none' || !mayTurn(this.#front.state, this.#behind.state)) return;
    this.#turn = 'wanted';
    this.#changed();
  }

  /** The network does not hold that call: the agent stays in it. */
  holdRefused(key: CallKey): void {
    if (!this.#front.isCurrent(key) || this.#turn === 'none') return;
    this.#turn = 'none';
    this.#changed();
  }

  #newPlace(): CallPlace {
    const place: CallPlace = this.#needs.newPlace({
      sounds: {
        ring: (which) => this.#sounds.ring(place, which),
        silence: () => this.#sounds.silence(place),
      },
      hasOther: () => this.all.some((other) => other !== place && usesPhone(other.state)),
      changed: () => this.#changed(),
    });
    return place;
  }

  #changed(): void {
    this.#arrange();
    this.#sounds.update();
    this.#needs.changed();
  }

  /** Does what follows from how the two calls stand. */
  #arrange(): void {
    if (this.#isArranging) return;
    this.#isArranging = true;
    try {
      for (
        let steps = stepsOf(this.#front.state, this.#behind.state, this.#turn);
        steps.length > 0;
        steps = stepsOf(this.#front.state, this.#behind.state, this.#turn)
      )
        for (const step of steps) this.#do(step);
    } finally {
      this.#isArranging = false;
    }
  }

  #do(step: TurnStep): void {
    switch (step) {
      case 'exchange':
        [this.#front, this.#behind] = [this.#behind, this.#front];
        return;
      case 'forget':
        this.#turn = 'none';
        return;
      case 'return':
        this.#turn = 'returning';
        return;
      case 'hold_front':
        this.#turn = 'holding';
        return this.phoneCallOf(this.#front)?.setHeld(true);
      case 'answer_front':
        return this.#front.send({ type: 'answer' });
      case 'resume_front':
        return this.phoneCallOf(this.#front)?.setHeld(false);
    }
  }
}
