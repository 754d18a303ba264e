import { v7 as newId } from 'uuid';
import { beforeEach, describe, expect, it } from 'vitest';
import { joinDeliveryNotifier, onlyWithWebhook } from '../../src/app/wakeDispatchers.ts';
import { toId, type CompanyId } from '../../src/domain/ids.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';

describe('waking the dispatchers', () => {
  let clock: ManualClock;
  let woken: number;
  let announced: number;
  /** Answers the announcement under way. */
  let answer: () => void;
  let hear: () => void;

  const others = {
    announce: () => {
      announced += 1;
      return new Promise<void>((resolve) => (answer = resolve));
    },
    listen: async (wake: () => void) => void (hear = wake),
  };
  const wake = () => void (woken += 1);

  beforeEach(() => {
    clock = createManualClock(0);
    woken = announced = 0;
  });

  it('wakes its own at each call, and announces at once and then at most once in 20 ms', async () => {
    const tell = await joinDeliveryNotifier({ others, clock, wake });
    for (let call = 0; call < 5; call++) tell();
    expect([woken, announced]).toEqual([5, 1]);
    answer();
    await clock.advance(19);
    tell();
    expect(announced).toBe(1);
    await clock.advance(1);
    expect(announced).toBe(2);
    answer();
    await clock.advance(20);
    expect(announced).toBe(2);
    tell();
    expect(announced).toBe(3);
  });

  it('announces nothing more while an announcement has no answer yet', async () => {
    const tell = await joinDeliveryNotifier({ others, clock, wake });
    tell();
    await clock.advance(1_000);
    tell();
    expect(announced).toBe(1);
    answer();
    await clock.advance(20);
    expect(announced).toBe(2);
  });

  it('wakes its own when another announces, which it does not pass on', async () => {
    await joinDeliveryNotifier({ others, clock, wake });
    hear();
    expect([woken, announced]).toEqual([1, 0]);
  });

  it('wakes its own alone where there are no others', async () => {
    const tell = await joinDeliveryNotifier({ others: null, clock, wake });
    tell();
    expect([woken, announced]).toEqual([1, 0]);
  });
});

describe('waking for one company', () => {
  /** How often the dispatchers were woken. */
  async function wokenFor(
    settings: () => Promise<{ hasWebhook: boolean }>,
    companyId: CompanyId | null = toId<CompanyId>(newId()),
  ): Promise<number> {
    let count = 0;
    onlyWithWebhook(settings, () => void (count += 1))(companyId);
    await new Promise(setImmediate);
    return count;
  }

  it('has nobody look where the company has no webhook', async () => {
    expect(await wokenFor(() => Promise.resolve({ hasWebhook: true }))).toBe(1);
    expect(await wokenFor(() => Promise.resolve({ hasWebhook: false }))).toBe(0);
  });

  it('has everybody look where nobody knows whether there is one, and for all companies together', async () => {
    expect(await wokenFor(() => Promise.reject(new Error('the database is away')))).toBe(1);
    expect(await wokenFor(() => Promise.reject(new Error('nobody asks')), null)).toBe(1);
  });
});
