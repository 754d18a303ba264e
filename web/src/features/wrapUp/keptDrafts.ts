/**
 * Which calls have a draft on this page; the page begins with it, and has what reads and saves drafts (drafts.ts)
 * before the first call.
 */

/** Where the tab keeps the draft of a call. */
export const keyOf = (callId: string) => `readyline.wrap-up.${callId}`;
/** Drafts that are saved when their typing pauses, by call. */
export const waiting = new Map<string, ReturnType<typeof setTimeout>>();
/** Calls of which something was entered since the page was loaded, or took the softphone over. */
export const entered = new Set<string>();

/** Whether something was entered here for this call that has not been submitted. */
export function hasDraft(callId: string): boolean {
  return sessionStorage.getItem(keyOf(callId)) !== null;
}

/** The call is wrapped up, or left as it is. */
export function dropDraft(callId: string): void {
  clearTimeout(waiting.get(callId));
  waiting.delete(callId);
  entered.delete(callId);
  sessionStorage.removeItem(keyOf(callId));
}
