import { deviceFor } from './audioDevices.ts';

/** Where the agent hears the other side. */
export class Speaker {
  #element: HTMLAudioElement | null = null;
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

  /** Plays at the device that is chosen and plugged in, else at the default; not every browser can choose. */
  route(): void {
    const element = this.#element;
    if (element === null || !('setSinkId' in element)) return;
    deviceFor('speaker')
      .then((id) => element.setSinkId(id ?? ''))
      .catch(() => {});
  }

  silence(): void {
    this.#element?.remove();
    if (this.#element !== null) this.#element.srcObject = null;
    this.#element = null;
  }
}
