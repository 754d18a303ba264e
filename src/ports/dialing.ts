import type { SpeedDial } from '../contract/dialing.ts';
import type { DialPattern } from '../domain/doNotDial.ts';
import type { AgentId, CompanyId, ContactId } from '../domain/ids.ts';
import type { PhoneNumber } from '../domain/phones/phoneNumbers.ts';
import type { ContactScope } from './contacts.ts';
import type { Page, PageRequest } from './queryResults.ts';

/** An entry of a company's do-not-dial list. */
export type DoNotDialEntry = {
  id: string;
  pattern: DialPattern;
  note: string | null;
  /** Null: the company's own system, by its key. */
  addedBy: AgentId | null;
  createdAt: Date;
};

/** Why a number must not be dialed: the contact who does not want it, if any; and whether the company's list has it. */
export type DialBan = { contactId: ContactId | null; isListed: boolean };

/** Which entries: these, and those whose number begins so. */
export type DoNotDialFilter = { patterns: DialPattern[]; beginnings: string[] };

export interface DoNotDialStore {
  /**
   * What keeps the number from being dialed, found in one look: the company's list,
   * and the contact who has the number or was named and is seen, where it does not want to be called. Null: nothing.
   */
  ban(
    companyId: CompanyId,
    phone: PhoneNumber,
    named: { id: ContactId; scope: ContactScope } | null,
  ): Promise<DialBan | null>;
  /**
   * Puts it on the list, and answers what is there: an entry that was there before has the new note, if there is one.
   */
  add(companyId: CompanyId, entry: DoNotDialEntry): Promise<DoNotDialEntry>;
  /** Puts them all on the list, or none; how many were not there. */
  addMany(companyId: CompanyId, entries: DoNotDialEntry[]): Promise<number>;
  /** How many there are, counted to `atMost`. */
  count(companyId: CompanyId, atMost: number): Promise<number>;
  /** In the order of their numbers. Null: the cursor is none of this list. */
  list(companyId: CompanyId, filter: DoNotDialFilter | null, page: PageRequest): Promise<Page<DoNotDialEntry> | null>;
  /** Whether there was one. */
  remove(companyId: CompanyId, id: string): Promise<boolean>;
}

/** What agents' softphones keep, whichever device they are opened on. */
export interface SoftphoneKeep {
  /** The agent's own speed dials, in their order. */
  speedDials(companyId: CompanyId, agentId: AgentId): Promise<{ entries: SpeedDial[]; version: number }>;
  /** Replaces those of `version - 1`. False: they have another one. */
  replaceSpeedDials(companyId: CompanyId, agentId: AgentId, entries: SpeedDial[], version: number): Promise<boolean>;
  /** Until when missed calls have been looked at; null: none has. */
  missedSeenUntil(companyId: CompanyId, agentId: AgentId): Promise<Date | null>;
  /**
   * Missed calls that ended until then have been looked at; what was seen already stays seen.
   * Answers until when they are now.
   */
  seeMissed(companyId: CompanyId, agentId: AgentId, until: Date): Promise<Date>;
}
