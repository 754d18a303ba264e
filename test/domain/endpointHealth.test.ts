import { describe, expect, it } from 'vitest';
import { conditionOf, healthAfter, healthyEndpoint, type EndpointHealth } from '../../src/domain/endpointHealth.ts';

const start = Date.parse('2026-11-21T09:00:00.000Z');
const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
const at = (ms: number) => new Date(start + ms);

const attempt = (verdict: 'delivered' | 'failed' | 'gone', startMs: number, endMs = startMs) => ({
  verdict,
  startedAt: at(startMs),
  endedAt: at(endMs),
});

/** After `count` failures, one a second from the start on. */
const afterFailures = (count: number): EndpointHealth => {
  let health = healthyEndpoint;
  for (let made = 0; made < count; made++) health = healthAfter(health, attempt('failed', made * seconds));
  return health;
};

describe('the health of an endpoint', () => {
  it('counts failures in a row, since the first', () => {
    expect(afterFailures(9)).toEqual({
      consecutiveFailures: 9,
      failingSince: at(0),
      pausedUntil: null,
      disabled: null,
    });
  });

  it('is well again with the first success', () => {
    expect(healthAfter(afterFailures(12), attempt('delivered', 0))).toEqual(healthyEndpoint);
  });

  it('pauses for 30 s at the tenth failure, from its end', () => {
    expect(healthAfter(afterFailures(9), attempt('failed', 9 * seconds, 24 * seconds)).pausedUntil).toEqual(
      at(54 * seconds),
    );
  });

  it('pauses twice as long after each failed probe, up to 15 minutes', () => {
    let health = afterFailures(10);
    const pauses: number[] = [];
    for (let probe = 0; probe < 7; probe++) {
      const now = (health.pausedUntil?.getTime() ?? 0) - start;
      health = healthAfter(health, attempt('failed', now, now + 1));
      pauses.push(((health.pausedUntil?.getTime() ?? 0) - start - now - 1) / seconds);
    }
    expect(pauses).toEqual([60, 120, 240, 480, 900, 900, 900]);
  });

  it('does not count an attempt that was under way when the breaker opened', () => {
    const paused = afterFailures(10);
    expect(healthAfter(paused, attempt('failed', 8 * seconds, 23 * seconds))).toBe(paused);
  });

  it('ends with a 410, and with a failure 120 hours after the first', () => {
    expect(healthAfter(healthyEndpoint, attempt('gone', 5)).disabled).toEqual({ at: at(5), reason: 'gone' });
    const failing = afterFailures(3);
    expect(healthAfter(failing, attempt('failed', 120 * hours - 1)).disabled).toBeNull();
    expect(healthAfter(failing, attempt('failed', 120 * hours)).disabled).toEqual({
      at: at(120 * hours),
      reason: 'failing',
    });
  });

  it('ends after 120 hours for an attempt under way at the pause too', () => {
    const paused = { ...afterFailures(10), pausedUntil: at(121 * hours) };
    expect(healthAfter(paused, attempt('failed', 119 * hours, 120 * hours)).disabled?.reason).toBe('failing');
  });

  it('stays disabled, whatever late attempts bring', () => {
    const disabled = { ...healthyEndpoint, disabled: { at: at(0), reason: 'admin' } as const };
    for (const verdict of ['delivered', 'failed', 'gone'] as const) {
      expect(healthAfter(disabled, attempt(verdict, 1))).toBe(disabled);
    }
  });

  it('is put into one word', () => {
    const paused = afterFailures(10);
    const until = paused.pausedUntil?.getTime() ?? 0;
    expect(conditionOf(healthyEndpoint, start)).toBe('healthy');
    expect(conditionOf(afterFailures(1), start)).toBe('failing');
    expect([conditionOf(paused, until - 1), conditionOf(paused, until)]).toEqual(['paused', 'failing']);
    expect(conditionOf({ ...paused, disabled: { at: at(0), reason: 'gone' } }, start)).toBe('disabled');
  });
});
