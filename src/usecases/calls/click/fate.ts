import type { Call } from '../../../domain/calls.ts';
import type { Presence } from '../../../domain/presence.ts';
import type { Fate } from '../../../ports/calls.ts';
import { changePresence } from '../../agents/changePresence.ts';
import type { Services } from '../../services.ts';

/**
 * What becomes of a call that an agent was taken to. PostgreSQL alone decides it, once and for good, by who spends the
 * call's id first: the transaction that records the call with its events and the remembered answer, or `ruleOut`.
 * Presence follows, and decides nothing (docs/decisions/0022).
 *
 * | ending | how it is known | click | softphone | agent |
 * | --- | --- | --- | --- | --- |
 * | nothing was sent to be recorded | by the click itself | refused | offer rescinded | released |
 * | recorded in time | the record's own answer | 201 | told to dial | on the call |
 * | recorded, the answer lost or late | `ruleOut` finds the record | 201 | told to dial | on the call |
 * | ruled out | `ruleOut` was first | refused | offer rescinded | released |
 * | neither is known in time | nobody knows yet | `outcome_unknown` | waits, and asks | on the call |
 *
 * The last one lasts until the gateway of the click, that of the softphone (`resolveOfferOutcome`) or whoever sweeps
 * (`sweepPresence`) reaches PostgreSQL: each of them settles it, and all of them find the same.
 */
export type Settled = Exclude<Fate, { kind: 'open' }>;

type About = Pick<Presence, 'companyId' | 'agentId'> & { callId: Call['id'] };

/** What was decided; decides it if nobody has. Rejects while PostgreSQL cannot be asked. */
export async function settleFate(
  { calls }: Pick<Services, 'calls'>,
  { companyId, callId }: Pick<About, 'companyId' | 'callId'>,
): Promise<Settled> {
  for (;;) {
    const fate = await calls.fate(companyId, callId);
    if (fate.kind !== 'open') return fate;
    if ((await calls.ruleOut(companyId, callId)) === 'ruled_out') return { kind: 'ruled_out' };
    // Recorded in between: the next look finds it.
  }
}

/** Releases the agent of a call that will never be recorded; whoever is doing something else is left alone. */
export async function releaseAgent(
  services: Pick<Services, 'agentCard' | 'observer' | 'presence' | 'softphones'>,
  { companyId, agentId, callId }: About,
): Promise<void> {
  await changePresence(services, companyId, agentId, { type: 'cancel', callId });
  const dropped = await changePresence(services, companyId, agentId, { type: 'drop_unrecorded', callId });
  if (dropped.kind === 'changed') services.observer.repaired('unrecorded_dial');
}
