import type { ClickToDialAnswer, ClickToAccountRequest } from '../../../contract/clickToDial.ts';
import type { JsonText } from '../../../contract/jsonText.ts';
import type { Principal } from '../../../domain/access.ts';
import type { AgentId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../../domain/outcome.ts';
import type { HeldKey } from '../../../ports/calls.ts';
import type { DialedFor } from '../../../ports/cti.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import type { ChosenNeeds } from '../../screenPops/chooseRecord.ts';
import { completeScreenPop } from '../../screenPops/completeScreenPop.ts';
import type { CallServices, Services } from '../../services.ts';
import { attemptDial, type AttemptedDial } from './attemptDial.ts';
import { acknowledgeWithinMs, agentNotReady, claimAgent, leastOfferMs } from './claimAgent.ts';
import { dialAtPlatform, platformThatDials } from './dialAtPlatform.ts';
import { dialEndings, tooSlow } from './dialEndings.ts';
import { type Claimed, endDial, orderDial, resolveUnknown } from './dialFate.ts';
import { prepareDial } from './prepareDial.ts';

export type ClickNeeds = CallServices &
  ChosenNeeds &
  Pick<
    Services,
    | 'agents'
    | 'contacts'
    | 'countClick'
    | 'crmLookup'
    | 'ctiConnections'
    | 'doNotDial'
    | 'ledAgents'
    | 'platformAgents'
    | 'platformDialer'
    | 'screenPops'
    | 'teams'
    | 'unansweredClaims'
  >;

export type DialedClick =
  | { answer: ClickToDialAnswer; replayed: false }
  /** The first answer under this Idempotency-Key, byte for byte. */
  | { answer: JsonText; replayed: true };

/**
 * Claims one Ready agent after another until a softphone has taken the dial, nobody is left or the time is over. A
 * named agent is the only one asked, unless the click falls back to any; any is of the team that the click names, if it
 * names one, else of those whom the caller sees.
 * @param key remembered with the answer, in the transaction that records the call
 * @param deadline milliseconds since the epoch
 */
export async function dialReadyAgent(
  services: ClickNeeds,
  principal: Principal,
  body: ClickToAccountRequest,
  key: HeldKey | null,
  deadline: number,
): Promise<Outcome<DialedClick>> {
  const { clock, dialsUnderWay } = services;
  const { companyId } = principal;
  const prepared = await withDeadline(clock, deadline, prepareDial(services, principal, body));
  if (prepared === null) return tooSlow;
  if (prepared.kind === 'refused') return prepared;
  const { chosen, among, offered } = prepared.value;

  const anybody = among === null ? {} : { among };
  let target = chosen;
  let refusal: Refused | null = null;
  const asked = new Set<AgentId>();
  if (clock.now() + leastOfferMs > deadline) return tooSlow;
  while (clock.now() + leastOfferMs <= deadline) {
    const wanted = target === null ? anybody : { agentId: target };
    const claim = await claimAgent(services, companyId, wanted, deadline - leastOfferMs);
    if (claim.kind === 'claim_too_late') return dialEndings.claim_too_late.click;
    if (claim.kind === 'none_ready') break;
    if (claim.kind === 'claimed') {
      const { claimed } = claim;
      // Whom a platform has Ready stays so, whatever came of the offer.
      if (claimed.platform !== null && asked.has(claimed.agentId)) {
        await withDeadline(clock, deadline, endDial(services, claimed, 'claim_too_late'));
        break;
      }
      asked.add(claimed.agentId);
      const through = await platformInTime(services, claimed, deadline);
      if (through === 'too_late') return tooSlow;
      if (through !== null) {
        const attempt = dialAtPlatform(services, claimed, through, { offered, key, deadline });
        dialsUnderWay.set(claimed.callId, attempt);
        const dialed = await attempt.finally(() => dialsUnderWay.delete(claimed.callId));
        if (dialed.kind === 'unknown') return dialed.refusal;
        if (dialed.kind === 'recorded') {
          void completeScreenPop(services, dialed.call, offered.pop);
          return ok({ answer: dialed.answer, replayed: false });
        }
        refusal = dialed.refusal;
        if (target !== null && body.fallback !== 'any') return refusal;
        target = null;
        continue;
      }
      const acknowledgeBy = Math.min(clock.now() + acknowledgeWithinMs, deadline);
      const attempt = attemptDial(services, claimed, { offered, key, acknowledgeBy, deadline });
      dialsUnderWay.set(claimed.callId, attempt);
      const attempted = await attempt;
      dialsUnderWay.delete(claimed.callId);
      if (attempted.ending === 'recorded') void completeScreenPop(services, attempted.call, offered.pop);
      const answer = await conclude(services, claimed, attempted, { acknowledgeBy, deadline });
      if (answer !== 'next_agent') return answer;
    }
    if (target === null) continue;
    if (body.fallback !== 'any') {
      const presence = await withDeadline(
        clock,
        deadline,
        services.presence.find(companyId, target).then((found) => ({ found })),
      );
      return presence === null ? tooSlow : agentNotReady(presence.found);
    }
    target = null;
  }
  return (
    refusal ??
    refuse('no_ready_agent', `No agent of the ${body.team_code === undefined ? 'company' : 'team'} is Ready.`, {
      retryAfterSeconds: 2,
    })
  );
}

/**
 * The platform that dials for a claimed agent; null: its softphone does.
 * Where it cannot be told in time the claim is given back.
 */
async function platformInTime(
  services: ClickNeeds,
  claimed: Claimed,
  deadline: number,
): Promise<DialedFor | null | 'too_late'> {
  const finding = platformThatDials(services, claimed).then((through) => ({ through }));
  const found = await withDeadline(services.clock, deadline, finding).catch(async (error: unknown) => {
    await endDial(services, claimed, 'claim_too_late');
    throw error;
  });
  if (found !== null) return found.through;
  void endDial(services, claimed, 'claim_too_late');
  return 'too_late';
}

/**
 * Ends an attempt and says what becomes of the click. Waits only for what the click's answer depends on;
 * the rest goes on afterwards. Throws the error of a store that failed.
 */
async function conclude(
  services: CallServices,
  claimed: Claimed,
  attempted: AttemptedDial,
  { acknowledgeBy, deadline }: { acknowledgeBy: number; deadline: number },
): Promise<Outcome<DialedClick> | 'next_agent'> {
  const { clock } = services;
  if (attempted.ending === 'recorded') {
    orderDial(services, attempted.call);
    return ok({ answer: attempted.answer, replayed: false });
  }
  const { ending, error } = attempted;
  const { click } = dialEndings[ending];
  if (ending === 'unknown') {
    void resolveUnknown(services, claimed);
    return dialEndings[ending].click;
  }
  const ended = endDial(services, claimed, ending);
  if (click === 'next_agent') {
    await withDeadline(clock, deadline, ended);
    return click;
  }
  if (ending === 'ruled_out') {
    await withDeadline(clock, deadline, ended);
    return click;
  }
  // The offer may be on the screen until it expires; a click answered with failure must show nothing.
  const leftMs = acknowledgeBy - clock.now();
  if (leftMs > 0) await new Promise<void>((resolve) => clock.after(leftMs, resolve));
  if (error !== undefined) throw error;
  return click;
}
