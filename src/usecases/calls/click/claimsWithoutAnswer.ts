import type { ClaimId, CompanyId } from '../../../domain/ids.ts';
import { changePresence } from '../../agents/changePresence.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import type { Services } from '../../services.ts';

type Needs = Pick<Services, 'agentCard' | 'claimsWithoutAnswer' | 'observer' | 'presence' | 'retries' | 'softphones'>;

/**
 * Releases an agent whom a claim took though nobody heard of it: a store that stood still does late what it was asked
 * in time. The agent would look Ready for as long as the claim lasts, and be Not Ready afterwards.
 * Any number of them are looked for in one go, as soon as the store answers.
 */
export async function releaseClaimWithoutAnswer(services: Needs, companyId: CompanyId, claimId: ClaimId): Promise<void> {
  const others = services.claimsWithoutAnswer.get(companyId);
  if (others !== undefined) {
    others.add(claimId);
    return;
  }
  const lost = new Set([claimId]);
  services.claimsWithoutAnswer.set(companyId, lost);
  await retryUntilSuccess(services, 'agents of lost claims could not be released', () => releaseAll(services, companyId, lost));
}

async function releaseAll(services: Needs, companyId: CompanyId, lost: Set<ClaimId>): Promise<void> {
  while (lost.size > 0) {
    const sought = [...lost];
    for (const { agentId, claimId, callId } of await services.presence.list(companyId)) {
      if (callId === null || claimId === null || !sought.includes(claimId)) continue;
      await changePresence(services, companyId, agentId, { type: 'cancel', callId });
    }
    for (const claimId of sought) lost.delete(claimId);
  }
  services.claimsWithoutAnswer.delete(companyId);
}
