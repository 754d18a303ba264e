import type { RTCSession } from 'jssip/lib/RTCSession.js';

/** What telephones usually send; Q.24 and ES 201 235 ask for 40 ms of each at the least. Milliseconds. */
const toneMs = 100;
const gapMs = 70;
/** As browsers wait by themselves (W3C, WebRTC 1.0, 7.2). Milliseconds. */
const commaMs = 2_000;
/** Who has hung up waits no longer for tones that were dialed before. Milliseconds. */
const finishWithinMs = 1_000;

type Needs = {
  session: () => RTCSession | null;
  /** Whether messages of SIP go out now. */
  isConnected: () => boolean;
  onUnreachable: () => void;
};

/** Whether they can be sent: an extension may be a word. */
export function areTones(text: string): boolean {
  return /^[0-9*#A-D,]+$/.test(text);
}

/**
 * The tones of a call, in the order in which they were dialed: events in its voice (RFC 4733), where not taken, INFO.
 */
export class Tones {
  readonly #needs: Needs;
  #inVoice: RTCDTMFSender | null = null;
  #isSounding = false;
  /** Those of INFO that are still to be sent. */
  #asInfo = '';
  #next: ReturnType<typeof setTimeout> | null = null;
  #whenQuiet: (() => void)[] = [];
  /** How often tones were not taken. */
  #losses = 0;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Whether some were dialed that have not gone out yet. */
  get arePending(): boolean {
    return this.#unsent !== '' || this.#isSounding || this.#next !== null;
  }

  /**
   * @param tones of 0-9 * # A-D; a comma waits two seconds
   * @returns whether they could be begun
   */
  send(tones: string): boolean {
    const session = this.#needs.session();
    if (session === null) return false;
    const sender = session.connection.getSenders().find(({ track }) => track?.kind === 'audio');
    const dtmf = sender?.dtmf ?? null;
    if (dtmf?.canInsertDTMF === true) this.#sound(dtmf, tones);
    else if (this.#needs.isConnected()) this.#tell(session, tones);
    else {
      this.#needs.onUnreachable();
      return false;
    }
    return true;
  }

  /** Resolves when all have gone out: whether they were taken, as far as that is known. */
  async sent(): Promise<boolean> {
    const before = this.#losses;
    if (this.arePending) await new Promise<void>((resolve) => void this.#whenQuiet.push(resolve));
    return this.#losses === before;
  }

  /** Those that have not gone out yet are not sent. */
  cut(): void {
    this.#asInfo = '';
    if (this.#inVoice?.toneBuffer) this.#inVoice.insertDTMF('');
  }

  /** A tone was not taken: those after it are not sent either. */
  forget(): void {
    this.#asInfo = '';
    this.#losses += 1;
    this.#beQuiet();
  }

  /** Resolves when all have gone out, or it has taken too long, with those that did not. */
  async finish(): Promise<string> {
    if (!this.arePending) return '';
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, finishWithinMs);
      this.#whenQuiet.push(() => {
        clearTimeout(late);
        resolve();
      });
    });
    return this.#unsent;
  }

  get #unsent(): string {
    return `${this.#inVoice?.toneBuffer ?? ''}${this.#asInfo}`;
  }

  #beQuiet(): void {
    for (const resolve of this.#whenQuiet.splice(0)) resolve();
  }

  #sound(dtmf: RTCDTMFSender, tones: string): void {
    if (this.#inVoice !== dtmf) {
      this.#inVoice = dtmf;
      dtmf.addEventListener('tonechange', (event) => {
        this.#isSounding = event.tone !== '';
        if (!this.#isSounding) this.#beQuiet();
      });
    }
    // What it has not begun yet is replaced by what it is given.
    dtmf.insertDTMF(`${dtmf.toneBuffer}${tones}`, toneMs, gapMs);
  }

  #tell(session: RTCSession, tones: string): void {
    this.#asInfo += tones;
    if (this.#next === null) this.#tellNext(session);
  }

  #tellNext(session: RTCSession): void {
    const tone = this.#asInfo[0];
    this.#next = null;
    if (tone === undefined || session.isEnded()) return this.#beQuiet();
    this.#asInfo = this.#asInfo.slice(1);
    if (tone !== ',') session.sendDTMF(tone, { transportType: 'INFO' as never, duration: toneMs });
    this.#next = setTimeout(() => this.#tellNext(session), tone === ',' ? commaMs : toneMs + gapMs);
  }
}
