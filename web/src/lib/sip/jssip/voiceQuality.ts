import type { ReportedQuality } from '../../../../../src/contract/calls.ts';
import type { VoiceQuality } from '../phoneCall.ts';

/**
 * What `getStats` tells, as far as it is read here. Jitter and times there and back in seconds;
 * `fractionLost` of the last report, 0 to 1.
 */
type Report = {
  type: string;
  packetsReceived?: number;
  packetsLost?: number;
  jitter?: number;
  roundTripTime?: number;
  fractionLost?: number;
  nominated?: boolean;
  currentRoundTripTime?: number;
};

type Measured = { rttMs: number | null; jitterMs: number; lossPercent: number };

/** Over so many looks, a second each, one reading is made. */
const looksPerReading = 5;
/** So many readings are taken together for what the agent is shown: a short gap is no poor call. */
const shownReadings = 3;

/** Whoever hears a call of R below 80 and 70 is a little, and quite dissatisfied (ITU-T G.107, Annex B). */
const fairBelow = 4.03;
const poorBelow = 3.6;

/** R of a call over G.711 that nothing has impaired (ITU-T G.107, default values). */
const unimpaired = 93.2;
/**
 * What G.711 with loss concealment loses of R with each percent of lost packets,
 * while there are few (after ITU-T G.113, Appendix I).
 */
const perPercentLost = 2.5;
/**
 * From one way's delay of this on, people begin to interrupt each other. Milliseconds (after ITU-T G.107;
 * Cole and Rosenbluth 2001).
 */
const noticedDelayMs = 177.3;
/** Of encoding and playing; a playout buffer holds about twice the jitter. Milliseconds. */
const ownDelayMs = 20;

/** What the delay of one way takes off R, after Cole and Rosenbluth 2001. */
function delayImpairment({ rttMs, jitterMs }: Measured): number {
  const delayMs = (rttMs ?? 0) / 2 + 2 * jitterMs + ownDelayMs;
  return 0.024 * delayMs + Math.max(0, 0.11 * (delayMs - noticedDelayMs));
}

/** The mean opinion score that the E-model (ITU-T G.107, Annex B) estimates from what was measured, 1 to 4.5. */
export function mosOf(measured: Measured): number {
  const r = unimpaired - delayImpairment(measured) - perPercentLost * measured.lossPercent;
  // The curve dips below 1 near 0.
  return r <= 0 ? 1 : Math.max(1, 1 + 0.035 * r + 7e-6 * r * (r - 60) * (100 - r));
}

/** Measures how well agent and customer can hear each other, from one call's `getStats`. */
export class QualityMeter {
  #looks = 0;
  #received = 0;
  #lost = 0;
  #readings: Measured[] = [];

  /** A look, about a second after the one before. @returns what is new to show; null: nothing */
  take(reports: Iterable<Report>): VoiceQuality | null {
    this.#looks += 1;
    if (this.#looks % looksPerReading !== 0) return null;
    const measured = this.#read([...reports]);
    // Nothing arrives: that is another trouble, which the agent is told of.
    if (measured === null) return null;
    this.#readings.push(measured);
    return shown(average(this.#readings.slice(-shownReadings)));
  }

  /** Of the whole call so far; null: it was too short. */
  get ofCall(): ReportedQuality | null {
    if (this.#readings.length === 0) return null;
    const { rttMs, jitterMs, lossPercent } = average(this.#readings);
    // As people do, the readings of a call are judged one by one: a minute of poor sound is not made
    // good by a well-heard one.
    const opinions = this.#readings.map(mosOf).toSorted((one, other) => one - other);
    return {
      mos: round(mean(opinions), 100),
      // Of two in the middle the worse one.
      mos_median: round(opinions[Math.floor((opinions.length - 1) / 2)] ?? 1, 100),
      mos_worst: round(opinions[0] ?? 1, 100),
      ...(rttMs === null ? {} : { rtt_ms: Math.min(60_000, Math.round(rttMs)) }),
      jitter_ms: Math.min(60_000, Math.round(jitterMs)),
      loss_percent: round(lossPercent, 10),
    };
  }

  #read(reports: Report[]): Measured | null {
    const arriving = reports.filter(({ type }) => type === 'inbound-rtp');
    const [received, lost] = [sum(arriving, 'packetsReceived'), sum(arriving, 'packetsLost')];
    // A new way for the sound begins to count anew.
    const [came, went] = [received - this.#received, Math.max(0, lost - this.#lost)];
    [this.#received, this.#lost] = [received, lost];
    if (came <= 0) return null;
    const heardThere = reports.filter(({ type }) => type === 'remote-inbound-rtp');
    const lostHere = (100 * went) / (came + went);
    const lostThere = 100 * most(heardThere, 'fractionLost');
    const pairs = reports.filter(({ type, nominated }) => type === 'candidate-pair' && nominated === true);
    const rtt = most(heardThere, 'roundTripTime') || most(pairs, 'currentRoundTripTime');
    return {
      rttMs: rtt > 0 ? rtt * 1_000 : null,
      jitterMs: most(arriving, 'jitter') * 1_000,
      lossPercent: Math.min(100, Math.max(lostHere, lostThere)),
    };
  }
}

function shown(measured: Measured): VoiceQuality {
  const mos = mosOf(measured);
  return { mos, level: mos < poorBelow ? 'poor' : mos < fairBelow ? 'fair' : 'good', cause: causeOf(measured) };
}

/** What takes most off R. */
function causeOf(measured: Measured): VoiceQuality['cause'] {
  const delay = delayImpairment(measured);
  if (perPercentLost * measured.lossPercent >= delay) return 'loss';
  return 2 * measured.jitterMs >= (measured.rttMs ?? 0) / 2 ? 'jitter' : 'delay';
}

function mean(values: number[]): number {
  return values.reduce((total, one) => total + one, 0) / values.length;
}

function average(readings: Measured[]): Measured {
  const rtts = readings.flatMap(({ rttMs }) => (rttMs === null ? [] : [rttMs]));
  return {
    rttMs: rtts.length === 0 ? null : mean(rtts),
    jitterMs: mean(readings.map(({ jitterMs }) => jitterMs)),
    lossPercent: mean(readings.map(({ lossPercent }) => lossPercent)),
  };
}

type Figure = Exclude<keyof Report, 'type' | 'nominated'>;

function sum(reports: Report[], figure: Figure): number {
  return reports.reduce((total, report) => total + (report[figure] ?? 0), 0);
}

function most(reports: Report[], figure: Figure): number {
  return Math.max(0, ...reports.map((report) => report[figure] ?? 0));
}

function round(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
