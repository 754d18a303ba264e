import type { Pool } from 'pg';
import type { TelephonyMode } from '../../../contract/vocabulary.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import { ok } from '../../../domain/outcome.ts';
import type { Telephony, TelephonyStore } from '../../../ports/telephony.ts';
import type { Telephony as StoredTelephony } from '../generated/client.ts';
import { type StoreParts, transactionPatience } from '../pool.ts';
import { run } from '../queries.ts';

/** Telephony settings in PostgreSQL. */
export function createTelephonyStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): TelephonyStore {
  return {
    async find(companyId) {
      return readTelephony(await telephonyOf(pool, companyId));
    },

    async save(companyId, decide) {
      return prisma.$transaction(async (tx) => {
        // The company's row is locked, as the settings may have no row yet.
        // Inserts that only refer to the company, such as calls, need not wait.
        await tx.$queryRaw`SELECT 1 FROM company WHERE id = ${companyId}::uuid FOR NO KEY UPDATE`;
        const current = readTelephony(await tx.telephony.findUnique({ where: { companyId } }));
        const decision = decide(current);
        if (decision.kind === 'refused') return decision;
        const change = decision.value;
        if (Object.keys(change).length === 0) return ok(current);
        const where = { companyId };
        return ok(
          readTelephony(await tx.telephony.upsert({ where, create: { companyId, ...change }, update: change })),
        );
      }, transactionPatience);
    },
  };
}

/** $1 company id. No row: nothing was ever set. */
export const findTelephony = {
  name: 'find_telephony',
  text: `SELECT mode, sip_wss_url AS "sipWssUrl", sip_domain AS "sipDomain",
    ice_servers_encrypted AS "iceServersEncrypted", no_answer_seconds AS "noAnswerSeconds",
    desk_phone_scheme AS "deskPhoneScheme", call_id_header AS "callIdHeader",
    dialed_number_header AS "dialedNumberHeader", updated_at AS "updatedAt"
  FROM telephony WHERE company_id = $1`,
};

type TelephonyRow = Omit<StoredTelephony, 'companyId'>;

/** The company's telephony settings, if they were ever set. */
async function telephonyOf(pool: Pool, companyId: CompanyId): Promise<TelephonyRow | undefined> {
  const [row] = await run<TelephonyRow>(pool, findTelephony, [companyId]);
  return row;
}

const nothingSet: Telephony = {
  mode: 'none',
  sipWssUrl: null,
  sipDomain: null,
  iceServersEncrypted: null,
  noAnswerSeconds: null,
  deskPhoneScheme: null,
  callIdHeader: null,
  dialedNumberHeader: null,
  updatedAt: null,
};

function readTelephony(row: TelephonyRow | null | undefined): Telephony {
  if (row == null) return nothingSet;
  return {
    mode: row.mode as TelephonyMode,
    sipWssUrl: row.sipWssUrl,
    sipDomain: row.sipDomain,
    iceServersEncrypted: row.iceServersEncrypted,
    noAnswerSeconds: row.noAnswerSeconds,
    deskPhoneScheme: row.deskPhoneScheme as Telephony['deskPhoneScheme'],
    callIdHeader: row.callIdHeader,
    dialedNumberHeader: row.dialedNumberHeader,
    updatedAt: row.updatedAt,
  };
}

// Every softphone asks at every connect, and all of a company at once when its admin has changed something.
