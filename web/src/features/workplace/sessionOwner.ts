/** A page that is being reloaded lets go of its lock within this time. Milliseconds. */
const reloadMs = 600;

/**
 * Which tab of a browser has which softphone session. A tab that is duplicated starts with a copy of the session's id,
 * which is not its own.
 */
export class SessionOwner {
  readonly #storageKey: string;
  #held: string | null = null;
  #release: (() => void) | null = null;

  constructor(agentId: string) {
    this.#storageKey = `readyline.session.${agentId}`;
  }

  /** The session of the page before this one in the same tab; undefined: there was none, or another tab has it. */
  async claim(): Promise<string | undefined> {
    const session = sessionStorage.getItem(this.#storageKey);
    return session !== null && (await this.#hold(session, AbortSignal.timeout(reloadMs))) ? session : undefined;
  }

  /** This tab has that session now. */
  take(session: string): void {
    sessionStorage.setItem(this.#storageKey, session);
    if (this.#held !== session) void this.#hold(session);
  }

  /** Forgets the session: nobody shall find it. */
  forget(): void {
    sessionStorage.removeItem(this.#storageKey);
    this.release();
  }

  release(): void {
    this.#release?.();
    this.#release = null;
    this.#held = null;
  }

  /**
   * @param until after which it is another tab's; missing: it is this tab's as soon as the browser says so
   * @returns whether this tab has it; true where the browser cannot tell
   */
  #hold(session: string, until?: AbortSignal): Promise<boolean> {
    this.release();
    this.#held = session;
    // Pages without https, and frames that a browser cuts off, have no locks.
    const locks = navigator.locks as LockManager | undefined;
    if (locks === undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      const released = new Promise<void>((release) => (this.#release = release));
      locks
        .request(`readyline.session.${session}`, until === undefined ? {} : { signal: until }, () => {
          resolve(true);
          return released;
        })
        .catch((error: unknown) => {
          const isAnothers = error instanceof DOMException && error.name === 'TimeoutError';
          // It may become this tab's all the same, when the gateway says so.
          if (isAnothers && this.#held === session) this.#held = null;
          resolve(!isAnothers);
        });
    });
  }
}
