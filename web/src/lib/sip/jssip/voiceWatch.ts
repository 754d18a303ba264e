import type { ReportedQuality } from '../../../../../src/contract/calls.ts';
import type { VoiceQuality, VoiceTrouble } from '../phoneCall.ts';
import type { ReofferOutcome } from './reoffers.ts';
import { QualityMeter } from './voiceQuality.ts';

type Needs = {
  connection: RTCPeerConnection;
  /** Either side holds the call: nothing is expected to arrive. */
  isHeld: () => boolean;
  /** Whether the telephone network can be reached, so that another way can be agreed on. */
  isConnected: () => boolean;
  /** The line to the telephone network may be dead, too. */
  checkLine: () => void;
  /** Agrees with the other side on another way for the voice (ICE restart, RFC 8839, 4.4), if one is needed by then. */
  restart: (isNeeded: () => boolean) => Promise<ReofferOutcome>;
  /** Null: all is well again. */
  onTrouble: (trouble: VoiceTrouble | null) => void;
  onQuality: (quality: VoiceQuality) => void;
};

const lookEveryMs = 1_000;
/**
 * Longer than two reports of a telephone that is silent for a while, and well below the agent's own patience. Looks.
 */
const silentAfterLooks = 10;
/** A short gap heals by itself. Milliseconds. */
const healsWithinMs = 1_500;
/** For the new way to be found before the next try; doubled each time. Milliseconds. */
const foundWithinMs = { first: 4_000, most: 30_000 };
/** The browser has a way, and one side is not heard: whoever is silent for good is not disturbed for ever. */
const mostTriesOnWay = 6;
/** Reports of the other side, one after the other, of which a single one may be wrong. */
const unheardAfterReports = 2;
/** Of what was sent, by the other side's report: hardly anything arrives there; it is understood there. 0 to 1. */
const lostThere = { unheard: 0.9, heard: 0.5 };

/**
 * What is the matter. `way`: the browser has none. `silent`, `unheard`: it believes to have one,
 * as after a NAT that has begun anew and answers checks, and nothing arrives here; or there.
 */
type Cause = 'way' | 'silent' | 'unheard';

/**
 * Watches over the voice of a connected call: whether there is a way for it, and whether anything arrives, here and
 * there. Where the way is lost another one is looked for, for as long as the call lasts; the agent is told meanwhile.
 */
export class VoiceWatch {
  readonly #needs: Needs;
  readonly #looking: ReturnType<typeof setInterval>;
  readonly #wayChanged = () => this.#lookAtWay();
  #next: ReturnType<typeof setTimeout> | undefined;
  readonly #meter = new QualityMeter();
  #trouble: VoiceTrouble | null = null;
  #cause: Cause | null = null;
  #reportedAt = 0;
  #badReports = 0;
  /** The other side's reports are worth something: it has told once that it hears. */
  #wasHeard = false;
  #tries = 0;
  #isRestarting = false;
  #signs = '';
  #silentLooks = 0;
  #heardAt = Date.now();
  #isStopped = false;

  /** Begins at once. */
  constructor(needs: Needs) {
    this.#needs = needs;
    needs.connection.addEventListener('iceconnectionstatechange', this.#wayChanged);
    this.#looking = setInterval(() => void this.#listen(), lookEveryMs);
    this.#lookAtWay();
  }

  /** Null: the voice goes both ways, as far as can be known. */
  get trouble(): VoiceTrouble | null {
    return this.#trouble;
  }

  /** Of the whole call; null: not measured. */
  get quality(): ReportedQuality | null {
    return this.#meter.ofCall;
  }

  /** The telephone network can be reached again: a lost way is looked for at once. */
  lineIsBack(): void {
    if (this.#cause !== null) this.#restartIn(0);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#looking);
    clearTimeout(this.#next);
    this.#needs.connection.removeEventListener('iceconnectionstatechange', this.#wayChanged);
  }

  get #isLost(): boolean {
    return this.#cause === 'way';
  }

  #lookAtWay(): void {
    const state = this.#needs.connection.iceConnectionState;
    if (state === 'connected' || state === 'completed') this.#beFound();
    else if (state === 'disconnected' || state === 'failed') this.#beLost(state === 'failed' ? 0 : healsWithinMs);
  }

  #beFound(): void {
    // Of one who is not heard, a new way alone says nothing.
    if (!this.#isLost) return;
    this.#silentLooks = 0;
    this.#heardAt = Date.now();
    this.#recover();
  }

  #beLost(restartInMs: number): void {
    const wasLost = this.#isLost;
    if (!wasLost) this.#begin('way', { kind: 'reconnecting' });
    // What was agreed on anew is given its time.
    if (!wasLost || this.#tries === 0) this.#restartIn(restartInMs);
  }

  #restartIn(ms: number): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => void this.#restart(), ms);
  }

