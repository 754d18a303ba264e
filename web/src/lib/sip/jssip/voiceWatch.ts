import type { CallQuality } from '../../../../../src/contract/calls.ts';
import type { PhoneStats, VoiceQuality, VoiceTrouble } from '../phone.ts';
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
/** Longer than two reports of a telephone that is silent for a while, and well below the agent's own patience. Looks. */
const silentAfterLooks = 10;
/** A short gap heals by itself. Milliseconds. */
const healsWithinMs = 1_500;
/** For the new way to be found before the next try; doubled each time. Milliseconds. */
const foundWithinMs = { first: 4_000, most: 30_000 };

/**
 * Watches over the voice of a connected call: whether there is a way for it, and whether anything arrives. Where the way
 * is lost another one is looked for, for as long as the call lasts; the agent is told meanwhile.
 */
export class VoiceWatch {
  readonly #needs: Needs;
  readonly #looking: ReturnType<typeof setInterval>;
  readonly #wayChanged = () => this.#lookAtWay();
  #next: ReturnType<typeof setTimeout> | undefined;
  readonly #meter = new QualityMeter();
  #trouble: VoiceTrouble | null = null;
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
  get quality(): CallQuality | null {
    return this.#meter.ofCall;
  }

  /** The telephone network can be reached again: a lost way is looked for at once. */
  lineIsBack(): void {
    if (this.#isLost) this.#restartIn(0);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#looking);
    clearTimeout(this.#next);
    this.#needs.connection.removeEventListener('iceconnectionstatechange', this.#wayChanged);
  }

  get #isLost(): boolean {
    return this.#trouble?.kind === 'reconnecting';
  }

  #lookAtWay(): void {
    const state = this.#needs.connection.iceConnectionState;
    if (state === 'connected' || state === 'completed') this.#beFound();
    else if (state === 'disconnected' || state === 'failed') this.#beLost(state === 'failed' ? 0 : healsWithinMs);
  }

  #beFound(): void {
    clearTimeout(this.#next);
    this.#tries = 0;
    this.#hear();
    if (this.#isLost) this.#tell(null);
  }

  #beLost(restartInMs: number): void {
    const wasLost = this.#isLost;
    if (!wasLost) {
      this.#tell({ kind: 'reconnecting' });
    }
    // What was agreed on anew is given its time.
    if (!wasLost || this.#tries === 0) this.#restartIn(restartInMs);
  }

  #restartIn(ms: number): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => void this.#restart(), ms);
  }

  async #restart(): Promise<void> {
    if (this.#isStopped || !this.#isLost || this.#isRestarting) return;
    this.#isRestarting = true;
    // Without a line `lineIsBack` goes on.
    this.#needs.checkLine();
    if (this.#needs.isConnected()) await this.#needs.restart(() => this.#isLost && !this.#isStopped);
    this.#isRestarting = false;
    if (this.#isStopped || !this.#isLost) return;
    this.#restartIn(Math.min(foundWithinMs.first * 2 ** this.#tries, foundWithinMs.most));
    this.#tries += 1;
  }

  async #listen(): Promise<void> {
    if (this.#isLost) return;
    if (this.#needs.isHeld()) return this.#hear();
    const reports = await this.#needs.connection.getStats().catch(() => null);
    if (this.#isStopped || this.#isLost) return;
    const signs = reports === null ? this.#signs : signsOfLife(reports);
    const quality = reports === null ? null : this.#meter.take(reports.values() as Iterable<{ type: string }>);
    if (quality !== null) this.#needs.onQuality(quality);
    const isHeard = signs !== this.#signs;
    this.#signs = signs;
    if (isHeard) return this.#hear();
    this.#silentLooks += 1;
    if (this.#silentLooks !== silentAfterLooks) return;
    this.#tell({ kind: 'silent', since: this.#heardAt });
    this.#needs.checkLine();
  }

  #hear(): void {
    this.#silentLooks = 0;
    this.#heardAt = Date.now();
    if (this.#trouble?.kind === 'silent') this.#tell(null);
  }

  #tell(trouble: VoiceTrouble | null): void {
    this.#trouble = trouble;
    this.#needs.onTrouble(trouble);
  }
}

/** Sums up what a connection's audio streams have carried so far. */
export async function readStats(connection: RTCPeerConnection): Promise<PhoneStats> {
  const sum: PhoneStats = { bytesSent: 0, bytesReceived: 0, packetsSent: 0, packetsReceived: 0, packetsLost: 0 };
  const reports = await connection.getStats();
  reports.forEach((report: Partial<PhoneStats> & { type: string }) => {
    if (report.type !== 'inbound-rtp' && report.type !== 'outbound-rtp') return;
    for (const key of Object.keys(sum) as (keyof PhoneStats)[]) sum[key] += report[key] ?? 0;
  });
  return sum;
}

/** What `getStats` tells of what arrives, as far as it is read here. Times are of the arrival. */
type Report = { type: string; packetsReceived?: number; timestamp: number };

const ofControl: ReadonlySet<string> = new Set(['remote-outbound-rtp', 'remote-inbound-rtp']);

/**
 * What has arrived from the other side so far, as a text that changes with everything that arrives. A telephone that sends
 * no packets while nobody speaks (DTX, comfort noise of RFC 3389) still sends RTCP every few seconds (RFC 3550, 6.2).
 */
function signsOfLife(reports: RTCStatsReport): string {
  const signs: number[] = [];
  reports.forEach((report: Report) => {
    if (report.type === 'inbound-rtp') signs.push(report.packetsReceived ?? 0);
    if (ofControl.has(report.type)) signs.push(report.timestamp);
  });
  return signs.join(' ');
}
