/** Listeners by what they listen to. */
export class KeyedListeners<T extends unknown[]> {
  readonly #byKey = new Map<string, Set<(...told: T) => void>>();

  /** @returns ends the subscription */
  subscribe(key: string, listener: (...told: T) => void): () => void {
    const listeners = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byKey.get(key) === listeners) this.#byKey.delete(key);
    };
  }

  tell(key: string, ...told: T): void {
    for (const listener of this.#byKey.get(key) ?? []) listener(...told);
  }
}
