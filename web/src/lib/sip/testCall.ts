import type { SipCall, SipCallListener } from './jssip/sipCall.ts';
import type { OpenMicrophone } from './microphone.ts';
import type { TestStep } from './phone.ts';
import type { PhoneEnd, VoiceQuality } from './phoneCall.ts';
import { Speaker } from './speaker.ts';

type Needs = {
  /** As of `MicrophoneWatch`. */
  open: () => Promise<OpenMicrophone | null>;
  /** Calls the echo. Throws where the browser takes no part in it; null: there is no telephone any more. */
  dial: (voice: MediaStream, listener: SipCallListener) => SipCall | null;
  onStep: (step: TestStep) => void;
  /** Before `onStep` tells it. */
  onOver: () => void;
};

/** Long enough for a few sentences; who forgets it does not keep a line of the PBX busy. Milliseconds. */
const testsForMs = 60_000;

/** A call to the echo of the PBX, of which the gateway knows nothing. */
export class TestCall {
  readonly #needs: Needs;
  readonly #speaker = new Speaker(() => {});
  readonly #timer = setTimeout(() => this.end(), testsForMs);
  #microphone: OpenMicrophone | null = null;
  #call: SipCall | null = null;
  #isAnswered = false;
  #quality: VoiceQuality | null = null;
  #isOver = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  async begin(): Promise<void> {
    this.#needs.onStep({ step: 'calling' });
    const microphone = await this.#needs.open();
    if (this.#isOver) return microphone?.close();
    if (microphone === null) return this.#finish({ reason: 'failed', problem: { code: 'no_microphone' } });
    this.#microphone = microphone;
    try {
      this.#call = this.#needs.dial(microphone.stream, this.#listener);
    } catch {
      return this.#finish({ reason: 'failed', problem: { code: 'settings_refused' } });
    }
    if (this.#call === null) this.#finish(null);
  }

  /** Hangs up. */
  end(): void {
    if (this.#isOver) return;
    this.#call?.hangUp();
    this.#finish(null);
  }

  readonly #listener: SipCallListener = {
    onEvent: (event) => {
      if (event.type === 'connected') this.#talk(null);
      else if (event.type === 'ended') this.#finish(event.end);
      else if (event.type === 'media' && event.media.quality != null) this.#talk(event.media.quality);
    },
    onSound: (stream) => {
      if (!this.#isOver) this.#speaker.play(stream);
    },
    onProblem: () => undefined,
    onReferred: (referral) => referral.refuse(603),
    onReplaced: (call) => call.reject('decline_busy'),
  };

  #talk(quality: VoiceQuality | null): void {
    this.#isAnswered = true;
    this.#quality = quality;
    if (!this.#isOver) this.#needs.onStep({ step: 'talking', quality });
  }

  /** @param end null: the agent, or a call, has ended it */
  #finish(end: PhoneEnd | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#microphone?.close();
    this.#speaker.silence();
    this.#needs.onOver();
    this.#needs.onStep({ step: 'over', quality: this.#quality, end: this.#isAnswered ? null : end });
  }
}
