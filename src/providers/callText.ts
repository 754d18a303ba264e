import { type Json, type JsonObject, textIn } from './answers.ts';
import type { FinishedCall } from './finishedCall.ts';

/** What a person reads of a call in the CRM, in English: CRM systems are shared by people of several languages. */

/** Longest title of all providers, and longest line but for notes. Characters. */
const maxTitle = 200;

/** `Inbound call – Resolved`, or how it ended where nobody said more. */
export function callTitle(call: FinishedCall): string {
  const { direction, disposition } = call;
  const kind = direction === 'inbound' ? 'Inbound call' : 'Outbound call';
  return shortened(`${kind} – ${disposition?.label ?? endingOf(call)}`, maxTitle);
}

/**
 * The agent's notes, then the facts; lines of plain text.
 * The last line marks the call, so that its entry is found again.
 * @param maxLength in characters; longer notes are cut
 */
export function callBody(call: FinishedCall, maxLength = 30_000): string {
  const { direction, disposition, agent, from, to, startedAt, durationSeconds } = call;
  const lines = [
    `Direction: ${direction}`,
    `From: ${from}`,
    `To: ${to}`,
    ...(lineText(call) === null ? [] : [`Line: ${lineText(call)}`]),
    ...(call.queue == null ? [] : [`Queue: ${call.queue}`]),
    `Agent: ${agent.name}`,
    `Started: ${startedAt.toISOString()}`,
    `Duration: ${durationText(durationSeconds)}`,
    ...(call.transferredFrom == null ? [] : [`Handed on by: ${call.transferredFrom}`]),
    `Result: ${resultText(call)}`,
    ...(disposition === null ? [] : [`Disposition: ${disposition.label}`]),
    ...(tagsText(call) === null ? [] : [`Tags: ${tagsText(call)}`]),
  ].map((line) => shortened(line, maxTitle));
  const facts = [...lines, callMark(call)].join('\n');
  const notes = call.notes?.trim() ?? '';
  if (notes === '') return facts;
  return `${shortened(notes, maxLength - facts.length - 2)}\n\n${facts}`;
}

/** `Sales Germany (+4930123456)`, or the number alone; null: no line was told. */
function lineText({ dialedNumber = null, line = null }: FinishedCall): string | null {
  return line === null ? dialedNumber : `${line} (${dialedNumber})`;
}

/** `Completed`, `Transferred to +14155551212` */
function resultText(call: FinishedCall): string {
  const { transferredTo = null } = call;
  return transferredTo === null ? endingOf(call) : `${endingOf(call)} to ${transferredTo}`;
}

function endingOf({ endReason, endDetail }: FinishedCall): string {
  if (endDetail === 'answered_elsewhere') return 'Answered elsewhere';
  return endDetail === 'passed_on' ? 'Passed on' : endings[endReason];
}

/** `Price, Complaint`; null: it has no tags. */
export function tagsText({ tags = [] }: Pick<FinishedCall, 'tags'>): string | null {
  return tags.length === 0 ? null : tags.join(', ');
}

/** The same as HTML. */
export function callHtml(call: FinishedCall, maxLength?: number): string {
  return escapeHtml(callBody(call, maxLength)).replaceAll('\n', '<br>');
}

/** A text inside of HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A text of at most so many characters (UTF-16), with an ellipsis where it was cut; no character is cut in two. */
export function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength
    ? text
    : `${text.slice(0, Math.max(0, maxLength - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Stands in what is written into a CRM, and in nothing else. */
export function callMark({ id }: Pick<FinishedCall, 'id'>): string {
  return `Readyline call ${id}`;
}

/**
 * The entry in one of whose texts this call's mark stands; that of a call whose id only begins alike does not count.
 */
export function markedEntry(
  entries: JsonObject[],
  call: FinishedCall,
  textsOf: (entry: JsonObject) => (Json | undefined)[],
): JsonObject | undefined {
  const mark = callMark(call);
  return entries.find((entry) =>
    textsOf(entry).some((text) =>
      textIn(text)
        ?.split(mark)
        .slice(1)
        .some((rest) => !/^[\w-]/.test(rest)),
    ),
  );
}

/** `2026-11-21 10:15:00`, in UTC. */
export function utcTime(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

/** A day before a call: from then on its entry is looked for, however far clocks are apart. */
export function dayBefore({ startedAt }: FinishedCall): Date {
  return new Date(startedAt.getTime() - 86_400_000);
}

/** `3 min 3 s` */
function durationText(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const endings: Record<FinishedCall['endReason'], string> = {
  completed: 'Completed',
  transferred: 'Transferred',
  busy: 'Busy',
  no_answer: 'No answer',
  missed: 'Missed',
  rejected: 'Rejected',
  canceled: 'Canceled',
  failed: 'Failed',
};
