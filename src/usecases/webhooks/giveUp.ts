import type { CompanyId } from '../../domain/ids.ts';
import type { Services } from '../services.ts';

/** So many are given up at once, so that no statement lasts and no call waits for it. */
const batch = 1_000;

/** Ends the deliveries that wait for endpoints that are disabled or gone: of one company, or of all. */
export async function giveUpStopped(
  { outbox, clock }: Pick<Services, 'outbox' | 'clock'>,
  companyId: CompanyId | 'all',
): Promise<void> {
  while ((await outbox.giveUp(companyId, batch, new Date(clock.now()))) > 0);
}
