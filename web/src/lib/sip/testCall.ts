import type { SipCall, SipCallListener } from './jssip/sipCall.ts';
import type { OpenMicrophone } from './microphone.ts';
import type { PhoneEnd, TestStep, VoiceQuality } from './phone.ts';
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
    onRinging: ignore,
    onConnected: () => this.#talk(),
    onHeld: ignore,
    onCaller: ignore,
    onHeldByOther: ignore,
    onTransferring: ignore,
    onSound: (stream) => {
      if (!this.#isOver) this.#speaker.play(stream);
    },
    onQuality: (quality) => {
      this.#quality = quality;
      this.#talk();
    },
    onVoiceTrouble: ignore,
    onProblem: ignore,
    onReferred: (referral) => referral.refuse(603),
    onReplaced: (call) => call.reject('decline_busy'),
    onEnded: (end) => this.#finish(end),
  };

  #talk(): void {
    this.#isAnswered = true;
    if (!this.#isOver) this.#needs.onStep({ step: 'talking', quality: this.#quality });
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

function ignore(): void {}
