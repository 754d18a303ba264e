import type { RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingResponse } from 'jssip/lib/SIPMessage.js';
import type { URI } from 'jssip/lib/URI.js';
import { freshOffer } from './iceGuard.ts';
import { DialogRequestSender, insideOf, waitingForAck, type DialogInside, type SessionInside } from './jssipInside.ts';

/** What became of an offer. `refused`: the call is as it was before. `lost`: the same, but nobody answered. */
export type ReofferOutcome = 'done' | 'refused' | 'lost';

/**
 * `restartWith`: the voice looks for another way, by these servers.
 * `isNeeded`: asked once it is known what would be offered.
 */
type ReofferOptions = { restartWith?: RTCIceServer[]; isNeeded?: () => boolean };

type Needs = {
  /** Further headers of every offer. */
  headers: () => string[];
  /** The other side has accepted one. */
  onAccepted: (response: IncomingResponse) => void;
};

/** Both sides have offered at once this often. */
const mostTries = 5;
/** While another offer is under way, of this side or of the other: so often, so many milliseconds. */
const mostWaits = 50;
const notNowMs = 100;

/**
 * Offers the voice of a connected call anew (re-INVITE): what the browser would send and take has changed. JsSIP ends a
 * call when such an offer is refused or lost, and repeats one that has met an offer of the other side as it was; here
 * the call goes on, and each try offers what is wanted by then.
 */
export class Reoffers {
  readonly #session: RTCSession;
  readonly #inside: SessionInside;
  readonly #needs: Needs;
  #isBusy = false;

  constructor(session: RTCSession, needs: Needs) {
    this.#session = session;
    this.#inside = insideOf(session);
    this.#needs = needs;
  }

  /** An offer is under way; another one has to wait for it. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Waits for the offer that is under way, 5 s at most. @returns whether none is any more */
  async isFree(): Promise<boolean> {
    for (let waits = 0; waits < mostWaits && this.#isBusy; waits++) await pass(notNowMs);
    return !this.#isBusy;
  }

  /**
   * Offers what the connection has to offer now. Only while none is under way.
   */
  async offer(options: ReofferOptions = {}): Promise<ReofferOutcome> {
    this.#isBusy = true;
    try {
      for (let tries = 0; tries < mostTries && this.#session.isEstablished(); tries++) {
        for (let waits = 0; waits < mostWaits && !this.#isReady; waits++) await pass(notNowMs);
        if (!this.#isReady) return 'refused';
        const outcome = await this.#queue(() => this.#exchange(options));
        if (outcome !== 'glare') return outcome;
        await pass(this.#waitAfterGlare());
      }
      return 'refused';
    } finally {
      this.#isBusy = false;
    }
  }

  get #isReady(): boolean {
    return this.#session.status !== waitingForAck && this.#inside.isReadyToReOffer();
  }

  /** After offers of the other side that are being answered. */
  #queue<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#inside._connectionPromiseQueue.then(step);
    this.#inside._connectionPromiseQueue = done.catch(() => undefined);
    return done;
  }

  async #exchange(options: ReofferOptions): Promise<ReofferOutcome | 'glare'> {
    const dialog = this.#inside._dialog;
    if (dialog === undefined || !this.#session.isEstablished()) return 'refused';
    try {
      const { connection } = this.#session;
      const sdp = await (options.restartWith === undefined
        ? this.#inside._createLocalDescription('offer', {})
        : freshOffer(connection, options.restartWith));
      if (options.isNeeded?.() === false) {
        await this.#rollBack();
        return 'refused';
      }
      const answered = await this.#send(dialog, sdp);
      if (answered instanceof Object) return await this.#take(dialog, answered);
      await this.#rollBack();
      return answered;
    } catch {
      await this.#rollBack();
      return 'refused';
    }
  }

  /** Resolves with what accepts the offer, or with what became of it else. */
  #send(dialog: DialogInside, sdp: string): Promise<IncomingResponse | 'refused' | 'lost' | 'glare'> {
    const inside = this.#inside;
    const headers = [`Contact: ${inside._contact}`, 'Content-Type: application/sdp', ...this.#needs.headers()];
    const request = dialog._createRequest('INVITE', headers, sdp);
    return new Promise((resolve) => {
      const sender = new DialogRequestSender(dialog, request, {
        onSuccessResponse: (response: IncomingResponse) => {
          // Also again, where the other side has not heard it.
          if (this.#session.isEstablished()) inside.sendRequest('ACK');
          resolve(response);
        },
        onErrorResponse: (response: IncomingResponse) => resolve(response.status_code === 491 ? 'glare' : 'refused'),
        // There is no such call any more.
        onDialogError: () => {
          resolve('lost');
          inside.onDialogError();
        },
        onTransportError: () => resolve('lost'),
        onRequestTimeout: () => resolve('lost'),
        onAuthenticated: () => {
          dialog.local_seqnum += 1;
          dialog._outgoing_ack_seqnum = dialog.local_seqnum;
        },
      });
      sender._reattempt = true;
      sender.send();
    });
  }

  async #take(dialog: DialogInside, response: IncomingResponse): Promise<ReofferOutcome> {
    const contact = response.parseHeader<{ uri: URI } | undefined>('contact');
    if (contact !== undefined) dialog._remote_target = contact.uri;
    this.#needs.onAccepted(response);
    const answer = { originator: 'remote', type: 'answer', sdp: response.body };
    this.#inside.emit('sdp', answer);
    await this.#session.connection.setRemoteDescription({ type: 'answer', sdp: answer.sdp });
    return 'done';
  }

  /** The other side is where it was before the offer. */
  async #rollBack(): Promise<void> {
    const { connection } = this.#session;
    if (connection.signalingState === 'have-local-offer') await connection.setLocalDescription({ type: 'rollback' });
  }

  /** RFC 3261, 14.1: whoever began the call waits longer, so that both do not meet again. Milliseconds. */
  #waitAfterGlare(): number {
    const isOurs = this.#session.direction === ('outgoing' as never);
    return (isOurs ? 2_100 : 0) + Math.floor(Math.random() * (isOurs ? 190 : 200)) * 10;
  }
}

function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
