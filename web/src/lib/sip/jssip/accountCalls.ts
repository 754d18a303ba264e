import type { UA, URI } from 'jssip';
import type { RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingRTCSessionEvent, OutgoingRTCSessionEvent } from 'jssip/lib/UA.js';
import { dialogOfTheirs } from './sipDialogs.ts';
import { anotherSession, insideOf, type IncomingRequestInside } from './jssipInside.ts';
import { asksTooShort, leastSessionSeconds, sessionSeconds } from './sessionTimer.ts';
import { SipCall, type SipCallListener, type SipCallNeeds } from './sipCall.ts';

/**
 * Whom to call. `takesOver`: the call of another telephone, so that nobody is called anew. `from`: the user of From, in
 * place of the account's.
 */
type Invitation = { target: string | URI; takesOver?: boolean; from?: string | null; headers?: string[] };

/**
 * Somebody calls.
 * @param isBusy there is another call: nobody can listen
 * @returns who listens; null: declined as busy
 */
export type OnInvite = (call: SipCall, isBusy: boolean) => SipCallListener | null;

/** The calls of one SIP account: those that this side begins, and those that come. */
export class AccountCalls {
  readonly #ua: UA;
  readonly #needs: SipCallNeeds;
  readonly #onInvite: OnInvite;
  /** Those that last, and those that the network is yet to hear the end of; while a call is moved, there are two. */
  #calls: SipCall[] = [];
  /** Is being begun: JsSIP tells of its session in the same moment. */
  #outgoing: SipCall | null = null;
  /** The same of one that takes another one's place. */
  #takenIn: SipCall | null = null;

  constructor(ua: UA, needs: Omit<SipCallNeeds, 'takeIn'>, onInvite: OnInvite) {
    this.#ua = ua;
    this.#needs = { ...needs, takeIn: (session, request) => this.#takeIn(session, request) };
    this.#onInvite = onInvite;
    ua.on('newRTCSession', (event: IncomingRTCSessionEvent | OutgoingRTCSessionEvent) => this.#begin(event));
  }

  /** The INVITEs that the telephone network has not said a word to. */
  get unheardInvites(): string[] {
    return this.#calls.map(({ unheardInvite }) => unheardInvite).filter((invite) => invite !== null);
  }

  /** Begins a call. @param stream what the other side hears. Throws where the browser takes no part in it. */
  invite(
    { target, takesOver = false, from = null, headers = [] }: Invitation,
    stream: MediaStream,
    listener: SipCallListener,
  ): SipCall {
    const call = new SipCall(String(target), takesOver, this.#needs);
    this.#keep(call);
    call.listen(listener);
    this.#outgoing = call;
    try {
      // A URI will do, which the types do not tell.
      this.#ua.call(target as string, {
        mediaStream: stream,
        mediaConstraints: { audio: true, video: false },
        pcConfig: { iceServers: this.#needs.servers.current },
        sessionTimersExpires: sessionSeconds,
        extraHeaders: headers,
        ...(from === null ? {} : { fromUserName: from }),
      });
    } catch (error) {
      this.#outgoing = null;
      this.#calls = this.#calls.filter((other) => other !== call);
      throw error;
    }
    return call;
  }

  regainLine(): void {
    for (const call of this.#calls) call.regainLine();
  }

  loseLine(): void {
    for (const call of this.#calls) call.loseLine();
  }

  /** Goes without a word: the other sides wait for whoever takes the calls over. */
  abandon(): void {
    for (const call of this.#calls) {
      // Nobody would take over what is not connected.
      if (call.wasConnected) call.abandon();
      else call.hangUp();
    }
  }

  #keep(call: SipCall): void {
    this.#calls = [...this.#calls.filter(({ lasts, unheardInvite }) => lasts || unheardInvite !== null), call];
  }

  #begin(event: IncomingRTCSessionEvent | OutgoingRTCSessionEvent): void {
    const outgoing = this.#outgoing;
    this.#outgoing = null;
    if (outgoing !== null) return outgoing.begin(event.session, null);
    const { session, request } = event as IncomingRTCSessionEvent;
    if (asksTooShort(request))
      return session.terminate({ status_code: 422, extraHeaders: [`Min-SE: ${leastSessionSeconds}`] });
    const takenIn = this.#takenIn;
    this.#takenIn = null;
    if (takenIn !== null) {
      this.#keep(takenIn);
      return takenIn.begin(session, request);
    }
    const call = new SipCall(dialogOfTheirs(request).target, false, this.#needs);
    call.begin(session, request);
    const listener = this.#onInvite(
      call,
      this.#calls.some(({ lasts }) => lasts),
    );
    if (listener === null) return call.reject('decline_busy');
    this.#keep(call);
    call.listen(listener);
  }

  /**
   * It is answered at once, so the other side is not told that it rings.
   * @returns null: the SIP library has refused it
   */
  #takeIn(session: RTCSession, request: IncomingRequestInside): SipCall | null {
    const call = new SipCall(dialogOfTheirs(request).target, false, this.#needs);
    const reply = request.reply.bind(request);
    request.reply = (code, ...more) => (code === 180 ? undefined : reply(code, ...more));
    this.#takenIn = call;
    insideOf(anotherSession(session, this.#ua)).init_incoming(request);
    const hasBegun = this.#takenIn === null;
    this.#takenIn = null;
    return hasBegun && call.lasts ? call : null;
  }
}
