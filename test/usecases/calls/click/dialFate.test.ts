import { describe, expect, expectTypeOf, it } from 'vitest';
import type { CompanyId } from '../../../../src/domain/ids.ts';
import type { Presence } from '../../../../src/domain/presence.ts';
import type { DialEnding, dialEndings } from '../../../../src/usecases/calls/click/dialEndings.ts';
import { type endDial, releaseUnansweredClaim } from '../../../../src/usecases/calls/click/dialFate.ts';
import { createRetryRegistry } from '../../../../src/usecases/concurrency/retryUntilSuccess.ts';
import type { Services } from '../../../../src/usecases/services.ts';
import { fresh, newClaim, noon } from '../../../support/stores/presenceFixtures.ts';
import { createManualClock } from '../../../support/time/manualClock.ts';

describe('the end of a dial', () => {
  it('is brought about for claimed agents who are to be freed or set Not Ready, and for no other ending', () => {
    type Table = typeof dialEndings;
    type OfClaimed = { by: 'the click'; agent: Exclude<DialEnding['agent'], 'on_call'> };
    type InTable = { [N in keyof Table]: Table[N] extends OfClaimed ? N : never }[keyof Table];
    // Nobody knows whom a claim took that was not answered.
    expectTypeOf<Parameters<typeof endDial>[2]>().toEqualTypeOf<Exclude<InTable, 'claim_unanswered'>>();
  });
});

describe('a claim that the store never answered', () => {
  const companyId = fresh<CompanyId>();

  function room({ retriesAtMost }: { retriesAtMost: number }) {
    const clock = createManualClock(noon);
    const retries = createRetryRegistry({ clock, observer: { problem: () => {} }, atMost: retriesAtMost });
    const store = { isAway: true, lists: 0 };
    const list = async (): Promise<Presence[]> => {
      store.lists += 1;
      if (store.isAway) throw new Error('away');
      return [];
    };
    const unansweredClaims: Services['unansweredClaims'] = new Map();
    // Nobody is found, so nothing else is asked of the services.
    const services = { retries, unansweredClaims, presence: { list } } as unknown as Services;
    return {
      clock,
      store,
      unansweredClaims,
      lose: () => releaseUnansweredClaim(services, companyId, newClaim().claimId),
    };
  }

  it('is looked for until the store answers, with those lost meanwhile', async () => {
    const { clock, store, unansweredClaims, lose } = room({ retriesAtMost: 10 });
    await lose();
    await lose();
    expect([store.lists, unansweredClaims.get(companyId)?.size]).toEqual([1, 2]);
    store.isAway = false;
    await clock.advance(1_000);
    expect([store.lists, unansweredClaims.size]).toEqual([2, 0]);
  });

  it('that is not looked for again, as too much is to be tried again, leaves the next one its own search', async () => {
    const { store, unansweredClaims, lose } = room({ retriesAtMost: 0 });
    await lose();
    expect(unansweredClaims.size).toBe(0);
    store.isAway = false;
    await lose();
    expect([store.lists, unansweredClaims.size]).toEqual([2, 0]);
  });
});
