import type { CodeWithLabel } from '../../../src/contract/values.ts';
import { standardReasons, type systemReasons } from '../../../src/contract/vocabulary.ts';

/** Reasons that the gateway gives, as the agent and a supervisor read them. */
const given: Readonly<Record<(typeof systemReasons)[number], string>> = {
  login: 'Just logged in',
  delivery_failed: 'A call did not arrive',
  rejected: 'A call was declined',
  no_answer: 'A call was not answered',
  connection_lost: 'Connection lost',
  supervisor: 'Set by a supervisor',
};
const givenWords = new Map<string, string>(Object.entries(given));

/** The Not Ready reasons that a person may choose from: the standard ones, then the company's own, each once. */
export function reasonChoices(own: readonly CodeWithLabel[]): CodeWithLabel[] {
  const known = new Set(own.map(({ code }) => code));
  const missing = standardReasons.filter((code) => !known.has(code));
  return [...missing.map((code) => ({ code, label: sentence(code) })), ...own];
}

/** The words for a reason, whoever gave it; null: there are none for that code. */
export function reasonLabel(code: string, own: readonly CodeWithLabel[]): string | null {
  return reasonChoices(own).find((reason) => reason.code === code)?.label ?? givenWords.get(code) ?? null;
}

/** A reason for a person: in words, or else its code. */
export function reasonText(code: string, own: readonly CodeWithLabel[]): string {
  return reasonLabel(code, own) ?? sentence(code);
}

/** `not_interested` → `Not interested`. */
function sentence(code: string): string {
  const words = code.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
