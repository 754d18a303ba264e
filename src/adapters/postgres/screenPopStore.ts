import { JsonText } from '../../contract/jsonText.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { ScreenPopEntry } from '../../domain/screenPop.ts';
import type { ScreenPopStore } from '../../ports/screenPops.ts';
import { batchOf, createBatchWriter } from './batchWriter.ts';
import { isDataError } from './postgresErrors.ts';
import type { StoreParts } from './prisma.ts';
import { screenPopOf } from './statements/findScreenPop.ts';
import { writeScreenPops, type ScreenPopWrite } from './statements/upsertScreenPops.ts';
import { jsonFor, textFor } from './storableValues.ts';

const maxRows = 500;
/** Characters of JSON per statement: bounds memory when many large customers arrive at once. */
const maxWeight = 4_000_000;
/** Statements under way at once, each of another company: the other connections are for clicks. */
const companiesAtOnce = 4;

/** Pushed customers in PostgreSQL. Pushes of a company that arrive while a write of it is under way share the next one. */
export function createScreenPopStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): ScreenPopStore {
  const writer = createBatchWriter<ScreenPopWrite>({
    write: (rows) => writeScreenPops(pool, rows),
    groupOf: (row) => row.companyId,
    atOnce: companiesAtOnce,
    keyOf: (row) => row.phone,
    weightOf: (row) => row.data.length,
    maxRows,
    maxWeight,
    isRowFault: isDataError,
  });

  return {
    async upsert(companyId, entry) {
      await writer.add(writeOf(companyId, entry));
    },

    async upsertMany(companyId, entries) {
      const rows = entries.map((entry, index) => writeOf(companyId, entry, index));
      // A chunk at a time, so that single pushes need not wait behind a long list.
      for (let start = 0; start < rows.length; ) {
        const chunk = batchOf(rows.slice(start, start + maxRows), (row) => row.data.length, maxRows, maxWeight);
        await Promise.all(chunk.map((row) => writer.add(row)));
        start += chunk.length;
      }
    },

    async find(companyId, phone) {
      const row = await screenPopOf(pool, companyId, phone);
      return row === undefined ? null : { ...row, data: new JsonText(row.data) };
    },

    async forget(companyId, phone) {
      const { count } = await prisma.screenPopEntry.deleteMany({ where: { companyId, phone } });
      return count > 0;
    },
  };
}

/** Throws InvalidTextError before the row can spoil anybody's batch. */
function writeOf(companyId: CompanyId, entry: ScreenPopEntry, index: number | null = null): ScreenPopWrite {
  return {
    companyId,
    phone: entry.phone,
    data: jsonFor('data', entry.data, index),
    externalSystem: textFor('external_system', entry.externalSystem, index),
    externalId: textFor('external_id', entry.externalId, index),
    tier: textFor('tier', entry.tier, index),
  };
}
