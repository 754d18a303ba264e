import type { DuplicateReason } from '../contract/duplicates.ts';
import { nameWords } from './samePerson.ts';

/** What two contacts are compared by. */
export type Comparable = {
  name: string | null;
  organisationId: string | null;
  /** E.164 */
  phones: string[];
  /** In lower case. */
  emails: string[];
  /** Ids in the company's other system: its own, and those under which its numbers were pushed. */
  records: string[];
};

/** How much speaks for one person, and what. */
export type Likeness = { score: number; reasons: DuplicateReason[] };

/** How much each reason says. */
const weights = {
  record: 60,
  email: 50,
  phone: 40,
  name: 30,
  extension: 25,
  similar_name: 15,
  organisation: 15,
} as const satisfies Record<DuplicateReason, number>;

/** A first name alone, one name in two organisations, or one number of two with different names, says less. */
const weakened = 15;
/** What is below is not suggested. */
const enough = 30;

/**
 * Numbers that end alike are one with another country code or prefix;
 * no two subscribers of a country share so many digits.
 */
const commonDigits = 9;
/** A shorter number that another begins with is none with an extension. */
const shortestBeforeExtension = 8;
const longestExtension = 4;

/** Shorter names differ by a letter and are two names. */
const shortestSimilar = 7;
const longestWithOneSlip = 10;

/** What speaks for two contacts being one person; null: too little. */
export function likenessOf(one: Comparable, other: Comparable): Likeness | null {
  const reasons: DuplicateReason[] = [];
  if (share(one.records, other.records)) reasons.push('record');
  if (share(one.emails, other.emails)) reasons.push('email');
  if (share(one.phones.map(lastDigits), other.phones.map(lastDigits))) reasons.push('phone');
  const name = compareNames(one.name, other.name);
  if (name !== null) {
    reasons.push(name.reason);
    if (
      !reasons.includes('phone') &&
      one.phones.some((phone) => other.phones.some((another) => isExtended(phone, another)))
    )
      reasons.push('extension');
    if (one.organisationId !== null && one.organisationId === other.organisationId) reasons.push('organisation');
  }
  const isElsewhere =
    one.organisationId !== null && other.organisationId !== null && one.organisationId !== other.organisationId;
  // Whoever was given the number of somebody with another name shares it.
  const isShared =
    name === null &&
    nameWords(one.name).length > 0 &&
    nameWords(other.name).length > 0 &&
    share(one.phones, other.phones);
  const less = (name?.isOneWord === true ? weakened : 0) + (isElsewhere ? weakened : 0) + (isShared ? weakened : 0);
  const score = reasons.reduce((sum, reason) => sum + weights[reason], 0) - less;
  return score < enough ? null : { score, reasons };
}

/** Whether nothing but the name speaks for it: of a name that many people have that is too little. */
export function isNameAlone({ reasons }: Likeness): boolean {
  return reasons.length === 1 && reasons[0] === 'name';
}

function share(some: string[], others: string[]): boolean {
  return some.some((each) => each !== '' && others.includes(each));
}

/** Nothing of a number that is too short to tell. */
function lastDigits(phone: string): string {
  const digits = phone.slice(1);
  return digits.length < commonDigits ? '' : digits.slice(-commonDigits);
}

function isExtended(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  const more = longer.length - shorter.length;
  return more > 0 && more <= longestExtension && shorter.length > shortestBeforeExtension && longer.startsWith(shorter);
}

function compareNames(
  one: string | null,
  other: string | null,
): { reason: 'name' | 'similar_name'; isOneWord: boolean } | null {
  const [a, b] = [nameWords(one), nameWords(other)];
  if (a.length === 0 || b.length === 0) return null;
  const [first, second] = [a.join(' '), b.join(' ')];
  if (first === second) return { reason: 'name', isOneWord: a.length === 1 };
  const slips = slipsIn(Math.min(first.length, second.length));
  return slipsBetween(first, second, slips) <= slips ? { reason: 'similar_name', isOneWord: false } : null;
}

/** How many letters of a name may differ, by its length. */
function slipsIn(length: number): number {
  if (length < shortestSimilar) return 0;
  return length <= longestWithOneSlip ? 1 : 2;
}

/**
 * How many letters are wrong, missing, too many or changed over with the next;
 * more than `atMost` is told as `atMost + 1`.
 */
function slipsBetween(one: string, other: string, atMost: number): number {
  if (Math.abs(one.length - other.length) > atMost) return atMost + 1;
  const [a, b] = [[...one], [...other]];
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const wrong = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const candidates = [
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + wrong,
        ...(isSwapped ? [at(before, j - 2) + 1] : []),
      ];
      row.push(Math.min(...candidates));
    }
    [before, last] = [last, row];
  }
  return Math.min(at(last, b.length), atMost + 1);
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
