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

  silence(): void {
    this.#element?.remove();
    if (this.#element !== null) this.#element.srcObject = null;
    this.#element = null;
  }
}
