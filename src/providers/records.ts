import { type Json, type JsonObject, numberIn, textIn, textOf, textsIn, unreadable } from './answers.ts';
import type { CrmRecord } from './provider.ts';

/** How providers make records of what they read of people. */

/**
 * What of a record is kept at most, as of those that are pushed by the API: characters,
 * and how many numbers and details.
 */
const most = { text: 500, id: 500, tier: 200, detail: 200, url: 2_048, phone: 64, phones: 20, details: 50 };
/** What no database keeps: NUL, and halves of characters. */
const unkept = /[\0\p{Cs}]/u;
const allUnkept = new RegExp(unkept, 'gu');

type Value = Json | undefined;

/** Where the parts of a record lie in an answer; what is left out the provider does not have. */
type Parts = {
  object: string;
  id: Value;
  name: Value;
  email: Value;
  phones: Value[];
  accountNumber?: Value;
  tier?: Value;
  details: Record<string, Value>;
  url?: string | null;
  openTickets?: Value;
};

/**
 * A record of an answer or a notice. Longer texts than a push may bring are cut, with … at their end;
 * numbers and links are left out. Throws `UnreadableAnswer` where it has no id, or one that is too long.
 */
export function recordFrom({
  object,
  id,
  name,
  email,
  phones,
  accountNumber,
  tier,
  details,
  url = null,
  openTickets,
}: Parts): CrmRecord {
  const known = textOf(id, `the id of a record (${object})`);
  return {
    object,
    id:
      known.length > most.id || unkept.test(known)
        ? unreadable(`Expected an id of at most ${most.id} characters (${object}).`)
        : known,
    name: shortened(textIn(name), most.text),
    email: shortened(textIn(email), most.text),
    phones: textsIn(...phones)
      .filter((phone) => phone.length <= most.phone)
      .slice(0, most.phones),
    accountNumber: shortened(textIn(accountNumber), most.text),
    tier: shortened(textIn(tier), most.tier),
    details: detailsOf(details),
    url: url === null || url.length > most.url || unkept.test(url) ? null : url,
    ...(openTickets === undefined ? {} : { openTickets: numberIn(openTickets) }),
  };
}

function shortened<T extends string | null>(text: T, length: number): T | string {
  const whole = text?.replace(allUnkept, '') ?? null;
  if (whole === null || whole.length <= length) return whole as T;
  return `${whole.slice(0, length - 1).replace(/\p{Cs}$/u, '')}…`;
}

/** What is there of the details, each cut to 200 characters. */
function detailsOf(values: Record<string, Value>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .slice(0, most.details)
      .flatMap(([name, value]) => {
        const detail = shortened(textIn(value), most.detail);
        return detail === null ? [] : [[shortened(name, most.detail), detail]];
      }),
  );
}

/** The first and last name in one text; null where both are missing. */
export function fullName(...parts: Value[]): string | null {
  return textIn(
    parts
      .map(textIn)
      .filter((part) => part !== null)
      .join(' '),
  );
}

/** The user with exactly that e-mail address, in whatever case. @param addressOf where it lies; `email` usually */
export function userWith(
  email: string,
  users: JsonObject[],
  addressOf = (user: JsonObject) => user.email,
): JsonObject | undefined {
  return users.find((user) => textIn(addressOf(user))?.toLowerCase() === email.toLowerCase());
}
