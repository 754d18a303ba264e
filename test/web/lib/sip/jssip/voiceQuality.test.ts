import { describe, expect, it } from 'vitest';
import { mosOf, QualityMeter } from '../../../../../web/src/lib/sip/jssip/voiceQuality.ts';

/**
 * What of a second's fifty packets is lost, seconds of jitter and of the way there and back,
 * and what the other side lost of ours.
 */
type Network = { lost?: number; jitter?: number; rtt?: number; lostThere?: number; isSilent?: boolean };

/** A call over that network for so many seconds. @returns the meter, and the last reading that was told */
function call(...parts: [seconds: number, network: Network][]) {
  const meter = new QualityMeter();
  let [packetsReceived, packetsLost] = [0, 0];
  let told: ReturnType<QualityMeter['take']> = null;
  for (const [seconds, { lost = 0, jitter = 0.002, rtt = 0.04, lostThere = 0, isSilent = false }] of parts) {
    for (let second = 0; second < seconds; second += 1) {
      if (!isSilent) [packetsReceived, packetsLost] = [packetsReceived + 50 - lost, packetsLost + lost];
      told =
        meter.take([
          { type: 'inbound-rtp', packetsReceived, packetsLost, jitter },
          { type: 'remote-inbound-rtp', roundTripTime: rtt, fractionLost: lostThere },
          { type: 'candidate-pair', nominated: true, currentRoundTripTime: 9 },
        ]) ?? told;
    }
  }
  return { meter, told };
}

describe('the estimated opinion of a call', () => {
  it('is best without any impairment, falls with each of them, and stays between 1 and 4.5', () => {
    const none = { rttMs: 0, jitterMs: 0, lossPercent: 0 };
    // R 93.2 is 4.41 (ITU-T G.107, Annex B); what encoding takes is all that is missing.
    expect(mosOf(none)).toBeCloseTo(4.4, 1);
    for (const [figure, steps] of [
      ['rttMs', [100, 300, 600, 1_200]],
      ['jitterMs', [20, 60, 150, 400]],
      ['lossPercent', [1, 3, 10, 40]],
    ] as const) {
      const scores = [0, ...steps].map((value) => mosOf({ ...none, [figure]: value }));
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
      expect(new Set(scores).size).toBe(scores.length);
      expect(scores.at(-1)).toBeGreaterThanOrEqual(1);
    }
    expect(mosOf({ rttMs: 60_000, jitterMs: 60_000, lossPercent: 100 })).toBe(1);
  });
});

describe('the meter of a call', () => {
  it('tells a good call, and the figures of the whole call at its end', () => {
    const { meter, told } = call([12, {}]);
    expect(told).toMatchObject({ level: 'good' });
    expect(meter.ofCall).toMatchObject({ rtt_ms: 40, jitter_ms: 2, loss_percent: 0 });
    expect(meter.ofCall?.mos).toBeGreaterThan(4.3);
  });

  it('tells the middle and the worst of its readings beside their average', () => {
    const {
      mos = 0,
      mos_median: median = 0,
      mos_worst: worst = 0,
    } = call([25, {}], [10, { lost: 20 }]).meter.ofCall ?? {};
    expect(median).toBe(call([25, {}]).meter.ofCall?.mos);
    expect(worst).toBe(call([10, { lost: 20 }]).meter.ofCall?.mos);
    expect([worst < mos, mos < median]).toEqual([true, true]);
  });

  it.each([
    ['loss', { lost: 6 }],
    ['loss', { lostThere: 0.15 }],
    ['jitter', { jitter: 0.15 }],
    ['delay', { rtt: 0.9 }],
  ] as const)('names %s as what makes a call poor', (cause, network) => {
    expect(call([20, network]).told).toMatchObject({ level: 'poor', cause });
  });

  it('does not call a call poor for a short gap, nor good while it is poor, and comes back', () => {
    expect(call([30, {}], [1, { lost: 10 }], [4, {}]).told).toMatchObject({ level: 'good' });
    expect(call([30, {}], [15, { lost: 10 }]).told).toMatchObject({ level: 'poor', cause: 'loss' });
    expect(call([30, { lost: 10 }], [15, {}]).told).toMatchObject({ level: 'good' });
  });

  it('measures nothing while nothing arrives, and tells nothing of a call that was too short', () => {
    expect(call([4, {}]).meter.ofCall).toBeNull();
    expect(call([60, { isSilent: true }])).toMatchObject({ told: null, meter: { ofCall: null } });
    expect(call([10, {}], [60, { isSilent: true }]).meter.ofCall).toEqual(call([10, {}]).meter.ofCall);
  });
});
