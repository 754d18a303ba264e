/** A page that the worker has told of is here by then, whatever its gateway takes. Milliseconds. */
const comesWithinMs = 30_000;

/** What `web/public/sw.js` says. `watches`: it tells of pages that come from now on; `comes`: one is being loaded. */
type Told = { softphone?: 'watches' | 'comes' };

/**
 * Tells a page that is closed, or left for another one, from a page that is reloaded: no browser does so itself. The
 * page's worker sees every softphone that is loaded before the one in its place goes. Where there is no worker, as in a
 * CRM's frame, nothing can be told. A reload past the worker is known where it is asked for by keys.
 */
export class Departure {
  readonly #container: ServiceWorkerContainer | null;
  /** Tells of pages that come; null: none does. */
  #watcher: ServiceWorker | null = null;
  #comesUntil = 0;

  constructor() {
    const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
    this.#container = (window.top === window ? serviceWorker : null) ?? null;
    this.#container?.addEventListener('message', this.#hear);
    this.#container?.addEventListener('controllerchange', this.#greet);
    this.#container?.startMessages();
    addEventListener('keydown', this.#seeKey);
    this.#greet();
  }

  /** Of a page that goes now: whether no softphone comes in its place. False where that is not known. */
  get isForGood(): boolean {
    return this.#watcher !== null && this.#watcher === this.#container?.controller && Date.now() > this.#comesUntil;
  }

  stop(): void {
    this.#container?.removeEventListener('message', this.#hear);
    this.#container?.removeEventListener('controllerchange', this.#greet);
    removeEventListener('keydown', this.#seeKey);
  }

  readonly #greet = (): void => this.#container?.controller?.postMessage({ softphone: 'here' });

  readonly #hear = ({ data, source, ports }: MessageEvent<Told>): void => {
    if (data.softphone === 'watches') this.#watcher = source as ServiceWorker;
    if (data.softphone !== 'comes') return;
    this.#comesUntil = Date.now() + comesWithinMs;
    ports[0]?.postMessage('heard');
  };

  readonly #seeKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): void => {
    if (key === 'F5' || ((ctrlKey || metaKey) && key.toLowerCase() === 'r'))
      this.#comesUntil = Date.now() + comesWithinMs;
  };
}
