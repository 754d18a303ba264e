import { whenOnline } from '../shared/whenOnline.ts';
import { whyUnreachable } from './lineProbe.ts';
import { connectionLost, type Trouble } from './lineTrouble.ts';

/** What this browser has reached: its certificate was trusted then. */
const reachedKey = 'readyline.telephone-network';
/** While an outage lasts its reason may change; it is looked for no oftener than this. Milliseconds. */
const againAfterMs = 30_000;

/**
 * Tells that the telephone network is out of reach at once, and why as soon as that is known; and again what the reason
 * is by then, when the browser is back on a network and as the tries to get through go on.
 */
export class LineDiagnosis {
  readonly #wssUrl: string;
  readonly #tell: (trouble: Trouble) => void;
  /** Ends the outage that lasts; null: there is none. */
  #endOutage: (() => void) | null = null;
  /** The latest look for the reason, and when it began. */
  #look: { since: number } | null = null;

  /** @param wssUrl absolute */
  constructor(wssUrl: string, tell: (trouble: Trouble) => void) {
    this.#wssUrl = wssUrl;
    this.#tell = tell;
  }

  /** It was reached, whatever it said. */
  recovered(): void {
    this.close();
    localStorage.setItem(reachedKey, this.#wssUrl);
  }

  /** It is out of reach, still or anew. */
  down(): void {
    if (this.#endOutage === null) {
      this.#endOutage = whenOnline(() => this.#diagnose());
      this.#tell(connectionLost);
      this.#diagnose();
    } else if (this.#look === null || Date.now() - this.#look.since >= againAfterMs) this.#diagnose();
  }

  /** Nobody wants to know any more. */
  close(): void {
    this.#endOutage?.();
    this.#endOutage = null;
    this.#look = null;
  }

  #diagnose(): void {
    const look = { since: Date.now() };
    this.#look = look;
    void whyUnreachable(this.#wssUrl, localStorage.getItem(reachedKey) === this.#wssUrl).then((trouble) => {
      if (this.#look === look) this.#tell(trouble);
    });
  }
}
