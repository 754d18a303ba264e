/** What was typed for a call that is not wrapped up yet. `callback`: as the field holds it, local time. */
export type WrapUpDraft = { code: string; notes: string; callback: string };

export const emptyDraft: WrapUpDraft = { code: '', notes: '', callback: '' };

const keyOf = (callId: string) => `readyline.wrap-up.${callId}`;

/** Kept with the tab, so that neither a reload nor the end of the countdown loses a word. */
export function readDraft(callId: string): WrapUpDraft {
  const text = sessionStorage.getItem(keyOf(callId));
  return text === null ? emptyDraft : { ...emptyDraft, ...(JSON.parse(text) as Partial<WrapUpDraft>) };
}

export function keepDraft(callId: string, draft: WrapUpDraft): void {
  sessionStorage.setItem(keyOf(callId), JSON.stringify(draft));
}

export function dropDraft(callId: string): void {
  sessionStorage.removeItem(keyOf(callId));
}

/** Whether something was typed for this call that has not been submitted. */
export function hasDraft(callId: string): boolean {
  return sessionStorage.getItem(keyOf(callId)) !== null;
}
