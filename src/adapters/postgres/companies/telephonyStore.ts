import type { TelephonyMode } from '../../../contract/vocabulary.ts';
import { ok } from '../../../domain/outcome.ts';
import type { Telephony, TelephonyStore } from '../../../ports/telephony.ts';
import { Prisma, type Telephony as StoredTelephony } from '../generated/client.ts';
import { type StoreParts, transactionPatience } from '../pool.ts';
import { fieldColumns, run } from '../queries.ts';

/** Telephony settings in PostgreSQL. */
export function createTelephonyStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): TelephonyStore {
  return {
    async find(companyId) {
      const [row] = await run<StoredTelephony>(pool, findTelephony, [companyId]);
      return readTelephony(row);
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

/**
 * $1 company id. No row: nothing was ever set. Every softphone asks at every connect,
 * and all of a company at once when its admin has changed something.
 */
export const findTelephony = {
  name: 'find_telephony',
  text: `SELECT ${fieldColumns(Prisma.TelephonyScalarFieldEnum)} FROM telephony WHERE company_id = $1`,
};

const nothingSet: Telephony = {
  mode: 'none',
  sipWssUrl: null,
  sipDomain: null,
  iceServersEncrypted: null,
  noAnswerSeconds: null,
  deskPhoneScheme: null,
  callIdHeader: null,
  dialedNumberHeader: null,
  queueHeader: null,
  callerIdHeader: null,
  echoNumber: null,
  transferBy: null,
  transferCode: null,
  updatedAt: null,
};

function readTelephony(row: StoredTelephony | null | undefined): Telephony {
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
    queueHeader: row.queueHeader,
    callerIdHeader: row.callerIdHeader,
    echoNumber: row.echoNumber,
    transferBy: row.transferBy as Telephony['transferBy'],
    transferCode: row.transferCode,
    updatedAt: row.updatedAt,
  };
}
