import type { ChangeCallRequest, CorrectionView } from '../../../contract/calls.ts';
import type { Principal } from '../../../domain/access.ts';
import type { Call, Disposition } from '../../../domain/calls.ts';
import type { CallId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../../domain/outcome.ts';
import { type CallTag, companyTags, readTags, sameTags } from '../../../domain/tags.ts';
import type { NewCorrection, WrappedUp } from '../../../ports/calls.ts';
import type { CallServices, Services } from '../../services.ts';
import { addEvents, changeCall } from './changeCall.ts';
import { filterOf, findCall } from './readCalls.ts';
import { callbackTimeNeeded, unknownCode, unknownTag } from './wrapUp.ts';

/**
 * Attaches a recording to a call, and corrects how it was wrapped up: the webhook `disposition` and the CRM's log tell
 * it anew, and its history what it was. Nothing is written where that is so already; of a call with a person who was
 * erased, codes alone are. Refuses with `not_found`, `wrong_company`, `invalid_request` and `conflict` (the call has
 * not ended), and nothing was changed then.
 */
export async function changeRecordOf(
  services: CallServices & Pick<Services, 'ledAgents'>,
  principal: Principal,
  callId: CallId,
  { disposition, recording_url: url }: ChangeCallRequest,
): Promise<Outcome<Call>> {
  const found = await findCall(services, principal, callId);
  if (found.kind === 'refused') return found;
  if (disposition !== undefined) {
    const corrected = await correct(services, principal, callId, disposition);
    if (corrected.kind === 'refused') return corrected;
  }
  if (url !== undefined) await services.calls.attachRecording(principal.companyId, callId, url);
  return findCall(services, principal, callId);
}

/** Of one INVITE that rang at several telephones there are several calls. */
const mostOfOneInvite = 200;

/**
 * The same of the call that SIP calls so: of those that one INVITE rang at, the one that was answered, else the latest.
 * Refuses with `not_found` as well where none is.
 */
export async function changeRecordBySipCallId(
  services: CallServices & Pick<Services, 'ledAgents' | 'teams'>,
  principal: Principal,
  sipCallId: string,
  change: ChangeCallRequest,
): Promise<Outcome<Call>> {
  const filter = await filterOf(services, principal, { sip_call_id: sipCallId });
  if (filter.kind === 'refused') return filter;
  const page = { cursor: null, limit: mostOfOneInvite };
  const { items } = await services.calls.list(principal.companyId, filter.value, page);
  const call = items.find(({ answeredAt }) => answeredAt !== null) ?? items[0];
  if (call === undefined) return refuse('not_found', 'No call has that SIP Call-ID.');
  return changeRecordOf(services, principal, call.id, change);
}

async function correct(
  services: CallServices,
  principal: Principal,
  callId: CallId,
  { code, notes, tags: chosenTags }: NonNullable<ChangeCallRequest['disposition']>,
): Promise<Outcome<null>> {
  const { settings } = await services.companyOf(principal.companyId);
  const chosen = settings.dispositions.find((known) => known.code === code);
  if (chosen === undefined) return unknownCode(settings);
  const changed = await changeCall(services, principal.companyId, callId, (call, context) => {
    if (call.state !== 'ended') return { kind: 'kept', why: 'not_ended' as const };
    const before = call.disposition;
    const isErased = call.erasedAt !== null;
    if (chosen.requires_callback_at && before?.callbackAt == null && !isErased)
      return { kind: 'kept', why: 'lacks_callback_at' as const };
    const written = notes === undefined ? (before?.notes ?? null) : notes;
    const after: Disposition = {
      code,
      label: chosen.label,
      notes: isErased ? null : written,
      callbackAt: before?.callbackAt ?? null,
      submittedAt: before?.submittedAt ?? context.at,
    };
    const read = chosenTags === undefined ? call.tags : readTags(chosenTags, settings, call.tags);
    if (read === null) return { kind: 'kept', why: 'unknown_tag' as const };
    const tags = isErased ? companyTags(read) : read;
    if (before?.code === after.code && before.notes === after.notes && sameTags(call.tags, tags))
      return { kind: 'kept', why: 'unchanged' as const };
    const correction: NewCorrection = {
      id: services.newId(),
      by: principal.kind === 'agent' ? principal.agentId : null,
      before: before === null ? null : wrappedUp(before, call.tags),
      after: wrappedUp(after, tags),
    };
    return {
      kind: 'changed',
      ...addEvents(
        services,
        { ...call, disposition: after, tags, version: call.version + 1 },
        ['disposition'],
        context,
      ),
      correction,
    };
  });
  if (changed.kind !== 'found') return refuse('not_found', 'There is no such call.');
  const why = changed.value.kind === 'kept' ? changed.value.why : null;
  if (why === 'unknown_tag') return unknownTag(settings, 'disposition.tags');
  if (why === 'not_ended') {
    return refuse(
      'conflict',
      `The call is ${changed.value.call.state}; how it was wrapped up is corrected after its end.`,
      { cause: { code: 'call_not_ended' } },
    );
  }
  return why === 'lacks_callback_at' ? callbackTimeNeeded(chosen) : ok(null);
}

function wrappedUp({ code, label, notes }: Disposition, tags: readonly CallTag[]): WrappedUp {
  return { code, label, notes, tags };
}

function wrappedUpView({ tags, ...others }: WrappedUp) {
  return { ...others, tags: [...tags] };
}

/** What was changed of how a call was wrapped up, the latest first. Refuses with `not_found` and `wrong_company`. */
export async function listCorrections(
  services: Pick<Services, 'calls' | 'ledAgents'>,
  principal: Principal,
  callId: CallId,
): Promise<Outcome<{ corrections: CorrectionView[] }>> {
  const found = await findCall(services, principal, callId);
  if (found.kind === 'refused') return found;
  const listed = await services.calls.corrections(principal.companyId, callId);
  const corrections = listed.map(({ id, at, by, name, before, after }) => ({
    id,
    at: at.toISOString(),
    by: by === null || name === null ? null : { id: by, name },
    before: before === null ? null : wrappedUpView(before),
    after: wrappedUpView(after),
  }));
  return ok({ corrections });
}
