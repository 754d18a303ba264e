import type { PopField } from '../../../contract/popLayout.ts';
import type { PopLayoutStore } from '../../../ports/popLayouts.ts';
import type { StoreParts } from '../pool.ts';
import { run } from '../queries.ts';

/** $1 company id. No row: nothing was ever set. Every softphone asks at every connect. */
export const findPopLayout = {
  name: 'find_pop_layout',
  text: 'SELECT fields, version, updated_at AS "updatedAt" FROM pop_layout WHERE company_id = $1',
};

/** How screen pops are arranged, in PostgreSQL. */
export function createPopLayoutStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): PopLayoutStore {
  return {
    async find(companyId) {
      const [row] = await run<{ fields: PopField[]; version: number; updatedAt: Date }>(pool, findPopLayout, [
        companyId,
      ]);
      return row ?? { fields: [], version: 0, updatedAt: null };
    },

    async save(companyId, { fields, version, updatedAt }) {
      const data = { fields, version, updatedAt };
      const { count } =
        version === 1
          ? await prisma.popLayout.createMany({ data: { companyId, ...data }, skipDuplicates: true })
          : await prisma.popLayout.updateMany({ where: { companyId, version: version - 1 }, data });
      return count > 0;
    },
  };
}
