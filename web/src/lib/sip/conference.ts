import { AudioMix } from './audioMix.ts';
import type { SipCall } from './jssip/sipCall.ts';

/** `voice`: what they hear of the agent alone; null: the microphone is gone. */
type Other = { call: SipCall; sound: MediaStream; voice: () => MediaStreamTrack | null };
type Needs = {
  customer: Other;
  colleague: Other;
  /** The agent's microphone. */
  own: MediaStream;
  isMuted: boolean;
  play: (stream: MediaStream) => void;
};

/**
 * Customer, colleague and agent hear each other: mixed by this page, as the telephone network has two calls here.
 * Ends with either call, or when one of them is put on hold.
 */
export class Conference {
  readonly #needs: Needs;
  readonly #context = new AudioContext();
  readonly #toCustomer: AudioMix;
  readonly #toColleague: AudioMix;
  readonly #heard: AudioMix;
  #own: MediaStream;
  #isMuted: boolean;

  constructor(needs: Needs) {
    const { colleague, customer, isMuted, own } = needs;
    this.#needs = needs;
    this.#own = own;
    this.#isMuted = isMuted;
    void this.#context.resume();
    this.#toCustomer = new AudioMix(this.#context, [own, colleague.sound]);
    this.#toColleague = new AudioMix(this.#context, [own, customer.sound]);
    this.#heard = new AudioMix(this.#context, [customer.sound, colleague.sound]);
    // Who is muted is silent in the mix, where the others go on.
    for (const { call } of [customer, colleague]) call.setMuted(false);
    this.setMuted(isMuted);
    customer.call.replaceTrack(this.#toCustomer.track);
    colleague.call.replaceTrack(this.#toColleague.track);
    needs.play(this.#heard.stream);
  }

  get isMuted(): boolean {
    return this.#isMuted;
  }

  setMuted(isMuted: boolean): void {
    this.#isMuted = isMuted;
    for (const mix of [this.#toCustomer, this.#toColleague]) mix.setSilent(this.#own, isMuted);
  }

  /** The agent's microphone is another one from now on. */
  hearBy(own: MediaStream): void {
    for (const mix of [this.#toCustomer, this.#toColleague]) {
      mix.remove(this.#own);
      mix.add(own);
    }
    this.#own = own;
    this.setMuted(this.#isMuted);
  }

  /** Each hears the agent alone again, and is heard by whoever plays them. */
  close(): void {
    for (const { call, voice } of [this.#needs.customer, this.#needs.colleague]) {
      const track = voice();
      if (!call.lasts || track === null) continue;
      // First: what takes the place is as silent as what goes.
      call.setMuted(this.#isMuted);
      call.replaceTrack(track);
    }
    for (const mix of [this.#toCustomer, this.#toColleague, this.#heard]) mix.close();
    void this.#context.close();
  }
}
