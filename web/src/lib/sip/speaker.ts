import { deviceFor, onAudioSettings, readAudioSettings } from './audioDevices.ts';

/** Where the agent hears the other side. */
export class Speaker {
  #element: HTMLAudioElement | null = null;
  #ignoreChoices: (() => void) | null = null;
  readonly #onRefused: () => void;

  /** @param onRefused the browser plays nothing before the agent has clicked on the page */
  constructor(onRefused: () => void) {
    this.#onRefused = onRefused;
  }

  play(stream: MediaStream): void {
    this.#element ??= document.body.appendChild(document.createElement('audio'));
    const element = this.#element;
    if (element.srcObject === stream) return;
    element.srcObject = stream;
    this.#ignoreChoices ??= onAudioSettings(() => this.route());
    this.route();
    element.play().catch((error: unknown) => {
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
      this.#onRefused();
      // The next click or key is what the browser waits for.
      const again = () => {
        removeEventListener('pointerdown', again);
        removeEventListener('keydown', again);
        element.play().catch(() => {});
      };
      addEventListener('pointerdown', again);
      addEventListener('keydown', again);
    });
  }

  /** Plays as loud as is chosen, at the device that is chosen and plugged in, else at the default one. */
  route(): void {
    const element = this.#element;
    if (element === null) return;
    element.volume = readAudioSettings().volume / 100;
    // Not every browser can choose.
    if (!('setSinkId' in element)) return;
    deviceFor('speaker')
      .then((id) => element.setSinkId(id ?? ''))
      .catch(() => {});
  }

  silence(): void {
    this.#ignoreChoices?.();
    this.#ignoreChoices = null;
    this.#element?.remove();
    if (this.#element !== null) this.#element.srcObject = null;
    this.#element = null;
  }
}
