import type { ClickTally, LiveCall } from '../../contract/live.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { Services } from '../services.ts';
import { clickTally } from '../views/clickTally.ts';
import { liveCall } from '../views/liveCall.ts';

/** Two days, whose midnight is within them wherever the supervisor sits. */
const clicksShownMs = 48 * 3_600_000;

/** The calls of the company that last. */
export async function listLiveCalls({ calls }: Pick<Services, 'calls'>, companyId: CompanyId): Promise<LiveCall[]> {
  return (await calls.listInProgress(companyId)).map(liveCall);
}

/** The company's clicks of the last 48 hours. */
export async function listClicks(
  { clickTallies, clock }: Pick<Services, 'clickTallies' | 'clock'>,
  companyId: CompanyId,
): Promise<ClickTally[]> {
  return (await clickTallies.list(companyId, new Date(clock.now() - clicksShownMs))).map(clickTally);
}
