import { noMicrophone, type Trouble } from './lineTrouble.ts';
import { isPlugged, nonePlugged, openMicrophone, type OpenMicrophone } from './microphone.ts';

type Listener = {
  onState: () => void;
  /** What is plugged in may be another microphone than before. */
  onDevices: () => void;
};

/** Knows whether the agent has a microphone that can be used: asks at the start, and when something is plugged in or out. */
export class MicrophoneWatch {
  readonly #listener: Listener;
  #state: 'asking' | 'usable' | Trouble = 'asking';
  #isStopped = false;
  readonly #devicesChanged = () => void this.#lookAgain();
  readonly #permissionChanged = () => void this.#check();

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  get state(): 'asking' | 'usable' | Trouble {
    return this.#state;
  }

  start(): void {
    navigator.mediaDevices.addEventListener('devicechange', this.#devicesChanged);
    void this.#check();
  }

  stop(): void {
    this.#isStopped = true;
    navigator.mediaDevices.removeEventListener('devicechange', this.#devicesChanged);
  }

  /** Opens it, for whoever closes it again. Null: it cannot be used, and the state tells why. */
  async open(): Promise<OpenMicrophone | null> {
    const microphone = await openMicrophone();
    if (microphone.kind === 'usable') {
      this.#become('usable');
      return microphone.input;
    }
    void this.#awaitPermission();
    this.#become(noMicrophone(microphone.detail));
    return null;
  }

  async #check(): Promise<void> {
    if (!this.#isStopped) (await this.open())?.close();
  }

  /** One that is known to be usable is not opened for it: that would show in the browser. */
  async #lookAgain(): Promise<void> {
    if (!(await isPlugged())) this.#become(noMicrophone(nonePlugged));
    else if (this.#state !== 'usable') await this.#check();
    if (!this.#isStopped) this.#listener.onDevices();
  }

  async #awaitPermission(): Promise<void> {
    const permission = await navigator.permissions.query({ name: 'microphone' }).catch(() => null);
    permission?.addEventListener('change', this.#permissionChanged, { once: true });
  }

  #become(state: 'usable' | Trouble): void {
    this.#state = state;
    if (!this.#isStopped) this.#listener.onState();
  }
}
