import { api } from '../../lib/gateway/api.ts';

/** Notes are saved when their typing pauses for so long. Milliseconds. */
const pauseMs = 1_000;

const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Has the gateway keep what is noted of a call, for another device and for the company; this tab keeps it by itself. */
export function saveNotesSoon(callId: string, notes: string): void {
  forgetNotes(callId);
  const save = () => {
    waiting.delete(callId);
    // What fails is saved with the next letter, and with the wrap-up at the latest.
    api.put(`/api/calls/${callId}/notes`, { notes: notes === '' ? null : notes }).catch(() => undefined);
  };
  waiting.set(callId, setTimeout(save, pauseMs));
}

/** Saves no more of what was typed. */
export function forgetNotes(callId: string): void {
  clearTimeout(waiting.get(callId));
  waiting.delete(callId);
}
