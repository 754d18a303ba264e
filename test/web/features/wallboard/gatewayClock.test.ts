import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  gatewayTimeAt,
  noteGatewayTime,
  restartGatewayTime,
} from '../../../../web/src/features/wallboard/gatewayClock.ts';

const here = Date.parse('2026-11-21T09:03:00.000Z');
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

describe('the gateway’s clock on a machine that is three minutes ahead', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: here });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is known from the first list on', () => {
    restartGatewayTime(iso(here - 180_000));
    expect(gatewayTimeAt(here + 5_000)).toBe(here - 175_000);
  });

  it('is the moment that took the shortest way here', () => {
    restartGatewayTime(iso(here - 180_900));
    noteGatewayTime(iso(here - 180_020));
    noteGatewayTime(iso(here - 180_400));
    expect(gatewayTimeAt(here)).toBe(here - 180_020);
  });

  it('is learned anew at each connect', () => {
    restartGatewayTime(iso(here - 180_000));
    restartGatewayTime(iso(here - 240_000));
    expect(gatewayTimeAt(here)).toBe(here - 240_000);
  });

  it('is this machine’s while the gateway has told nothing', () => {
    restartGatewayTime(null);
    expect(gatewayTimeAt(here)).toBe(here);
    noteGatewayTime(iso(here - 180_000));
    expect(gatewayTimeAt(here)).toBe(here - 180_000);
  });
});
