import { withoutMarks } from './direction.ts';

/** Fewer digits are a house number or a year, more are no phone number. */
const fewest = 5;
const most = 17;
/** So many are no day and time either. */
const surely = 7;

/**
 * Digits as people write phone numbers, with what stands between them;
 * a plus, two zeros or a parenthesis may be before.
 */
const spelled = /(?:\+|\()?\d(?:[\s.\-/()\u00a0\u2010-\u2015]*\d)*/g;

/** `24.11.2025`, `11/24/25`, `2025-11-24`. */
const date = /^(?:\d{1,2}([./-])\d{1,2}\1(?:\d{2}|\d{4})|\d{4}-\d{2}-\d{2})$/;

/**
 * The phone number in a text that was copied from somewhere, as it is spelled there: of `Tel.: 0151/234-567 (priv.)` it
 * is `0151/234-567`. Of several the first. Null: there is none.
 */
export function pastedNumber(text: string): string | null {
  // A code of a PBX, which has a meaning of its own.
  if (/[*#]/.test(text)) return null;
  const address = /(?:tel|callto|sips?):(\+?[\d().\-/ ]+)/i.exec(text)?.[1];
  if (address !== undefined && isNumber(address)) return address.trim();
  const lines = plainDigits(withoutMarks(text)).split(/[\n\r\t;,|]|\s{2,}/);
  const found = lines
    .flatMap((line) => line.match(spelled) ?? [])
    .flatMap(apart)
    .map(closed)
    .filter((each) => isNumber(each) && !date.test(each));
  return found.find((each) => digitsOf(each) >= surely) ?? found[0] ?? null;
}

/** Two numbers with a stroke between them. */
function apart(found: string): string[] {
  return digitsOf(found) > most ? found.split(/\s+[/\u2013-]\s+/) : [found];
}

/** Whether a text holds words beside a number: what is looked for is a name or an address. */
export function isWords(text: string): boolean {
  return /[\p{L}@]/u.test(text) && pastedNumber(text) === null;
}

function isNumber(text: string): boolean {
  return digitsOf(text) >= fewest && digitsOf(text) <= most;
}

function digitsOf(text: string): number {
  return text.replace(/\D/g, '').length;
}

/** Without a parenthesis that is never opened or closed, as of `(0151) 234-567)`. */
function closed(found: string): string {
  return (found.match(/\(/g) ?? []).length === (found.match(/\)/g) ?? []).length
    ? found
    : found.replaceAll(/[()]/g, ' ').trim();
}

/** Full-width and Arabic digits as those that telephones have. */
function plainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));
}