  async #restart(): Promise<void> {
    if (this.#isStopped || this.#cause === null || this.#isRestarting) return;
    this.#isRestarting = true;
    // Without a line `lineIsBack` goes on.
    this.#needs.checkLine();
    if (this.#needs.isConnected()) await this.#needs.restart(() => this.#cause !== null && !this.#isStopped);
    this.#isRestarting = false;
    if (this.#isStopped || this.#cause === null || (!this.#isLost && this.#tries >= mostTriesOnWay - 1)) return;
    this.#restartIn(Math.min(foundWithinMs.first * 2 ** this.#tries, foundWithinMs.most));
    this.#tries += 1;
  }

  async #listen(): Promise<void> {
    if (this.#isLost) return;
    if (this.#needs.isHeld()) return this.#rest();
    const reports = await this.#needs.connection.getStats().catch(() => null);
    if (this.#isStopped || this.#isLost) return;
    const signs = reports === null ? this.#signs : signsOfLife(reports);
    const quality = reports === null ? null : this.#meter.take(reports.values() as Iterable<{ type: string }>);
    if (quality !== null) this.#needs.onQuality(quality);
    if (reports !== null) this.#readReport(reports);
    const isHeard = signs !== this.#signs;
    this.#signs = signs;
    if (isHeard) return this.#hear();
    this.#silentLooks += 1;
    if (this.#silentLooks !== silentAfterLooks) return;
    this.#begin('silent', { kind: 'silent', since: this.#heardAt });
    this.#restartIn(0);
  }

  /** Whether the agent is heard, as the other side tells every few seconds (RTCP), where it does. */
  #readReport(reports: RTCStatsReport): void {
    for (const { type, timestamp, fractionLost } of reports.values() as Iterable<Report>) {
      if (type !== 'remote-inbound-rtp' || fractionLost === undefined || timestamp === this.#reportedAt) continue;
      this.#reportedAt = timestamp;
      this.#badReports = fractionLost < lostThere.unheard ? 0 : this.#badReports + 1;
      if (fractionLost < lostThere.heard) {
        this.#wasHeard = true;
        if (this.#cause === 'unheard') this.#recover();
      }
    }
    if (this.#badReports < unheardAfterReports || !this.#wasHeard || this.#cause !== null) return;
    this.#begin('unheard', { kind: 'reconnecting' });
    this.#restartIn(0);
  }

  #hear(): void {
    this.#silentLooks = 0;
    this.#heardAt = Date.now();
    if (this.#cause === 'silent') this.#recover();
  }

  /** On hold nothing is expected, on neither side. */
  #rest(): void {
    this.#hear();
    this.#badReports = 0;
    if (this.#cause === 'unheard') this.#recover();
  }

  #begin(cause: Cause, trouble: VoiceTrouble): void {
    clearTimeout(this.#next);
    this.#cause = cause;
    this.#tries = 0;
    this.#tell(trouble);
  }

  /** All is well again. */
  #recover(): void {
    clearTimeout(this.#next);
    this.#cause = null;
    this.#tries = 0;
    this.#badReports = 0;
    this.#tell(null);
  }

  #tell(trouble: VoiceTrouble | null): void {
    this.#trouble = trouble;
    this.#needs.onTrouble(trouble);
  }
}

/** What `getStats` tells of what arrives, as far as it is read here. Times are of the arrival. */
type Report = { type: string; packetsReceived?: number; fractionLost?: number; timestamp: number };

const ofControl: ReadonlySet<string> = new Set(['remote-outbound-rtp', 'remote-inbound-rtp']);

/**
 * What has arrived from the other side so far, as a text that changes with everything that arrives. A
 * telephone that sends no packets while nobody speaks (DTX, comfort noise of RFC 3389) still sends RTCP every
 * few seconds (RFC 3550, 6.2).
 */
function signsOfLife(reports: RTCStatsReport): string {
  const signs: number[] = [];
  reports.forEach((report: Report) => {
    if (report.type === 'inbound-rtp') signs.push(report.packetsReceived ?? 0);
    if (ofControl.has(report.type)) signs.push(report.timestamp);
  });
  return signs.join(' ');
}
