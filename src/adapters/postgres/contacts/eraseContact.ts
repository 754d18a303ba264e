import type { Pool, PoolClient } from 'pg';
import type { ErasedCounts } from '../../../contract/eraseContact.ts';
import type { Contact, FieldEdit } from '../../../domain/contacts.ts';
import { erasureKeys, externalIdKey, type KnownBy, knownByEdits } from '../../../domain/erasureKeys.ts';
import type { ContactId } from '../../../domain/ids.ts';
import { nameKey } from '../../../domain/samePerson.ts';
import type { Erased, Erasure } from '../../../ports/contacts.ts';
import { inTransaction } from '../inTransaction.ts';
import { isDeadlock } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { addToAudit } from './auditStore.ts';
import {
  anonymizeCalls,
  anonymizeCorrections,
  blankAnswers,
  blankFirstRows,
  blankImportRows,
  blankRowsOfExternalIds,
  blankSharedRows,
  eraseCrmDeliveries,
  eraseHeardCalls,
  eraseImportKeys,
  erasePushed,
  erasePushedOf,
  eraseTasks,
  eraseTimeline,
  eraseTransferDeliveries,
  eraseWaitingEvents,
  eraseWebhookDeliveries,
  findKnownEdits,
  findOthersKeys,
  forgetHandedOn,
  forgetListNotes,
  forgetLoggedTransfers,
  forgetOffers,
  forgetSharedSpeedDials,
  forgetSpeedDials,
  idsOfContact,
  lockCallsOfContact,
  lockOffers,
  rememberErased,
  removeErased,
  unlinkDeals,
} from './eraseStatements.ts';
import { lockContacts } from './mergeContacts.ts';

/**
 * Erases the contact and what is kept of it, in one transaction. `not_written`: it has another version;
 * `on_call`: one of its calls has not ended.
 */
export async function eraseWhole(
  pool: Pool,
  contact: Contact,
  erasure: Erasure,
): Promise<Erased | 'not_written' | 'on_call'> {
  try {
    return await inTransaction(pool, (client) => erase(client, contact, erasure), {
      isUndone: (erased) => typeof erased === 'string',
    });
  } catch (error) {
    if (isDeadlock(error)) return 'not_written';
    throw error;
  }
}

