import type { AgentId, CompanyId } from '../../src/domain/ids.ts';
import type { Presence } from '../../src/domain/presence.ts';
import type { PresenceCommand } from '../../src/domain/presence.ts';
import { ask, changed, fresh, newClaim, noon, ready } from '../support/stores/presenceFixtures.ts';

// Anna, an agent, in the states that the rules are about, one after the other from noon on.
export const companyId = fresh<CompanyId>();
export const agentId = fresh<AgentId>();
export const fallDue: PresenceCommand = { type: 'fall_due' };
export const illegal = { kind: 'refused', code: 'illegal_transition' };
export const stale = { kind: 'refused', code: 'stale_lease' };

export const claim = { type: 'claim', ...newClaim() } as const;
export const { callId, claimId } = claim;
export const anna = ready(noon, companyId, agentId);
export const lease = anna.lease!;
export const reserved = changed(anna, claim, noon + 1_000);
export const confirm = { type: 'confirm', claimId, sessionId: anna.sessionId! } as const;
export const onCall = changed(reserved, confirm, noon + 2_000);
export const wrappingUp = changed(onCall, { type: 'end_call', callId, wrapUpMs: 30_000 }, noon + 60_000);
export const onBreak = changed(anna, ask('not_ready', { reason: 'break' }), noon + 500);
export const ringing = changed(anna, { type: 'ring', ...newClaim(), lease, takesSecond: false }, noon + 1_000);
export const lost = { type: 'lose_connection', lease } as const;

/** The presence as it is when a deadline has passed. */
export function whenDue(presence: Presence, now: number): Presence {
  return changed(presence, fallDue, now);
}
