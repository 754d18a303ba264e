import { v7 as newId } from 'uuid';
import type { CompanyId } from '../../../domain/ids.ts';
import type { CrmNoticeStore, LeasedNotice, NoticeTaken } from '../../../ports/crmInbound.ts';
import type { StoreParts } from '../pool.ts';
import { run } from '../queries.ts';
import {
  addNotices,
  finishNotice,
  findNoticeState,
  leaseNotices,
  measureNotices,
  pruneNotices,
  putOffNotice,
  releaseAllNotices,
  releaseNotices,
} from './crmNoticeStatements.ts';

/** A company may have so many records waiting, and beyond that what one more request tells of. */
export const waitAtMost = 10_000;

/** Records that are to be read, in PostgreSQL. */
export function createCrmNoticeStore({
  pool,
  prisma,
  clock,
}: Pick<StoreParts, 'pool' | 'prisma' | 'clock'>): CrmNoticeStore {
  return {
    async add(companyId, provider, references) {
      const ids = references.map(({ id }) => id);
      const objects = references.map(({ object }) => object);
      const values = [companyId, provider, objects, ids, newId(), new Date(clock.now()), waitAtMost];
      const rows = await run<{ taken: NoticeTaken }>(pool, addNotices, values);
      return rows.length < references.length ? null : rows.map(({ taken }) => taken);
    },

    async withdraw(companyId, provider, { object, id }) {
      // Whoever reads it finds out when it has read it.
      await prisma.crmNotice.deleteMany({ where: { companyId, provider, object, recordId: id } });
    },

    async lease({ holder, limit, now, leaseUntil }) {
      const rows = await run<LeasedRow>(pool, leaseNotices, [holder, limit, now, leaseUntil]);
      return rows.map(({ companyId, provider, object, recordId, version, tries }) => ({
        companyId: companyId as CompanyId,
        provider,
        reference: { object, id: recordId },
        version,
        tries,
      }));
    },

    finish: async (holder, notice) =>
      (await run(pool, finishNotice, [...keyOf(holder, notice), notice.version])).length === 1,

    async stateOf(holder, notice) {
      const [found] = await run<{ waits: boolean }>(pool, findNoticeState, keyOf(holder, notice));
      if (found === undefined) return 'lost';
      return found.waits ? 'waiting' : 'withdrawn';
    },

    async putOff(holder, notice, restUntil) {
      await run(pool, putOffNotice, [...keyOf(holder, notice), notice.version, restUntil]);
    },

    async release(holder, companyId, restUntil) {
      await run(pool, releaseNotices, [companyId, holder, restUntil ?? null]);
    },

    async releaseAll() {
      await run(pool, releaseAllNotices, []);
    },

    async backlog(now) {
      const [row] = await run<BacklogRow>(pool, measureNotices, [now]);
      if (row === undefined) throw new Error('a count has no row');
      const { due, resting, held_back, due_age, resting_age, held_back_age } = row;
      return {
        records: { due, resting, held_back },
        oldestSeconds: { due: due_age, resting: resting_age, held_back: held_back_age },
      };
    },

    prune: (before, limit) => run<{ companyId: CompanyId; provider: string }>(pool, pruneNotices, [before, limit]),
  };
}

/** $1 company id, $2 holder, $3 provider, $4 object, $5 record id. */
function keyOf(holder: string, { companyId, provider, reference }: LeasedNotice): unknown[] {
  return [companyId, holder, provider, reference.object, reference.id];
}

type LeasedRow = {
  companyId: string;
  provider: string;
  object: string;
  recordId: string;
  version: string;
  tries: number;
};
type BacklogRow = Record<'due' | 'resting' | 'held_back' | 'due_age' | 'resting_age' | 'held_back_age', number>;
