import type { DispositionRequest, SaveNotesRequest } from '../../../contract/calls.ts';
import { isWithin, type Principal } from '../../../domain/access.ts';
import { type Call, disposeCall, type Disposition } from '../../../domain/calls.ts';
import type { CompanySettings } from '../../../contract/companySettings.ts';
import { type AgentId, type CallId, type CompanyId, type Lease, type TaskId, toId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse, unreachable } from '../../../domain/outcome.ts';
import type { Presence } from '../../../domain/presence.ts';
import { companyTags, readTags } from '../../../domain/tags.ts';
import type { NewCallback } from '../../../domain/tasks.ts';
import { agentScopeOf } from '../../agents/agentScope.ts';
import { changePresence, changePresenceInTurn, refusedChange } from '../../agents/changePresence.ts';
import type { CallDraft } from '../../../ports/calls.ts';
import type { Services } from '../../services.ts';
import { closeCalledBack } from '../../tasks/calledBack.ts';
import type { ChangeTaskNeeds } from '../../tasks/changeTask.ts';
import { addEvents, changeCall } from './changeCall.ts';
import { findCall } from './readCalls.ts';

type AgentNeeds = Pick<Services, 'agentCard' | 'observer' | 'presence' | 'companyOf' | 'softphones'>;
type Needs = AgentNeeds &
  ChangeTaskNeeds &
  Pick<Services, 'calls' | 'clock' | 'forget' | 'ledAgents' | 'newId' | 'wakeDispatcher' | 'wakeReminders'>;

/**
 * Wraps a call up and ends the agent's wrap-up. The same disposition again is answered the same.
 * @param presence the agent's, where it was just read, to save a read
 */
export async function submitDisposition(
  services: Needs,
  principal: Principal,
  id: string,
  body: DispositionRequest,
  presence: Presence | null = null,
): Promise<Outcome<Call>> {
  const { companyId } = principal;
  const callId = toId<CallId>(id);
  const { hasTasks, settings } = await services.companyOf(companyId);
  const chosen = settings.dispositions.find((known) => known.code === body.code);
  if (chosen === undefined) return unknownCode(settings);
  const scope = await agentScopeOf(services, principal);
  const lacksTime = body.callback_at === undefined && chosen.requires_callback_at;
  const changed = await changeCall(services, companyId, callId, (call, context) => {
    if (!isWithin(scope, call.agentId)) return { kind: 'kept', why: 'not_theirs' as const };
    const tags = body.tags === undefined ? call.tags : readTags(body.tags, settings, call.tags);
    if (tags === null) return { kind: 'kept', why: 'unknown_tag' as const };
    const disposition = dispositionOf(body, chosen.label, context.at);
    const decision =
      call.erasedAt === null
        ? disposeCall(call, disposition, tags)
        : disposeCall(call, asFigure(disposition), companyTags(tags));
    if (decision.kind === 'unchanged') return { kind: 'kept', why: 'unchanged' as const };
    if (decision.kind === 'refused') return { kind: 'kept', why: decision.reason };
    // Checked only now: a repetition of a disposition that was accepted earlier gets the same answer.
    if (lacksTime && call.erasedAt === null) return { kind: 'kept', why: 'lacks_callback_at' as const };
    const callback =
      decision.next.disposition?.callbackAt == null
        ? null
        : callbackOf(services, principal, decision.next, body, settings);
    return { kind: 'changed', ...addEvents(services, decision.next, ['disposition'], context), callback };
  });
  if (changed.kind === 'wrong_company') return refuse('wrong_company', 'That call belongs to another company.');
  if (changed.kind === 'unknown') return refuse('not_found', 'There is no such call.');
  const { call } = changed.value;
  if (changed.value.kind === 'changed' && call.disposition?.callbackAt != null) {
    if (!hasTasks) services.forget(companyId);
    services.wakeReminders();
  }
  const why = changed.value.kind === 'kept' ? changed.value.why : null;
  switch (why) {
    case null:
    case 'unchanged':
      await leaveWrapUp(services, call, presence);
      await closeCalledBack(services, principal, call);
      return ok(call);
    case 'unknown_tag':
      return unknownTag(settings);
    case 'lacks_callback_at':
      return callbackTimeNeeded(chosen);
    case 'not_theirs':
      return refuse('not_found', 'This agent has no such call.');
    case 'not_ended':
      return refuse('conflict', `The call is ${call.state}; a disposition is submitted after its end.`, {
        cause: { code: 'call_not_ended' },
      });
    case 'already_submitted':
      return refuse('conflict', `The call was already wrapped up as ${call.disposition?.code ?? 'something else'}.`, {
        cause: { code: 'wrapped_up_already' },
      });
    default:
      return unreachable(why);
  }
}

async function leaveWrapUp(
  services: AgentNeeds,
  { companyId, agentId, id: callId }: Call,
  known: Presence | null,
): Promise<void> {
  const finish = { type: 'finish_wrap_up', callId } as const;
  if (
    known?.agentId === agentId &&
    (await changePresence(services, companyId, agentId, finish, known)).kind === 'changed'
  )
    return;
  // The agent's presence may not have followed the end of the call yet; then no wrap-up begins.
  await changePresenceInTurn(services, companyId, agentId, [{ type: 'end_call', callId, wrapUpMs: 0 }, finish], null);
}

