import type { CrmScreenPop, TransferOffer } from '../../../contract/socket.ts';
import type { Call } from '../../../domain/calls.ts';
import type { AgentCard } from '../../../domain/company.ts';
import { changePresence } from '../../agents/changePresence.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import type { CallServices, Services } from '../../services.ts';
import { extensionOf } from '../../telephony/extensions.ts';
import { isoTime } from '../../views/agentViews.ts';
import { acknowledgeWithinMs } from '../click/claimAgent.ts';
import type { EndingOf } from '../click/dialEndings.ts';
import type { Claimed } from '../click/dialFate.ts';
import { recordCall } from '../click/recordCall.ts';
import { callPop } from '../lifecycle/callPop.ts';
import { addEvents } from '../lifecycle/changeCall.ts';
import { newCall } from '../lifecycle/newCall.ts';

/** How long after the deadline the record may still come. Milliseconds. */
const recordGraceMs = 600;

export type AttemptedTransfer =
  | { ending: 'recorded'; call: Call; agent: AgentCard }
  /** That softphone takes no such calls; nothing was shown. */
  | { ending: 'unable' }
  | { ending: 'unknown' }
  /** `error`: a store failed; only where nothing was sent to be recorded. */
  | { ending: Exclude<EndingOf<'offer' | 'confirm' | 'record'>, 'recorded' | 'unknown'>; error?: Error };

/**
 * One attempt at a claimed colleague, as `attemptDial` makes it for a click: shows the customer, waits until the
 * softphone says that it may ring, reserves the colleague for that ring, and records the call. Never rejects.
 * @param call the one that is handed on
 * @param deadline milliseconds since the epoch
 */
export async function attemptTransfer(
  services: CallServices & Pick<Services, 'agents' | 'demoCarrier' | 'telephony'>,
  claimed: Claimed,
  { call, deadline }: { call: Call; deadline: number },
): Promise<AttemptedTransfer> {
  const { clock, observer, softphones } = services;
  let failed: 'unconfirmed' | 'not_sent' = 'unconfirmed';
  try {
    const theirs = await withDeadline(clock, deadline, callOf(services, claimed, call));
    if (theirs === null) return { ending: 'unconfirmed' };
    const timeoutMs = Math.max(0, Math.min(acknowledgeWithinMs, deadline - clock.now()));
    const { pop, offer } = messagesOf(services, claimed, theirs, timeoutMs);
    const shown = await withDeadline(clock, deadline, softphones.offerTransfer(claimed, pop, offer, timeoutMs));
    const outcome = shown?.kind ?? 'unreachable';
    if (outcome === 'unable') return { ending: outcome };
    observer.offer(outcome);
    if (outcome !== 'acknowledged') return { ending: outcome };
    if (claimed.sessionId === null) return { ending: 'overtaken' };

    const command = { type: 'await_ring', claimId: claimed.claimId, sessionId: claimed.sessionId } as const;
    const awaited = await withDeadline(
      clock,
      deadline,
      changePresence(services, claimed.companyId, claimed.agentId, command, claimed),
    );
    if (awaited === null) return { ending: 'unconfirmed' };
    if (awaited.kind !== 'changed') return { ending: 'overtaken' };

    failed = 'not_sent';
    const context = await withDeadline(clock, deadline, contextOf(services, claimed));
    if (context === null) return { ending: 'not_sent' };
    const started = addEvents(services, theirs, ['call_started'], { ...context, at: theirs.createdAt });
    const ending = await recordCall(services, started, deadline + recordGraceMs);
    return ending === 'recorded' ? { ending, call: started.call, agent: context.agent } : { ending };
  } catch (error) {
    return { ending: failed, error: error instanceof Error ? error : new Error('a store failed', { cause: error }) };
  }
}

/** The colleague's call: with the same customer, as it was shown to the agent who hands it on. */
async function callOf(
  services: Parameters<typeof attemptTransfer>[0],
  { companyId, agentId, callId }: Claimed,
  call: Call,
): Promise<Call> {
  const [card, giver] = await Promise.all([
    services.agentCard(companyId, call.agentId),
    services.agents.find(companyId, call.agentId),
  ]);
  const extension = giver.kind === 'found' ? await extensionOf(services, giver.value) : null;
  const from = { agent_id: card.id, agent_code: card.agentCode, name: card.name, extension, notes: call.notesDraft };
  const { campaignId, caller, contactId, externalId, metadata, phone } = call;
  return newCall(
    {
      id: callId,
      companyId,
      agentId,
      direction: 'inbound',
      trigger: 'transfer',
      phone,
      caller,
      dialedNumber: call.dialedNumber,
      queue: call.queue,
      screenPop: call.screenPop ?? {},
      at: new Date(services.clock.now()),
      transfer: { parentCallId: call.id, from },
    },
    { campaignId, contactId, externalId, metadata },
  );
}

async function contextOf(services: CallServices, { companyId, agentId }: Claimed) {
  const [company, agent] = await Promise.all([services.companyOf(companyId), services.agentCard(companyId, agentId)]);
  return { company, agent };
}

function messagesOf(
  services: Pick<Services, 'newId' | 'presence'>,
  claimed: Claimed,
  call: Call,
  timeoutMs: number,
): { pop: CrmScreenPop; offer: TransferOffer } {
  if (call.transferredFrom === null) throw new Error('a call that is handed on says by whom');
  const screenPop = call.screenPop ?? {};
  const about = {
    claim_id: claimed.claimId,
    // A softphone that gets this after the offer was given up shows nothing.
    expires_at: isoTime(Math.min(claimed.expiresAt ?? 0, services.presence.now() + timeoutMs)),
  };
  const caller = call.caller === null ? {} : { caller: call.caller };
  return {
    pop: { ...callPop(services, call, { found: Object.keys(screenPop).length > 0, screenPop }), ...about },
    offer: { call_id: call.id, phone_number: call.phone, ...caller, from: call.transferredFrom, ...about },
  };
}
