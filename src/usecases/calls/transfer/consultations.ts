import type { Call, CallReport } from '../../../domain/calls.ts';
import type { CallServices } from '../../services.ts';
import { changeCall } from '../lifecycle/changeCall.ts';

// A colleague who is asked about a call before it is handed on has a call of their own meanwhile. Where the
// customer stayed with the agent who asked, it ends as `consulted`: it needs no wrap-up, and the CRM has
// nothing to be told of it.

/** Whether the end of this call may be that of a question alone. */
export function mayBeConsultation(call: Call, { endDetail, state }: Pick<CallReport, 'endDetail' | 'state'>): boolean {
  return (
    state === 'ended' &&
    endDetail === undefined &&
    call.state !== 'ended' &&
    call.parentCallId !== null &&
    call.answeredAt !== null
  );
}

/**
 * Whether the customer has stayed with the agent who asked, or with nobody.
 * Not where that agent's softphone is away, which may be yet to tell of the transfer: then the colleague wraps up.
 */
export async function wasConsultation(
  services: Pick<CallServices, 'calls' | 'presence'>,
  { companyId, parentCallId }: Call,
): Promise<boolean> {
  if (parentCallId === null) return false;
  const parent = await services.calls.find(companyId, parentCallId);
  if (parent.kind !== 'found') return false;
  const { agentId, endReason, state } = parent.value;
  if (state === 'ended') return endReason !== 'transferred';
  return (await services.presence.find(companyId, agentId))?.connection === 'connected';
}

/** A call was handed on after all, and the colleague's was over before that was known. */
export async function noteHandOver(services: CallServices, { companyId, id }: Call): Promise<void> {
  for (const other of await services.calls.conversation(companyId, id)) {
    if (other.parentCallId !== id || other.endDetail !== 'consulted') continue;
    await changeCall(services, companyId, other.id, (call) =>
      call.endDetail === 'consulted'
        ? { kind: 'changed', call: { ...call, endDetail: null, version: call.version + 1 }, events: [] }
        : { kind: 'kept', why: 'noted' as const },
    );
  }
}