async function erase(
  client: PoolClient,
  contact: Contact,
  { hashOf, id: entryId, by, at, events }: Erasure,
): Promise<Erased | 'not_written' | 'on_call'> {
  const { companyId, id } = contact;
  const [locked] = await run<{ version: number }>(client, lockContacts, [companyId, [id]]);
  if (locked?.version !== contact.version) return 'not_written';
  const ids = (await run<{ id: ContactId }>(client, idsOfContact, [companyId, id])).map((row) => row.id as string);
  const known = await knownOf(client, contact);
  const { names, phones, shared, emails, externalIds } = known;
  const found = await run<{ id: string; live: boolean }>(client, lockCallsOfContact, [companyId, ids, phones, ids]);
  const calls = found.map((call) => call.id);
  const offers =
    shared.length === 0
      ? []
      : await run<{ id: string; live: boolean }>(client, lockOffers, [companyId, shared, ids, calls]);
  if ([...found, ...offers].some(({ live }) => live)) return 'on_call';
  const count = async (...[statement, values]: [Parameters<typeof run>[1], unknown[]]) =>
    (await run(client, statement, values)).length;
  const endsOf = (numbers: readonly string[]) => numbers.map((phone) => phone.replace(/\D/g, '').slice(-9));
  const digits = endsOf(phones);
  const blanked = [
    ...(await run<{ id: string; row: number }>(client, blankImportRows, [companyId, ids, digits, [...emails, ...ids]])),
    ...(externalIds.length === 0
      ? []
      : await run<{ id: string; row: number }>(client, blankRowsOfExternalIds, [companyId, externalIds])),
    ...(shared.length === 0
      ? []
      : await run<{ id: string; row: number }>(client, blankSharedRows, [companyId, endsOf(shared), names])),
  ];
  if (offers.length > 0) await run(client, forgetOffers, [companyId, offers.map((call) => call.id), ids]);
  if (blanked.length > 0)
    await run(client, blankFirstRows, [companyId, blanked.map((each) => each.id), blanked.map(({ row }) => row)]);
  const keys = [...ids.map((each) => `c:${each}`), ...externalIds.map(externalIdKey)];
  await run(client, anonymizeCorrections, [companyId, calls]);
  for (const statement of [forgetSpeedDials, forgetSharedSpeedDials, forgetListNotes])
    await run(client, statement, [companyId, phones]);
  await run(client, eraseHeardCalls, [companyId, digits]);
  await run(client, eraseWaitingEvents, [companyId, digits]);
  const handedOn = (await run<{ id: string }>(client, forgetHandedOn, [companyId, phones])).map((call) => call.id);
  await run(client, forgetLoggedTransfers, [companyId, handedOn]);
  const counts: ErasedCounts = {
    calls: await count(anonymizeCalls, [companyId, calls, at]),
    webhook_deliveries:
      (await count(eraseWebhookDeliveries, [companyId, calls, ids])) +
      (await count(eraseTransferDeliveries, [companyId, handedOn])),
    crm_deliveries: await count(eraseCrmDeliveries, [companyId, calls]),
    pushed_records:
      (await count(erasePushed, [companyId, phones])) +
      (shared.length === 0
        ? 0
        : await count(erasePushedOf, [
            companyId,
            shared,
            externalIds,
            emails,
            names.map((each) => each.toLowerCase()),
          ])),
    tasks: await count(eraseTasks, [companyId, ids, phones, calls]),
    deals: await count(unlinkDeals, [companyId, ids, names, at]),
    import_rows: blanked.length,
    import_keys: await count(eraseImportKeys, [
      companyId,
      keys,
      [...phones, ...emails],
      shared,
      names.map(nameKey).filter((key) => key !== ''),
      externalIds,
    ]),
    answers: await count(blankAnswers, [companyId, [...ids, ...calls, ...phones, ...emails]]),
    timeline_entries: await count(eraseTimeline, [companyId, id]),
  };
  await run(client, rememberErased, [companyId, erasureKeys(known).map((key) => hashOf(companyId, key)), at]);
  const [event] = events;
  await run(client, removeErased, [companyId, id, event?.id ?? null, event?.event ?? null, event?.body ?? null, at]);
  await addToAudit(client, companyId, {
    id: entryId,
    kind: 'contact_erased',
    contactId: id,
    otherId: null,
    by,
    counts,
    at,
  });
  return { counts, remembered: { phones: phones.length, emails: emails.length, externalIds: externalIds.length } };
}

/**
 * What the person is known by, and was: but for what another contact was known by since.
 * A number that another contact has is that one's, too.
 */
async function knownOf(client: PoolClient, { companyId, id, name, externalId, ...contact }: Contact): Promise<KnownBy> {
  const former = knownByEdits(await run<FieldEdit>(client, findKnownEdits, [companyId, id]));
  const numbers = [...new Set([...contact.phones.map(({ phone }) => phone), ...former.phones])];
  const others = await run<{ key: string }>(client, findOthersKeys, [
    companyId,
    id,
    numbers,
    former.emails,
    former.externalIds,
  ]);
  const taken = new Set(others.map(({ key }) => key));
  const all = (now: string[], before: string[]) => [...new Set([...now, ...before.filter((key) => !taken.has(key))])];
  return {
    names: all(name === null ? [] : [name], former.names),
    phones: numbers.filter((phone) => !taken.has(phone)),
    shared: numbers.filter((phone) => taken.has(phone)),
    emails: all(
      contact.emails.map(({ email }) => email),
      former.emails,
    ),
    externalIds: all(externalId === null ? [] : [externalId], former.externalIds),
  };
}
