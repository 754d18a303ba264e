import type { SpeedDial } from '../../../contract/dialing.ts';
import type { SoftphoneKeep } from '../../../ports/dialing.ts';
import type { StoreParts } from '../pool.ts';
import { run } from '../queries.ts';
import { textFor } from '../storableValues.ts';

/** What softphones keep, in PostgreSQL. An agent who has kept nothing yet has no row. */
export function createSoftphoneKeep({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): SoftphoneKeep {
  const find = (companyId: string, agentId: string) =>
    prisma.agentSoftphone.findUnique({ where: { companyId_agentId: { companyId, agentId } } });

  return {
    async speedDials(companyId, agentId) {
      const row = await find(companyId, agentId);
      return row === null
        ? { entries: [], version: 0 }
        : { entries: row.speedDials as SpeedDial[], version: row.speedDialVersion };
    },

    async replaceSpeedDials(companyId, agentId, entries, version) {
      for (const [index, { name }] of entries.entries()) textFor('name', name, index);
      return (await run(pool, keepSpeedDials, [companyId, agentId, JSON.stringify(entries), version])).length === 1;
    },

    missedSeenUntil: async (companyId, agentId) => (await find(companyId, agentId))?.missedSeenAt ?? null,

    async seeMissed(companyId, agentId, until) {
      const [row] = await run<{ seenUntil: Date }>(pool, noteMissedSeen, [companyId, agentId, until]);
      if (row === undefined) throw new Error('what was seen is noted');
      return row.seenUntil;
    },
  };
}

/**
 * $1 company id, $2 agent id, $3 the list as JSON, $4 its version.
 * Writes nothing where the stored one is not of the version before.
 */
export const keepSpeedDials = {
  name: 'keep_speed_dials',
  text: `INSERT INTO agent_softphone AS kept (company_id, agent_id, speed_dials, speed_dial_version)
  SELECT $1::uuid, $2::uuid, $3::text::jsonb, $4::int
  WHERE $4 = 1 OR EXISTS (SELECT FROM agent_softphone WHERE company_id = $1 AND agent_id = $2)
  ON CONFLICT (company_id, agent_id) DO UPDATE SET speed_dials = excluded.speed_dials,
    speed_dial_version = excluded.speed_dial_version
    WHERE kept.speed_dial_version = $4 - 1
  RETURNING agent_id`,
};

/** $1 company id, $2 agent id, $3 until when. */
export const noteMissedSeen = {
  name: 'note_missed_seen',
  text: `INSERT INTO agent_softphone AS kept (company_id, agent_id, missed_seen_at) VALUES ($1, $2, $3)
  ON CONFLICT (company_id, agent_id) DO UPDATE
    SET missed_seen_at = greatest(kept.missed_seen_at, excluded.missed_seen_at)
  RETURNING missed_seen_at AS "seenUntil"`,
};
