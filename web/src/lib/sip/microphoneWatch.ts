import { onAudioSettings } from './audioDevices.ts';
import { noMicrophone, type Trouble } from './lineDiagnosis.ts';
import { isPlugged, openMicrophone, type OpenMicrophone, type Refused } from './microphone.ts';

type Listener = {
  onState: () => void;
  /** What is plugged in, or chosen, may be another microphone or speaker than before. */
  onDevices: () => void;
};

/**
 * A microphone that another program has is tried again after this. Nothing tells when it is let go of. Milliseconds.
 */
const againAfterMs = 5_000;

/**
 * Knows whether the agent has a microphone that can be used: asks at the start,
 * and when something is plugged in or out; where there was none, also when the agent comes back to the page.
 */
export class MicrophoneWatch {
  readonly #listener: Listener;
  #state: 'asking' | 'usable' | Trouble = 'asking';
  #why: Refused | null = null;
  #nextTry: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  #ignoreChoices: () => void = () => undefined;
  readonly #devicesChanged = () => void this.#lookAgain();
  readonly #permissionChanged = () => void this.#check();
  /** Where the agent has to allow it, another question would come with every look at the page. */
  readonly #seen = () => {
    if (this.#why !== null && this.#why !== 'microphone_forbidden' && document.visibilityState === 'visible')
      void this.#check();
  };

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  get state(): 'asking' | 'usable' | Trouble {
    return this.#state;
  }

  start(): void {
    navigator.mediaDevices.addEventListener('devicechange', this.#devicesChanged);
    this.#ignoreChoices = onAudioSettings(() => this.#listener.onDevices());
    window.addEventListener('focus', this.#seen);
    document.addEventListener('visibilitychange', this.#seen);
    void this.#check();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#nextTry);
    this.#ignoreChoices();
    navigator.mediaDevices.removeEventListener('devicechange', this.#devicesChanged);
    window.removeEventListener('focus', this.#seen);
    document.removeEventListener('visibilitychange', this.#seen);
  }

  /** Opens it, for whoever closes it again. Null: it cannot be used, and the state tells why. */
  async open(): Promise<OpenMicrophone | null> {
    const microphone = await openMicrophone();
    clearTimeout(this.#nextTry);
    if (microphone.kind === 'usable') {
      this.#become('usable');
      return microphone.input;
    }
    if (microphone.why === 'microphone_busy' && !this.#isStopped)
      this.#nextTry = setTimeout(() => void this.#check(), againAfterMs);
    void this.#awaitPermission();
    this.#become(noMicrophone(microphone.why), microphone.why);
    return null;
  }

  async #check(): Promise<void> {
    if (!this.#isStopped) (await this.open())?.close();
  }

  /** One that is known to be usable is not opened for it: that would show in the browser. */
  async #lookAgain(): Promise<void> {
    if (!(await isPlugged())) this.#become(noMicrophone('microphone_missing'), 'microphone_missing');
    else if (this.#state !== 'usable') await this.#check();
    if (!this.#isStopped) this.#listener.onDevices();
  }

  async #awaitPermission(): Promise<void> {
    const permission = await navigator.permissions.query({ name: 'microphone' }).catch(() => null);
    permission?.addEventListener('change', this.#permissionChanged, { once: true });
  }

  #become(state: 'usable' | Trouble, why: Refused | null = null): void {
    this.#state = state;
    this.#why = why;
    if (!this.#isStopped) this.#listener.onState();
  }
}
