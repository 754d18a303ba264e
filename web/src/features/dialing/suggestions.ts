import type { CallSummary } from '../../../../src/contract/calls.ts';
import type { ColleagueView } from '../../../../src/contract/colleagues.ts';
import type { FoundContact } from '../../../../src/contract/crmSearch.ts';
import type { SpeedDial } from '../../../../src/contract/dialing.ts';
import { mentions, mentionsNumber } from '../../shared/foldText.ts';

/** Somebody whom what was typed may mean. */
export type Suggestion = {
  kind: 'speed' | 'contact' | 'recent' | 'colleague';
  name: string | null;
  /** E.164 */
  phone: string;
  /** What else tells who it is. */
  detail: string | null;
  /** A contact who does not want to be called. */
  isUnwilling: boolean;
};

/** What was found of each kind. */
export type Found = {
  speedDials: readonly SpeedDial[];
  contacts: readonly FoundContact[];
  calls: readonly Pick<CallSummary, 'phone' | 'customer_name'>[];
  colleagues: readonly ColleagueView[];
};

/** As many as are looked over at a glance. */
const shownAtMost = 8;
const dialable = /^\+[1-9]\d{4,14}$/;

/**
 * Whom the agent may mean: first whom they have kept, then the company's contacts, the own calls,
 * colleagues whose extension is a number; each number once.
 */
export function suggestionsFor(typed: string, { speedDials, contacts, calls, colleagues }: Found): Suggestion[] {
  const all: Suggestion[] = [
    ...speedDials
      .filter(({ name, phone_number: phone }) => fits(typed, name, phone))
      .map(({ name, phone_number: phone }) => ({
        kind: 'speed' as const,
        name,
        phone,
        detail: null,
        isUnwilling: false,
      })),
    ...contacts.flatMap(({ name, phone_number: phone, organisation, email, do_not_call: isUnwilling }) =>
      phone === null
        ? []
        : [{ kind: 'contact' as const, name, phone, detail: organisation?.name ?? email, isUnwilling }],
    ),
    ...calls.flatMap(({ phone, customer_name: name }) =>
      phone !== null && fits(typed, name, phone)
        ? [{ kind: 'recent' as const, name, phone, detail: null, isUnwilling: false }]
        : [],
    ),
    ...colleagues.flatMap(({ name, extension }) =>
      extension !== null && dialable.test(extension)
        ? [{ kind: 'colleague' as const, name, phone: extension, detail: null, isUnwilling: false }]
        : [],
    ),
  ];
  const known = new Set<string>();
  return all.filter(({ phone }) => !known.has(phone) && known.add(phone)).slice(0, shownAtMost);
}

/** Whether what was typed means this name or number; of numbers without the zeros that a country puts before them. */
export function fits(typed: string, name: string | null, phone: string): boolean {
  const words = typed.trim().split(/\s+/);
  return mentionsNumber(phone, typed.replace(/^[\s(]*(?:00|0)?/, '')) || words.every((word) => mentions([name], word));
}
