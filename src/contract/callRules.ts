import { isWithheld, plainOf } from './phoneText.ts';
import type { CrmCandidate, ScreenPop } from './screenPops.ts';
import type { Direction } from './vocabulary.ts';

/** What of a call that is over decides how it counts. The same rules for the gateway and its pages. */
export type CallCourse = {
  direction: Direction;
  wasAnswered: boolean;
  /** Why, more closely than the end reason. */
  endDetail: string | null;
};

/** Somebody called, and this agent did not talk to them. */
export function rangInVain({ direction, wasAnswered }: CallCourse): boolean {
  return direction === 'inbound' && !wasAnswered;
}

/** Why a call that rang in vain was not missed: another telephone took it, or the agent has passed it on to one. */
export const notMissed: readonly string[] = ['answered_elsewhere', 'passed_on'];

/**
 * Somebody called, and nobody talked to them: declined, unanswered, or given up by the caller;
 * not where another telephone took the call, or was named to the network (`notMissed`).
 */
export function isMissed(course: CallCourse): boolean {
  return rangInVain(course) && !notMissed.includes(course.endDetail ?? '');
}

/**
 * Whether the agent is to say what became of it: not of a call that rang in vain, or recorded and never dialed,
 * or in which a colleague only asked.
 */
export function asksForWrapUp(course: CallCourse): boolean {
  return !rangInVain(course) && course.endDetail !== 'not_dialed' && course.endDetail !== 'consulted';
}

/** How many tags a call may have, and how long one is that is the agent's own. Characters. */
export const [mostTags, longestTag] = [20, 60];

/** A line of the company by its number (E.164, or what the PBX calls it) and its name. */
export type CompanyLine = { name: string; phone_number: string };

/** What the company calls the line that a customer called; null: it has no name for it. */
export function lineName(lines: readonly CompanyLine[], dialedNumber: string | null): string | null {
  const sought = dialedNumber?.toLowerCase();
  return lines.find(({ phone_number: number }) => number.toLowerCase() === sought)?.name ?? null;
}

const longest = 64;

/**
 * What the network told of a caller whose number cannot be dialed, in one line, at most 64 characters;
 * null: it was withheld.
 */
export function callerText(told: string): string | null {
  const line = told.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').trim();
  if (line === '' || isWithheld(plainOf(line))) return null;
  return [...line].slice(0, longest).join('');
}

/** The name that the network told of a caller; null: none, or only that it is withheld. */
export function callerName(told: string | null | undefined): string | null {
  return told == null || callerText(told) === null ? null : told;
}

/** The `object` of a candidate that is a contact of the built-in CRM; no CRM calls its records so. */
export const contactObject = 'builtin_contact';

/** Whether the candidate is a contact of the built-in CRM, and no record of another one. */
export function isContactCandidate({ object }: Pick<CrmCandidate, 'object'>): boolean {
  return object === contactObject;
}

/**
 * Which of several records with the number is the customer: of a CRM's the one that `external_object` and
 * `external_id` name, of contacts of the built-in CRM the one that `contact_id` names. Null: nobody has chosen, or
 * there is nothing to choose from.
 */
export function chosenCandidate({
  candidates,
  contact_id,
  external_id,
  external_object,
}: Pick<ScreenPop, 'candidates' | 'contact_id' | 'external_id' | 'external_object'>): CrmCandidate | null {
  return (
    candidates?.find((one) =>
      isContactCandidate(one) ? one.id === contact_id : one.id === external_id && one.object === external_object,
    ) ?? null
  );
}
