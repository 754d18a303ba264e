import type { PoolClient } from 'pg';
import type { Contact } from '../../../domain/contacts.ts';
import type { AgentId, CompanyId } from '../../../domain/ids.ts';
import {
  createContacts,
  createOrganisations,
  updateContacts,
  writeEmails,
  writeEntries,
  writePhones,
} from '../contacts/writeContacts.ts';
import { run } from '../queries.ts';

/** A contact as it is to be, and what its timeline says of it. */
export type ContactWrite = {
  contact: Contact;
  isNew: boolean;
  entry: { id: string; kind: 'imported' | 'edited'; edits: unknown[] };
};

type Written = {
  companyId: CompanyId;
  organisations: { id: string; name: string }[];
  at: Date;
  by: AgentId;
  text: string;
  /** What the entries are about. */
  recordId: string;
};

/**
 * Writes contacts with all that hangs on them, inside of a transaction. False: one was changed meanwhile;
 * the transaction is to be rolled back.
 */
export async function writeContacts(
  client: PoolClient,
  writes: readonly ContactWrite[],
  { companyId, organisations, at, by, text, recordId }: Written,
): Promise<boolean> {
  if (organisations.length > 0)
    await run(client, createOrganisations, [companyId, JSON.stringify(organisations.map((each) => ({ ...each, at })))]);
  const made = writes
    .filter(({ isNew }) => isNew)
    .map(({ contact }) => ({
      ...rowOf(contact),
      emails: contact.emails.map(({ email, ...rest }, at0) => ({ email, ...placed(rest, at0) })),
    }));
  if (made.length > 0) await run(client, createContacts, [companyId, JSON.stringify(made)]);
  const changed = writes.filter(({ isNew }) => !isNew).map(({ contact }) => rowOf(contact));
  if (
    changed.length > 0 &&
    (await run(client, updateContacts, [companyId, JSON.stringify(changed)])).length < changed.length
  )
    return false;
  const ids = writes.filter(({ isNew }) => !isNew).map(({ contact }) => contact.id);
  const phones = writes.flatMap(({ contact }) =>
    contact.phones.map(({ phone, ...rest }, at0) => ({ phone, ...hung(contact, rest, at0) })),
  );
  if (phones.length > 0 || ids.length > 0) await run(client, writePhones, [companyId, JSON.stringify(phones), ids]);
  const emails = writes
    .filter(({ isNew }) => !isNew)
    .flatMap(({ contact }) =>
      contact.emails.map(({ email, ...rest }, at0) => ({ email, ...hung(contact, rest, at0) })),
    );
  if (ids.length > 0) await run(client, writeEmails, [companyId, JSON.stringify(emails), ids]);
  const entries = writes.map(({ contact, entry }) => ({ contact_id: contact.id, ...entry }));
  if (entries.length > 0) await run(client, writeEntries, [companyId, JSON.stringify(entries), at, by, text, recordId]);
  return true;
}

type Marked = { label: string | null; isPrimary: boolean };

function hung({ id }: Contact, marked: Marked, index: number) {
  return { contact_id: id, ...placed(marked, index) };
}

function placed({ label, isPrimary }: Marked, index: number) {
  return { label, is_primary: isPrimary, position: index + 1 };
}

function rowOf(contact: Contact) {
  const {
    id,
    name,
    organisation,
    owner,
    tags,
    tier,
    language,
    timeZone,
    notes,
    doNotCall,
    externalId,
    fields,
    version,
    createdAt,
    updatedAt,
  } = contact;
  return {
    id,
    name,
    organisation_id: organisation?.id ?? null,
    owner_id: owner?.id ?? null,
    tags,
    tier,
    language,
    time_zone: timeZone,
    notes,
    do_not_call: doNotCall,
    external_id: externalId,
    fields,
    version,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
