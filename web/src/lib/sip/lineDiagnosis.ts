import { whenOnline } from '../gateway/whenOnline.ts';
import type { Refused } from './microphone.ts';
import type { PhoneLine } from './phoneLine.ts';

/** Why the phone cannot be used. */
export type Trouble = Extract<PhoneLine, { state: 'unavailable' }>;

/** Browsers give microphones to secure pages only. */
export const insecurePage: Trouble = { state: 'unavailable', why: 'insecure_page', retrying: false };

export const connectionLost: Trouble = { state: 'unavailable', why: 'connection_lost', retrying: true };

/** The settings are no address, or the SIP library could not be loaded. */
export function notStarted(error: unknown): Trouble {
  return {
    state: 'unavailable',
    why: 'not_started',
    reason: error instanceof Error ? error.message : '',
    retrying: false,
  };
}

/** @param why what is the matter with the microphone */
export function noMicrophone(why: Refused): Trouble {
  return { state: 'unavailable', why, retrying: false };
}

/**
 * @param code of the network's answer to REGISTER;
 * @param asked how it wants to be told the secret, where that is not known; null: it is;
 * @param isTaken it has others
 */
export function registrationRefused(code: number, asked: string | null, isTaken = false): Trouble {
  if (asked !== null) return { state: 'unavailable', why: 'digest_unknown', asked, retrying: true };
  if (isTaken) return { state: 'unavailable', why: 'place_taken', sipCode: code, retrying: true };
  const why = accountsFault(code) ? 'account_refused' : 'registration_refused_with';
  return { state: 'unavailable', why, sipCode: code, retrying: true };
}

/** What this browser has reached: its certificate was trusted then. */
const reachedKey = 'readyline.telephone-network';
/** While an outage lasts its reason may change; it is looked for no oftener than this. Milliseconds. */
const againAfterMs = 30_000;

/**
 * All but what the network, and not the account, is to change: a request timed out (408), an interval too brief (423),
 * a busy server (480, 482 to 499).
 */
function accountsFault(code: number): boolean {
  return [400, 401, 402, 403, 404, 405, 406, 407, 410, 416].includes(code);
}

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

/**
 * A host that answers has done so by then; a firewall that drops what comes, or a machine that is off,
 * never does. Milliseconds.
 */
const answersWithinMs = 4_000;

/**
 * What can be told of an address to which no WebSocket opens: browsers keep the reason to themselves.
 * `serves`: it answers HTTP, and by a certificate that is trusted. `refuses`: the connection ended at once.
 * `silent`: nothing came back.
 */
type Probed = 'serves' | 'refuses' | 'silent';

/**
 * The address by which a person sees what is wrong, as a browser tells reasons for pages alone.
 * @param wssUrl absolute
 */
export function pageOf(wssUrl: string): string {
  return new URL('/', wssUrl.replace(/^ws/, 'http')).href;
}

/** Why the telephone network is most likely out of reach. @param wasReached by this browser, earlier */
async function whyUnreachable(wssUrl: string, wasReached: boolean): Promise<Trouble> {
  if (!navigator.onLine) return { state: 'unavailable', why: 'offline', retrying: true };
  const link = pageOf(wssUrl);
  const { host, protocol } = new URL(wssUrl);
  return { state: 'unavailable', why: likely(await probe(link), protocol, wasReached), host, retrying: true, link };
}

async function probe(page: string): Promise<Probed> {
  try {
    await fetch(page, {
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(answersWithinMs),
    });
    return 'serves';
  } catch (error) {
    return error instanceof DOMException && error.name === 'TimeoutError' ? 'silent' : 'refuses';
  }
}

function likely(probed: Probed, protocol: string, wasReached: boolean) {
  if (probed === 'serves') return wasReached ? 'network_silent' : 'not_a_network';
  if (probed === 'silent') return 'host_silent';
  if (wasReached) return 'network_gone';
  return protocol === 'ws:' ? 'no_network' : 'untrusted_or_no_network';
}
