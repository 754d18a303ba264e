import type { Pool, PoolClient } from 'pg';
import { type Contact, type ContactContent, editsOf } from '../../../domain/contacts.ts';
import type { ContactId } from '../../../domain/ids.ts';
import { behindAll, endsAs, type JudgedRow, type WorkState } from '../../../domain/imports.ts';
import { nameKey } from '../../../domain/samePerson.ts';
import type { BatchResult, RowBatch, UndoableRow, UndoBatch } from '../../../ports/imports.ts';
import { findErased } from '../contacts/eraseStatements.ts';
import { findNewSharers, firstIdAfter, holdAllNumbers } from '../contacts/holdNumbers.ts';
import { inTransaction } from '../inTransaction.ts';
import { brokenReference, isDeadlock, takenIndex } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { type ContactWrite, writeContacts } from './contactRows.ts';
import {
  addCustomers,
  advanceImport,
  countFollowers,
  forgetCustomers,
  lockTouched,
  markFollowers,
  markRows,
  markUndone,
  raiseVersions,
  removeContacts,
} from './importStatements.ts';

/** Thrown to roll a batch back. */
class RolledBack extends Error {
  readonly result: BatchResult;
  constructor(result: BatchResult) {
    super(result);
    this.result = result;
  }
}

/**
 * Writes what the rows of a batch are to become, with the import's place: all of it in one transaction,
 * so that nothing is done twice.
 */
export function writeBatch(pool: Pool, batch: RowBatch): Promise<BatchResult> {
  return asOne(pool, async (client) => {
    const { import: one, rows, writes, organisations, hashes, at, newId } = batch;
    await advance(client, batch);
    const { companyId, id, pass, agentId, fileName } = one;
    if (writes) await holdAgainst(client, batch);
    const written = (writes ? [...customersOf(rows).values()] : []).map(({ first, last }): ContactWrite => {
      const { before, contactId } = first;
      const contact: Contact = {
        ...last,
        companyId,
        id: contactId,
        version: (before?.version ?? 0) + 1,
        createdAt: before?.createdAt ?? at,
        updatedAt: at,
      };
      return {
        contact,
        isNew: before === null,
        entry: { id: newId(), kind: 'imported', edits: before === null ? [] : editsOf(before, last) },
      };
    });
    const all = {
      companyId,
      organisations,
      at,
      by: agentId,
      text: fileName,
      recordId: id,
    };
    if (!(await writeContacts(client, written, all))) throw new RolledBack('conflict');
    // After the numbers are taken: whoever erases somebody with one of them is done by now, or waits.
    if (writes && hashes.length > 0 && (await run(client, findErased, [companyId, hashes])).length > 0)
      throw new RolledBack('conflict');
    const versions = new Map(written.map(({ contact }) => [contact.id, contact.version]));
    const writers = await writersOf(client, batch, versions);
    const marks = rows.map(({ row, outcome, reason, remarks, contactId, before }) => {
      const version = contactId === null || writers.get(contactId) !== row ? undefined : versions.get(contactId);
      const isKnown = contactId !== null && (versions.has(contactId) || before !== null);
      return {
        row,
        outcome,
        reason,
        remarks: remarks.length === 0 ? null : remarks,
        contact_id: isKnown ? contactId : null,
        before: version === undefined ? null : before,
        contact_version: version ?? null,
      };
    });
    await run(client, markRows, [companyId, id, JSON.stringify(marks)]);
    const keyed = rows.flatMap(({ keys, row, sameAs, externalId, name }) =>
      keys.map((kept) => ({ ...kept, row: sameAs ?? row, external_id: externalId, name })),
    );
    if (keyed.length > 0) await run(client, addCustomers, [companyId, id, pass, JSON.stringify(keyed)]);
    if (isOver(batch)) await run(client, forgetCustomers, [companyId, id]);
  });
}

type WrittenRow = JudgedRow & { contactId: ContactId; after: ContactContent };

/** What rows write, by contact: the first of each, which has what was there before, and what the last one leaves. */
function customersOf(rows: readonly JudgedRow[]): Map<ContactId, { first: WrittenRow; last: ContactContent }> {
  const customers = new Map<ContactId, { first: WrittenRow; last: ContactContent }>();
  for (const row of rows) {
    const { after, contactId } = row;
    if (after === null || contactId === null) continue;
    customers.set(contactId, { first: customers.get(contactId)?.first ?? { ...row, after, contactId }, last: after });
  }
  return customers;
}

/**
 * Nobody makes a contact from here on until the batch is written.
 * In conflict where somebody was made since it was judged who can be one of its customers.
 */
async function holdAgainst(client: PoolClient, { import: { companyId }, rows, judgedBy }: RowBatch): Promise<void> {
  await run(client, holdAllNumbers, [companyId]);
  const given = rows.flatMap(({ after, before }) =>
    (after?.phones ?? []).flatMap(({ phone }) =>
      before?.phones.some((each) => each.phone === phone) === true
        ? []
        : [{ phone, name: nameKey(after?.name ?? null) === '' ? null : after?.name }],
    ),
  );
  if (given.length === 0) return;
  const made = rows.flatMap(({ contactId }) => contactId ?? []);
  const since = await run(client, findNewSharers, [
    companyId,
    JSON.stringify(given),
    [...judgedBy.contacts, ...made],
    firstIdAfter(judgedBy.from),
  ]);
  if (since.length > 0) throw new RolledBack('conflict');
}

