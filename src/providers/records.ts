import { type Json, type JsonObject, numberIn, textIn, textOf, textsIn } from './answers.ts';
import type { CrmRecord } from './provider.ts';

/** How providers make records of what they read of people. */

/** The longest field that a record's details keep. Characters. */
const maxDetail = 200;

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

/** A record of an answer or a notice. Throws `UnreadableAnswer` where it has no id. */
export function recordFrom({ object, id, name, email, phones, accountNumber, tier, details, url = null, openTickets }: Parts): CrmRecord {
  return {
    object,
    id: textOf(id, `the id of a record (${object})`),
    name: textIn(name),
    email: textIn(email),
    phones: textsIn(...phones),
    accountNumber: textIn(accountNumber),
    tier: textIn(tier),
    details: detailsOf(details),
    url,
    ...(openTickets === undefined ? {} : { openTickets: numberIn(openTickets) }),
  };
}

/** What is there of the details, each cut to 200 characters. */
function detailsOf(values: Record<string, Value>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const detail = textIn(value);
      return detail === null ? [] : [[name, detail.slice(0, maxDetail)]];
    }),
  );
}

/** The first and last name in one text; null where both are missing. */
export function fullName(...parts: Value[]): string | null {
  return textIn(parts.map(textIn).filter((part) => part !== null).join(' '));
}

/** The user with exactly that e-mail address, in whatever case. @param addressOf where it lies; `email` usually */
export function userWith(email: string, users: JsonObject[], addressOf = (user: JsonObject) => user.email): JsonObject | undefined {
  return users.find((user) => textIn(addressOf(user))?.toLowerCase() === email.toLowerCase());
}
