import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SessionOwner } from '../../../../web/src/features/workplace/sessionOwner.ts';
import { eventually } from '../../../support/time/waiting.ts';
import { newTab } from '../../../support/workplace/workplaces.ts';

/** Locks as a browser's tabs share them: one holder each, the others wait in turn or until their signal says. */
class Locks {
  readonly #waiting = new Map<string, (() => void)[]>();
  /** How often one was given. */
  given = 0;

  async request(name: string, { signal }: { signal?: AbortSignal }, work: () => Promise<void>): Promise<void> {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) this.#waiting.set(name, []);
    else
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        signal?.addEventListener('abort', () => {
          waiting.splice(waiting.indexOf(resolve), 1);
          reject(signal.reason as Error);
        });
      });
    this.given += 1;
    await work();
    const next = this.#waiting.get(name)?.shift();
    if (next === undefined) this.#waiting.delete(name);
    else next();
  }

  get areFree(): boolean {
    return this.#waiting.size === 0;
  }
}

let locks: Locks;
let late: AbortController;

beforeEach(() => {
  locks = new Locks();
  late = new AbortController();
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('sessionStorage', newTab().store);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => late.signal);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const tooLate = () => late.abort(new DOMException('late', 'TimeoutError'));

it('has the session that the gateway gave it, however late the page before lets go', async () => {
  const [before, now] = [new SessionOwner('ada'), new SessionOwner('ada')];
  before.take('one');
  now.take('one');
  tooLate();
  before.release();
  await eventually(() => locks.given === 2);
  expect(locks.areFree).toBe(false);
  now.release();
  await eventually(() => locks.areFree);
});

it('does not claim what another tab keeps, and has it once the gateway says so', async () => {
  const [other, now] = [new SessionOwner('ada'), new SessionOwner('ada')];
  other.take('one');
  const claimed = now.claim();
  tooLate();
  expect(await claimed).toBeUndefined();
  now.take('one');
  other.release();
  await eventually(() => locks.given === 2);
  expect(locks.areFree).toBe(false);
  now.release();
  await eventually(() => locks.areFree);
});