function dispositionOf(body: DispositionRequest, label: string, submittedAt: Date): Disposition {
  const callbackAt = body.callback_at === undefined ? null : new Date(body.callback_at);
  return { code: body.code, label, notes: body.notes ?? null, callbackAt, submittedAt };
}

/** Of a person who was erased meanwhile: what became of the call is counted, and nothing is kept or to be done. */
function asFigure(disposition: Disposition): Disposition {
  return { ...disposition, notes: null, callbackAt: null };
}

/** Whose it becomes is for the company to say. */
function callbackOf(
  { newId }: Pick<Services, 'newId'>,
  principal: Principal,
  call: Call,
  body: DispositionRequest,
  { callback_assignee: whose }: CompanySettings,
): NewCallback {
  return {
    id: toId<TaskId>(newId()),
    title: call.screenPop?.name ?? call.caller,
    timeZone: body.callback_time_zone ?? null,
    assigneeId: whose === 'anyone' ? null : call.agentId,
    createdBy: principal.kind === 'agent' ? principal.agentId : null,
  };
}

/**
 * Keeps what an agent notes and chooses of a call, from its first ring until it is wrapped up, so that it is there on
 * another device, and for the company should nobody wrap up; nothing of a person who was erased meanwhile. Tells
 * nobody. Refuses with `not_found`, `wrong_company`, `invalid_request` (a disposition or a tag that the company does
 * not have) and, once it is wrapped up or where something was entered later (a page that was asleep tells late),
 * `conflict`.
 */
export async function saveNotes(
  services: Pick<Services, 'calls' | 'clock' | 'ledAgents' | 'companyOf'>,
  principal: Principal,
  callId: CallId,
  { notes, tags, code, callback_at: callbackAt, entered_at: enteredAt }: SaveNotesRequest,
): Promise<Outcome<null>> {
  const found = await findCall(services, principal, callId);
  if (found.kind === 'refused') return found;
  if (found.value.erasedAt !== null) return ok(null);
  const { settings } = await services.companyOf(principal.companyId);
  if (code != null && !settings.dispositions.some((known) => known.code === code)) return unknownCode(settings);
  const read = tags === undefined ? undefined : readTags(tags, settings, found.value.tags);
  if (read === null) return unknownTag(settings);
  const now = services.clock.now();
  const draft: CallDraft = {
    draftAt: new Date(enteredAt === undefined ? now : Math.min(Date.parse(enteredAt), now)),
    notesDraft: notes === null || notes.trim() === '' ? null : notes,
    ...(read === undefined ? {} : { tags: read }),
    ...(code === undefined ? {} : { codeDraft: code }),
    ...(callbackAt === undefined ? {} : { callbackDraft: callbackAt === null ? null : new Date(callbackAt) }),
  };
  const saved = await services.calls.saveDraft(principal.companyId, callId, draft);
  if (saved === 'saved') return ok(null);
  if (saved === 'older') {
    return refuse('conflict', 'Something was entered for the call later than that.', {
      cause: { code: 'entered_later' },
    });
  }
  return refuse('conflict', 'The call is wrapped up already.', { cause: { code: 'wrapped_up_already' } });
}

/** @param path where in the request the tags are */
export function unknownTag({ tags }: Pick<CompanySettings, 'tags'>, path = 'tags') {
  const codes = tags.map((known) => known.code);
  return refuse('invalid_request', 'The company has no such tag.', {
    cause: { code: 'unknown_tag' },
    errors: [{ path, message: `must be of: ${codes.join(', ')}`, code: 'unknown_choice', params: { choices: codes } }],
  });
}

/** Of a code that means to call back. */
export function callbackTimeNeeded({ code, label }: { code: string; label: string }) {
  return refuse('invalid_request', `“${label}” needs a time to call back.`, {
    cause: { code: 'callback_time_needed' },
    errors: [{ path: 'callback_at', message: `is required for ${code}`, code: 'required' }],
  });
}

export function unknownCode({ dispositions }: Pick<CompanySettings, 'dispositions'>) {
  const codes = dispositions.map((known) => known.code);
  return refuse('invalid_request', 'The company has no such disposition.', {
    cause: { code: 'unknown_disposition' },
    errors: [
      {
        path: 'code',
        message: `must be one of: ${codes.join(', ')}`,
        code: 'unknown_choice',
        params: { choices: codes },
      },
    ],
  });
}

/**
 * Lets an agent who is typing finish the wrap-up of that call, up to the company's maximum.
 * Asking again while enough time is left changes nothing.
 */
export async function extendWrapUp(
  services: AgentNeeds,
  { companyId, agentId, lease }: { companyId: CompanyId; agentId: AgentId; lease: Lease },
  callId: CallId,
): Promise<Outcome<Presence>> {
  const { wrap_up_seconds: usual, wrap_up_max_seconds: most } = (await services.companyOf(companyId)).settings;
  const maxMs = Math.max(usual, most) * 1000;
  const changed = await changePresence(services, companyId, agentId, { type: 'extend_wrap_up', callId, lease, maxMs });
  if (changed.kind === 'changed') return ok(changed.after);
  if (changed.kind === 'unchanged' && changed.current !== null) return ok(changed.current);
  return refusedChange(changed, 'extend the wrap-up of that call');
}
