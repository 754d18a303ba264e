import { mostTags } from '../../../../src/contract/callRules.ts';
import type { CallSummary, CallTag } from '../../../../src/contract/calls.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';
import { fromLocalInput, toLocalInput } from '../../shared/localInput.ts';
import { tagTexts } from '../../shared/tagTexts.ts';
import { entered, hasDraft, keyOf, waiting } from './keptDrafts.ts';

/**
 * What was entered for a call that is not wrapped up yet. It is kept with the tab, word by word, and by the gateway as
 * soon as the typing pauses: for another device, and for the company should nobody wrap up. `callback`: as the field
 * holds it, local time.
 */
export type WrapUpDraft = { code: string; notes: string; callback: string; tags: readonly CallTag[] };

/**
 * `isSaved`: the gateway has it, too. `enteredAt`: milliseconds by the gateway's clock;
 * null: a gateway of before, which is not told.
 */
type KeptDraft = WrapUpDraft & { isSaved: boolean; enteredAt: number | null };

const emptyDraft: WrapUpDraft = { code: '', notes: '', callback: '', tags: [] };
/**
 * A draft is saved when its typing pauses for so long,
 * and tried again after so long where nobody answers. Milliseconds.
 */
const [pauseMs, againMs] = [1_000, 5_000];

/**
 * What was entered so far: here, or on another device where that was later;
 * then with the words from here that the gateway never got.
 */
export function readDraft(call: CallSummary): WrapUpDraft {
  const kept = keptDraft(call.id);
  // Gateways of before know notes alone, or not when they were entered.
  const {
    code_draft: code,
    callback_at_draft: callbackAt,
    notes_draft: notes,
    draft_at: draftAt,
    tags,
  } = call as Partial<CallSummary>;
  const told = { code: code ?? '', notes: notes ?? '', callback: toLocalInput(callbackAt ?? ''), tags: tags ?? [] };
  if (kept === null) return told;
  const isOlder = draftAt != null && kept.enteredAt !== null && kept.enteredAt < Date.parse(draftAt);
  if (!isOlder && (!kept.isSaved || code === undefined || entered.has(call.id))) return kept;
  return kept.isSaved ? told : joined(told, kept);
}

function joined(later: WrapUpDraft, earlier: WrapUpDraft): WrapUpDraft {
  const hasAll = later.notes.includes(earlier.notes.trim());
  return {
    code: later.code === '' ? earlier.code : later.code,
    notes: hasAll ? later.notes : [later.notes, earlier.notes].filter((text) => text !== '').join('\n'),
    callback: later.callback === '' ? earlier.callback : later.callback,
    tags: [...later.tags, ...earlier.tags.filter(({ label }) => !later.tags.some((tag) => tag.label === label))].slice(
      0,
      mostTags,
    ),
  };
}

/** Keeps what has been entered. @param now milliseconds by the gateway's clock */
export function changeDraft(call: CallSummary, change: Partial<WrapUpDraft>, now: number): void {
  const isTimed = (call as Partial<CallSummary>).draft_at !== undefined;
  keep(call.id, { ...readDraft(call), ...change, isSaved: false, enteredAt: isTimed ? now : null });
  entered.add(call.id);
  saveIn(pauseMs, call.id);
}

/** Saves nothing of this call while it is being wrapped up: afterwards the gateway would refuse it. */
export async function withoutSaving(callId: string, wrapUp: () => Promise<void>): Promise<void> {
  clearTimeout(waiting.get(callId));
  waiting.delete(callId);
  try {
    await wrapUp();
  } catch (error) {
    saveIn(pauseMs, callId);
    throw error;
  }
}

/** Another page has the softphone from now on: what it enters counts, should this one get it back. */
export function handOverDrafts(): void {
  saveAtOnce();
  entered.clear();
}

/**
 * Saves what waits for a pause: who is typing turns to something else, perhaps to another device.
 * @param isLeaving the page is going
 */
export function saveAtOnce(isLeaving = false): void {
  for (const [callId, timer] of waiting) {
    clearTimeout(timer);
    waiting.delete(callId);
    void save(callId, isLeaving);
  }
}

function saveIn(ms: number, callId: string): void {
  clearTimeout(waiting.get(callId));
  const timer = setTimeout(() => {
    waiting.delete(callId);
    void save(callId, false);
  }, ms);
  waiting.set(callId, timer);
}

async function save(callId: string, isLeaving: boolean): Promise<void> {
  const draft = keptDraft(callId);
  if (draft === null) return;
  const text = sessionStorage.getItem(keyOf(callId));
  try {
    await put(callId, draft, isLeaving);
    // Unless something was entered meanwhile.
    if (sessionStorage.getItem(keyOf(callId)) === text) keep(callId, { ...draft, isSaved: true });
  } catch (error) {
    // What is refused is so the next time, too: the call is wrapped up, or another agent's.
    const isRefused = error instanceof ApiProblem && error.status >= 400 && error.status < 500;
    if (!isRefused && hasDraft(callId) && !waiting.has(callId)) saveIn(againMs, callId);
  }
}

async function put(
  callId: string,
  { code, notes, callback, tags, enteredAt }: KeptDraft,
  isLeaving: boolean,
): Promise<void> {
  const path = `/api/calls/${callId}/notes`;
  const words = {
    notes: notes === '' ? null : notes,
    ...(enteredAt === null ? {} : { entered_at: new Date(enteredAt).toISOString() }),
  };
  const callbackAt = fromLocalInput(callback);
  try {
    await api.put(
      path,
      {
        ...words,
        tags: tagTexts(tags),
        code: code === '' ? null : code,
        callback_at: callbackAt === '' ? null : callbackAt,
      },
      { isLeaving },
    );
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'invalid_request') throw error;
    // Gateways of before keep notes alone; or the company has a tag or a disposition no more.
    await api.put(path, words, { isLeaving });
  }
}

function keptDraft(callId: string): KeptDraft | null {
  const text = sessionStorage.getItem(keyOf(callId));
  return text === null
    ? null
    : { ...emptyDraft, isSaved: false, enteredAt: null, ...(JSON.parse(text) as Partial<KeptDraft>) };
}

function keep(callId: string, draft: KeptDraft): void {
  sessionStorage.setItem(keyOf(callId), JSON.stringify(draft));
}
