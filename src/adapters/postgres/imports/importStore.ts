import { type CompanyId, type ImportId, lastId, type OrganisationId } from '../../../domain/ids.ts';
import type { Contact } from '../../../domain/contacts.ts';
import type { Import, RawRow } from '../../../domain/imports.ts';
import type { ImportedRow, ImportStore, UndoableRow } from '../../../ports/imports.ts';
import { keyValues } from '../calls/idempotencyStore.ts';
import { Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { pageOf, run } from '../queries.ts';
import { isStorableText, textFor } from '../storableValues.ts';
import {
  addImportRows,
  addPushedRows,
  cancelImport,
  createImport,
  failImport,
  findCustomers,
  findImport,
  findReached,
  leaseImport,
  listImportBatch,
  listImports,
  listWrittenRows,
  pruneImports,
  releaseImports,
  updateImport,
} from './importStatements.ts';
import { countNewContacts } from './contactStatistics.ts';
import { findKnownContacts, findOrganisationsNamed, findWidest } from './knownContacts.ts';
import { undoBatch, writeBatch } from './writeBatch.ts';

/** Imports in PostgreSQL. */
export function createImportStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): ImportStore {
  const found = async (companyId: CompanyId, id: ImportId) =>
    (await run<Import>(pool, findImport, [companyId, id]))[0] ?? null;

  return {
    create: async (one, atMost) => (await run(pool, createImport, [...valuesOf(one), atMost])).length > 0,

    async addRows(companyId, id, rows) {
      const storable = rows.map(({ row, cells }) => ({
        row,
        cells: cells.map((cell) => (isStorableText(cell) ? cell : cell.replace(/\p{Cs}/gu, '\ufffd'))),
      }));
      return (await run(pool, addImportRows, [companyId, id, JSON.stringify(storable)])).length > 0;
    },

    find: found,

    async list(companyId, { cursor, limit }) {
      return pageOf(
        await run<Import>(pool, listImports, [companyId, cursor ?? lastId, limit + 1]),
        limit,
        (one) => one,
      );
    },

    update: async (one, dueAt, remember) =>
      (await run(pool, updateImport, [...valuesOf(one), one.version, dueAt, ...keyValues(remember)])).length > 0,

    cancel: async (companyId, id, at) => (await run<Import>(pool, cancelImport, [companyId, id, at]))[0] ?? null,

    remove: async (companyId, id) =>
      (await prisma.import.deleteMany({ where: { companyId, id, dueAt: null } })).count > 0,

    batch: (companyId, id, after, { rows, characters }) =>
      run<RawRow>(pool, listImportBatch, [companyId, id, after, rows, characters]),

    async rows(companyId, importId, after, limit, which) {
      const ofOutcome = which === undefined ? {} : { outcome: which };
      const those = which === 'with_remarks' ? { remarks: { not: Prisma.DbNull } } : ofOutcome;
      const rows = await prisma.importRow.findMany({
        where: { companyId, importId, row: { gt: after }, ...those },
        select: { row: true, cells: true, outcome: true, reason: true, remarks: true, contactId: true },
        orderBy: { row: 'asc' },
        take: limit,
      });
      return rows as ImportedRow[];
    },

    addPushed: async (companyId, id, limit) =>
      (await run<{ count: number }>(pool, addPushedRows, [companyId, id, limit]))[0]?.count ?? 0,

    lease: async (holder, now, until) => (await run<Import>(pool, leaseImport, [holder, now, until]))[0] ?? null,

    async release(holder, now) {
      await run(pool, releaseImports, [holder, now]);
    },

    async fail(companyId, id, holder, again, now) {
      await run(pool, failImport, [companyId, id, holder, again, now]);
    },

    async failuresOf(companyId, id) {
      const where = { companyId_id: { companyId, id } };
      return (await prisma.import.findUnique({ where, select: { failures: true } }))?.failures ?? 0;
    },

    async known(companyId, { ids, externalIds, phones, emails }) {
      const numbers = [
        phones.map(({ phone }) => phone),
        phones.map(({ name }) => (name === null || isStorableText(name) ? name : null)),
      ];
      return run<Contact>(pool, findKnownContacts, [
        companyId,
        ids,
        externalIds.filter(isStorableText),
        numbers[0],
        emails.filter(isStorableText),
        numbers[1],
      ]);
    },

    customers: (companyId, id, pass, keys) => run(pool, findCustomers, [companyId, id, pass, keys]),

    reached: async (companyId, id, rows) =>
      rows.length === 0 ? [] : run<Contact & { row: number }>(pool, findReached, [companyId, id, rows]),

    async organisationsNamed(companyId, names) {
      return names.length === 0
        ? []
        : run<{ id: OrganisationId; name: string }>(pool, findOrganisationsNamed, [
            companyId,
            names.map((name) => name.toLowerCase()),
          ]);
    },

    widest: async (companyId) =>
      (await run<{ phones: number; emails: number }>(pool, findWidest, [companyId]))[0] ?? { phones: 1, emails: 1 },

    async write(batch) {
      const result = await writeBatch(pool, batch);
      const { created } = batch.import.counts;
      if (result === 'written' && batch.writes) {
        await countNewContacts(
          pool,
          created - batch.rows.filter(({ outcome }) => outcome === 'created').length,
          created,
        );
      }
      return result;
    },

    async written(companyId, id, after, limit) {
      const rows = await run<Omit<UndoableRow, 'before'> & { before: StoredContact | null }>(pool, listWrittenRows, [
        companyId,
        id,
        after,
        limit,
      ]);
      return rows.map((row) => ({ ...row, before: row.before === null ? null : readContact(row.before) }));
    },

    undo: (batch) => undoBatch(pool, batch),

    prune: async (before, uploadsBefore, limit) =>
      (await run(pool, pruneImports, [before, uploadsBefore, limit])).length,
  };
}

/** As it was kept, in JSON. */
type StoredContact = Omit<Contact, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string };

function readContact({ createdAt, updatedAt, ...contact }: StoredContact): Contact {
  return { ...contact, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}

function valuesOf(one: Import): unknown[] {
  return [
    one.companyId,
    one.id,
    one.state,
    one.source,
    textFor('file_name', one.fileName),
    one.agentId,
    one.delimiter,
    one.encoding,
    one.hasHeader,
    JSON.stringify(one.firstRow.map((text) => text.replace(/\p{Cs}/gu, '\ufffd'))),
    JSON.stringify(one.mapping),
    one.defaultCountry,
    one.rowCount,
    one.position,
    one.pass,
    JSON.stringify(one.counts),
    one.createdAt,
    one.updatedAt,
    one.finishedAt,
    one.samples === null ? null : JSON.stringify(one.samples),
    one.firstRowNumber,
  ];
}
