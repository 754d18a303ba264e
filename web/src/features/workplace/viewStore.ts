import type { NoticeMessage, WorkplaceNotice } from './workplace.ts';

/** What the agent is told beside the call and the state, and who looks at any of it. */
export class ViewStore {
  readonly #onChange: () => void;
  readonly #listeners = new Set<() => void>();
  #notice: WorkplaceNotice | null = null;
  #told = 0;

  /** @param onChange there is another notice, or none */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The latest, until it is dismissed. */
  get notice(): WorkplaceNotice | null {
    return this.#notice;
  }

  tell(kind: WorkplaceNotice['kind'], message: NoticeMessage): void {
    this.#told += 1;
    this.#notice = { id: this.#told, kind, message };
    this.#onChange();
  }

  /** @param id of the notice that was read; a later one stays */
  dismiss(id: number): void {
    if (this.#notice?.id !== id) return;
    this.#notice = null;
    this.#onChange();
  }

  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells whoever looks that something has changed, whatever it is. */
  announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
