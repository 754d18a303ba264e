import { URI } from 'jssip';
import type { RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingResponse } from 'jssip/lib/SIPMessage.js';
import { plainOf } from '../../../../../src/contract/phoneText.ts';
import type { PhoneProblem } from '../phoneCall.ts';
import { type Invite, inviteAgain } from './inviteAgain.ts';
import { insideOf, type SessionInside } from './jssipInside.ts';
import { type Address, parameterOf, readAddresses } from './reading/address.ts';
import { asWritten, readableUri } from './reading/standIns.ts';

/** `hosts`: of the telephone network. `addressOf`: of a number there. */
export type RedirectNeeds = { hosts: ReadonlySet<string>; addressOf: (number: string) => string };

/** Of one call; more are no way to anybody. */
const mostTargets = 5;
/** An answer names no more that are looked at. */
const mostContacts = 20;

/**
 * Follows the telephone network where it redirects an INVITE (3xx, RFC 3261, 8.1.3.4), the better targets first, and
 * the next one where that fails. It stays with the telephone network: a target there is asked as it is named, a number
 * by that number, wherever it is said to be. Another host is not asked: whoever redirects would choose who challenges
 * the agent's secret, and 1002 there is somebody else here.
 */
export class Redirects {
  readonly #session: RTCSession;
  readonly #inside: SessionInside;
  readonly #needs: RedirectNeeds;
  readonly #asked: Set<string>;
  #left: URI[] = [];
  #target: URI | null = null;
  /** What was not followed, as it was named. */
  #foreign: string | null = null;
  #problem: PhoneProblem | null = null;

  /** Begins at once, with a session that calls. */
  constructor(session: RTCSession, needs: RedirectNeeds) {
    this.#session = session;
    this.#inside = insideOf(session);
    this.#needs = needs;
    this.#asked = new Set([keyOf(this.#inside._request.ruri)]);
    const receive = this.#inside._receiveInviteResponse.bind(session);
    this.#inside._receiveInviteResponse = (response) => {
      if (!this.#take(response.status_code, response)) receive(response);
    };
    const expire = this.#inside.onRequestTimeout.bind(session);
    this.#inside.onRequestTimeout = () => {
      if (!this.#take(408, null)) expire();
    };
  }

  /** Who was called last; null: nobody but whom the agent has. */
  get target(): string | null {
    return this.#target === null ? null : String(this.#target);
  }

  /** Why the call was not put through where it was redirected; null: that was not the matter. */
  get problem(): PhoneProblem | null {
    return this.#problem;
  }

  /** @returns whether another one is called; else that was the final answer, or is none yet */
  #take(code: number, response: IncomingResponse | null): boolean {
    // Who declines for everybody (6xx) does so.
    if (code < 300 || code >= 600 || !this.#session.isInProgress() || this.#inside._is_canceled) return false;
    const isRedirect = code < 400 && response !== null;
    let isLoop = false;
    if (isRedirect) {
      const named = targetsOf(response, this.#needs);
      this.#foreign ??= named.foreign;
      const fresh = named.targets.filter((target) => !this.#asked.has(keyOf(target)));
      isLoop = fresh.length < named.targets.length;
      this.#left.unshift(...fresh);
    }
    const next = this.#next();
    if (next !== null) {
      this.#target = next;
      inviteAgain(this.#inside, (invite) => aim(invite, next));
      return true;
    }
    if (isRedirect) this.#problem = this.#whyNot(isLoop);
    return false;
  }

  #next(): URI | null {
    if (this.#asked.size > mostTargets) return null;
    const next = this.#left.find((target) => !this.#asked.has(keyOf(target))) ?? null;
    if (next !== null) this.#asked.add(keyOf(next));
    return next;
  }

  #whyNot(isLoop: boolean): PhoneProblem {
    if (isLoop || this.#left.some((target) => !this.#asked.has(keyOf(target))))
      return { code: 'redirected_in_circles' };
    return this.#foreign === null
      ? { code: 'redirected_nowhere' }
      : { code: 'redirected_elsewhere', where: this.#foreign };
  }
}

function aim(invite: Invite, target: URI): void {
  invite.ruri = target;
  // What proved the secret was about the target before.
  delete invite.headers['Authorization'];
  delete invite.headers['Proxy-Authorization'];
}

/** Parameters name no other target: all are asked over one WebSocket. */
function keyOf({ user, host, port }: URI): string {
  return `${user}@${host}:${String(port ?? '')}`;
}

/** @returns whom an answer names and may be asked, the best first (`q`); and one that may not be */
function targetsOf(response: IncomingResponse, needs: RedirectNeeds): { targets: URI[]; foreign: string | null } {
  const contacts = (response.getHeaders('contact') as string[])
    .flatMap((value) => readAddresses(value))
    .slice(0, mostContacts);
  const best = contacts.map((contact) => ({ contact, q: preferenceOf(contact) })).toSorted((a, b) => b.q - a.q);
  const read = best.map(({ contact }) => ({ target: targetOf(contact, needs), uri: asWritten(contact.uri) }));
  return {
    targets: read.map(({ target }) => target).filter((target) => target !== null),
    foreign: read.find(({ target }) => target === null)?.uri.slice(0, 200) ?? null,
  };
}

/** From 0 to 1. */
function preferenceOf({ parameters }: Address): number {
  const q = Number.parseFloat(parameterOf(parameters, 'q') ?? '1');
  return Number.isNaN(q) ? 0 : Math.min(1, Math.max(0, q));
}

/** Null: it lies outside of the telephone network, or is no call. */
function targetOf({ uri: given }: Address, { hosts, addressOf }: RedirectNeeds): URI | null {
  const written = asWritten(given);
  const uri = /^sips?:/i.test(written) ? parsed(written) : null;
  if (uri !== null && hosts.has(uri.host)) {
    if ((uri.getParam<string | undefined>('method') ?? 'invite').toLowerCase() !== 'invite') return null;
    // What an address would have said in an INVITE to it is for the network, and not for the address, to say.
    uri.clearHeaders();
    uri.deleteParam('method');
    return uri;
  }
  const number = plainOf(written).replaceAll(/[\s().-]/g, '');
  const isNumber = /^tel:/i.test(written)
    ? /^\+?[\d*#]{1,32}$/.test(number)
    : uri !== null && /^\+\d{4,20}$/.test(number);
  return isNumber ? parsed(addressOf(number)) : null;
}

function parsed(text: string): URI | null {
  const readable = readableUri(text);
  return readable === null ? null : ((URI.parse(readable) as URI | undefined) ?? null);
}
