import { type Answer, FakeServer } from '../http/fakeServer.ts';

export { type Answer, type Fault, type Heard, html, json } from '../http/fakeServer.ts';

/** Somebody whom a CRM knows. Phone numbers as a person typed them there. */
export type Person = {
  name: string;
  email: string | null;
  phone: string | null;
  mobile?: string;
  accountNumber?: string;
  tier?: string;
  openTickets?: number;
};

/** A call as the CRM keeps it. */
export type LoggedCall = {
  id: string;
  personId: string | null;
  text: string;
  /** The provider's own fields. */ fields: Record<string, unknown>;
};

/** A notice of the provider, as it would arrive. */
export type Notice = { method: string; headers: Record<string, string>; body: string };

/**
 * A CRM on this machine, which enforces what the real one enforces and speaks as it speaks. Subclasses answer;
 * what goes wrong, and when, is decided here.
 */
export abstract class FakeCrm extends FakeServer {
  /** The provider's id. */
  abstract readonly id: string;
  /** What authenticates here. */
  abstract readonly credentials: Record<string, string>;
  /** What does not. */
  abstract readonly wrongCredentials: Record<string, string>;
  readonly logged: LoggedCall[] = [];

  /** Knows somebody from now on. Resolves with the record's id. */
  abstract addPerson(person: Person): string;
  /** Every access token given so far is refused from now on. Does nothing where there are none. */
  abstract expireTokens(): void;
  /** The account may not do that any more. */
  abstract forbid(ability: 'pull' | 'write_back'): void;
  /** What the provider says when it is asked too much, in its own words and headers. */
  abstract tooMany(): Answer;
  /** What it says to a log entry that it does not take. */
  abstract refusedEntry(): Answer;
  /**
   * Tells of a person as the provider's own webhook does, signed as it signs, by code of its own.
   * @param at the notice's time
   * @param url where it goes, for those who sign that, too
   */
  abstract notice(personId: string, secret: string, at: Date, url: string): Notice;
  /** A secret as the provider or the gateway would issue it. */
  abstract readonly noticeSecret: string;
}
