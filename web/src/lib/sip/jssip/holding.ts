import type { RTCSession } from 'jssip/lib/RTCSession.js';
import { insideOf, type SessionInside } from './jssipInside.ts';
import type { Reoffers } from './reoffers.ts';

type Listener = {
  /** What became of `hold`: it was done, or is as before. `isRefused`: the network would not. */
  onOwn: (isHeld: boolean, isRefused: boolean) => void;
  /** The other side holds the call, or does not any more. */
  onOther: (isHeld: boolean) => void;
};

/**
 * Who holds a connected call: this side, the other one, or both. The browser is told which way the voice shall go,
 * so that every offer and every answer says so, whoever asked for it and why.
 */
export class Holding {
  readonly #session: RTCSession;
  readonly #inside: SessionInside;
  readonly #reoffers: Reoffers;
  readonly #listener: Listener;
  /** Counts what the agent has asked for. */
  #request = 0;

  constructor(session: RTCSession, reoffers: Reoffers, listener: Listener) {
    this.#session = session;
    this.#inside = insideOf(session);
    this.#reoffers = reoffers;
    this.#listener = listener;
    // The browser does it: JsSIP would change the text of offers alone.
    this.#inside._mangleOffer = (sdp) => sdp;
    session.on('hold', ({ originator }) => this.#changed(originator, true));
    session.on('unhold', ({ originator }) => this.#changed(originator, false));
    session.on('reinvite', ({ request }) => saySo(request));
    session.on('update', ({ request }) => saySo(request));
    session.on('sdp', (description) =>
      this.#takeAnswer(description as { originator: string; type: string; sdp: string }),
    );
  }

  get isOwn(): boolean {
    return this.#inside._localHold;
  }
  get isOther(): boolean {
    return this.#inside._remoteHold;
  }

  /** Holds the call, or ends that: the microphone at once, the other side as soon as no other offer is under way. */
  async hold(isHeld: boolean): Promise<void> {
    if (isHeld === this.isOwn) return;
    const request = (this.#request += 1);
    this.#setOwn(isHeld);
    const isFree = await this.#reoffers.isFree();
    // The agent has changed their mind: the later request counts.
    if (request !== this.#request || this.#session.isEnded()) return;
    const outcome = isFree ? await this.#reoffers.offer() : 'refused';
    if (request !== this.#request || this.#session.isEnded()) return;
    if (outcome !== 'done') this.#setOwn(!isHeld);
    this.#listener.onOwn(this.isOwn, outcome !== 'done');
  }

  #setOwn(isHeld: boolean): void {
    this.#inside._localHold = isHeld;
    if (isHeld) this.#inside._onhold('local');
    else this.#inside._onunhold('local');
  }

  #setOther(isHeld: boolean): void {
    if (isHeld === this.isOther) return;
    this.#inside._remoteHold = isHeld;
    if (isHeld) this.#inside._onhold('remote');
    else this.#inside._onunhold('remote');
  }

  #changed(originator: string, isHeld: boolean): void {
    for (const transceiver of this.#session.connection.getTransceivers()) transceiver.direction = this.#wanted;
    if (originator === 'remote') this.#listener.onOther(isHeld);
  }

  /** A hold of the other side does not keep this one from wanting its voice back: it says how it is in its answer. */
  get #wanted(): Direction {
    if (!this.isOwn) return 'sendrecv';
    return this.isOther ? 'inactive' : 'sendonly';
  }

  /** What the other side makes of an offer of ours may be a hold, or its end. */
  #takeAnswer(description: { originator: string; type: string; sdp: string }): void {
    if (description.originator !== 'remote' || description.type !== 'answer' || !this.#session.isEstablished()) return;
    const offered = directionOf(this.#session.connection.localDescription?.sdp ?? '');
    description.sdp = answerWithin(offered, description.sdp);
    // To a hold of ours, networks answer as they like.
    if (offered === 'sendrecv') this.#setOther(isHolding(directionOf(description.sdp)));
  }
}

/** Says of an offer that holds by its address alone what all others say by their direction. */
function saySo(request: { body: string }): void {
  if (!isHeldByAddress(request.body)) return;
  const direction = directionOf(request.body);
  if (!isHolding(direction))
    request.body = withDirection(request.body, direction === 'sendrecv' ? 'sendonly' : 'inactive');
}

/** Which way the audio of an offer or an answer goes, as its sender sees it (RFC 3264). */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

const line = /^a=(sendrecv|sendonly|recvonly|inactive)\r?$/m;

/** Of the audio; where that does not say, of the whole session, else both ways. */
export function directionOf(sdp: string): Direction {
  const { session, audio } = partsOf(sdp);
  return (line.exec(audio)?.[1] ?? line.exec(session)?.[1] ?? 'sendrecv') as Direction;
}

/** The same description with another direction of its audio. */
export function withDirection(sdp: string, direction: Direction): string {
  const { session, audio, rest } = partsOf(sdp);
  if (audio === '') return sdp;
  const changed = line.test(audio)
    ? audio.replace(line, `a=${direction}\r`)
    : `${audio.replace(/\r?\n?$/, '')}\r\na=${direction}\r\n`;
  return session + changed + rest;
}

/** Whether the sender wants to hear nothing: it holds the call. */
export function isHolding(direction: Direction): boolean {
  return direction === 'sendonly' || direction === 'inactive';
}

/**
 * Hold as it was before RFC 3264 had directions: an address to which nothing can be sent.
 * Together with port 9 it stands for a browser that does not know its address yet.
 */
function isHeldByAddress(sdp: string): boolean {
  const { session, audio } = partsOf(sdp);
  const address = /^c=IN IP4 (\S+)/m;
  const isNowhere = (address.exec(audio) ?? address.exec(session))?.[1] === '0.0.0.0';
  return isNowhere && !audio.startsWith('m=audio 9 ');
}

/** An answer that fits what was offered: some networks claim more than that. */
function answerWithin(offered: Direction, answer: string): string {
  const direction = directionOf(answer);
  if (offered === 'inactive') return withDirection(answer, 'inactive');
  if (offered !== 'sendonly') return answer;
  if (direction === 'sendrecv') return withDirection(answer, 'recvonly');
  return direction === 'sendonly' ? withDirection(answer, 'inactive') : answer;
}

function partsOf(sdp: string): { session: string; audio: string; rest: string } {
  const [session = '', ...media] = sdp.split(/^(?=m=)/m);
  const which = media.findIndex((one) => one.startsWith('m=audio '));
  if (which === -1) return { session: sdp, audio: '', rest: '' };
  return {
    session: session + media.slice(0, which).join(''),
    audio: media[which] ?? '',
    rest: media.slice(which + 1).join(''),
  };
}