/**
 * Which row keeps what a contact held before: the first of the import that wrote it, of this batch or of one before.
 */
async function writersOf(
  client: PoolClient,
  { import: { companyId, id }, rows, writes }: RowBatch,
  versions: ReadonlyMap<ContactId, number>,
): Promise<Map<ContactId, number>> {
  const customers = writes ? customersOf(rows) : new Map<ContactId, { first: WrittenRow }>();
  const added = [...customers].flatMap(([contactId, { first }]) =>
    first.sameAs === null ? [] : [{ contact_id: contactId, version: versions.get(contactId) }],
  );
  const before =
    added.length === 0
      ? []
      : await run<{ id: ContactId }>(client, raiseVersions, [companyId, id, JSON.stringify(added)]);
  const earlier = new Set(before.map((row) => row.id));
  return new Map(
    [...customers].flatMap(([contactId, { first }]) =>
      earlier.has(contactId) ? [] : [[contactId, first.row] as const],
    ),
  );
}

const changedSince = { message: 'was changed since', column: null, code: 'changed_since' } as const;

/** Takes a batch of written rows back, in one transaction with the import's place. */
export function undoBatch(pool: Pool, batch: UndoBatch): Promise<BatchResult> {
  return asOne(pool, async (client) => {
    const { import: one, rows, at, newId } = batch;
    const { companyId, id, agentId, fileName } = one;
    const now = await run<{ id: ContactId; version: number; isTouched: boolean }>(client, lockTouched, [
      companyId,
      rows.map(({ contactId }) => contactId),
      id,
    ]);
    const current = new Map(now.map((each) => [each.id, each]));
    const untouched = rows.filter(({ contactId, version, before }) => {
      const found = current.get(contactId);
      return found !== undefined && found.version === version && (before !== null || !found.isTouched);
    });
    const undone = new Set(untouched.map(({ row }) => row));
    const followers = new Map(
      (
        await run<{ id: ContactId; count: number }>(client, countFollowers, [
          companyId,
          id,
          rows.map(({ contactId }) => contactId),
        ])
      ).map((each) => [each.id, each.count]),
    );
    const withFollowers = (list: readonly UndoableRow[]) =>
      list.reduce((sum, { contactId }) => sum + 1 + (followers.get(contactId) ?? 0), 0);
    const counts = {
      ...one.counts,
      undone: one.counts.undone + withFollowers(untouched),
      left: one.counts.left + withFollowers(rows.filter(({ row }) => !undone.has(row))),
    };
    await advance(client, { ...batch, import: { ...one, counts } });
    const restored = untouched.flatMap(({ before, contactId, version }): ContactWrite[] => {
      if (before === null) return [];
      const contact: Contact = { ...before, companyId, id: contactId, version: version + 1, updatedAt: at };
      return [{ contact, isNew: false, entry: { id: newId(), kind: 'imported', edits: [] } }];
    });
    if (
      !(await writeContacts(client, restored, {
        companyId,
        organisations: [],
        at,
        by: agentId,
        text: fileName,
        recordId: id,
      }))
    )
      throw new RolledBack('conflict');
    const made = untouched.flatMap(({ before, contactId }) => (before === null ? [contactId] : []));
    if (made.length > 0) await run(client, removeContacts, [companyId, made]);
    const marks = rows.map(({ row, contactId }) => ({
      row,
      contact_id: contactId,
      ...(undone.has(row) ? { outcome: 'undone', reason: null } : { outcome: 'left', reason: changedSince }),
    }));
    await run(client, markUndone, [companyId, id, JSON.stringify(marks)]);
    await run(client, markFollowers, [companyId, id, JSON.stringify(marks)]);
  });
}

/** Nobody else may have gone on meanwhile. First, so that the row is locked for the rest. */
async function advance(
  client: PoolClient,
  { import: one, holder, from, leaseUntil, at }: Pick<RowBatch, 'import' | 'holder' | 'from' | 'leaseUntil' | 'at'>,
): Promise<void> {
  const { companyId, id, position, counts, state } = one;
  const over = isOver({ import: one });
  const next = over ? endsAs[state as WorkState] : state;
  const moved = await run(client, advanceImport, [
    companyId,
    id,
    holder,
    from,
    position,
    JSON.stringify(counts),
    next,
    over ? null : leaseUntil,
    at,
  ]);
  if (moved.length === 0) throw new RolledBack('lost');
}

function isOver({ import: { position } }: Pick<RowBatch, 'import'>): boolean {
  return position === behindAll;
}

async function asOne(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<BatchResult> {
  try {
    await inTransaction(pool, work);
    return 'written';
  } catch (error) {
    if (error instanceof RolledBack) return error.result;
    if (isConflict(error)) return 'conflict';
    throw error;
  }
}

/** Somebody else wrote the same external id or contact at this moment, or names a contact that is to be removed. */
function isConflict(error: unknown): boolean {
  return isDeadlock(error) || takenIndex(error) !== null || brokenReference(error) !== null;
}
