import type { Sounds } from './callEffects.ts';

/** Which call of the page. */
type Place = object;
type Ring = 'incoming' | 'outgoing';

/** What is heard of two calls: one that rings beside a talk is heard softly, and rings as usual when that is over. */
export class CallSounds {
  readonly #sounds: Sounds;
  readonly #isTalking: () => boolean;
  readonly #wanted = new Map<Place, Ring>();
  #heard: Ring | 'waiting' | null = null;

  /** @param isTalking whether the agent talks in one of the calls */
  constructor(sounds: Sounds, isTalking: () => boolean) {
    this.#sounds = sounds;
    this.#isTalking = isTalking;
  }

  ring(place: Place, which: Ring): void {
    this.#wanted.set(place, which);
    this.update();
  }

  silence(place: Place): void {
    this.#wanted.delete(place);
    this.update();
  }

  /** A call has begun, or ended. */
  update(): void {
    const [ring = null] = this.#wanted.values();
    const heard = ring === 'incoming' && this.#isTalking() ? 'waiting' : ring;
    if (heard === this.#heard) return;
    this.#heard = heard;
    if (heard === null) this.#sounds.silence();
    else this.#sounds.ring(heard);
  }
}
