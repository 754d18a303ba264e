import type { Pool } from 'pg';
import type { AgentId, CompanyId } from '../../../domain/ids.ts';
import type { Telephony as StoredTelephony } from '../generated/client.ts';
import { run } from './prepared.ts';

// Every softphone asks at every connect, and all of a company at once when its admin has changed something.

/** $1 company id. No row: nothing was ever set. */
export const findTelephony = {
  name: 'find_telephony',
  text: `SELECT mode, sip_wss_url AS "sipWssUrl", sip_domain AS "sipDomain",
    ice_servers_encrypted AS "iceServersEncrypted", no_answer_seconds AS "noAnswerSeconds",
    desk_phone_scheme AS "deskPhoneScheme", updated_at AS "updatedAt"
  FROM telephony WHERE company_id = $1`,
};
export type TelephonyRow = Omit<StoredTelephony, 'companyId'>;

/** $1 company id, $2 agent id. */
export const findSipAccount = {
  name: 'find_sip_account',
  text: `SELECT name, sip_user AS "user", sip_secret_encrypted AS "secretEncrypted" FROM agent
  WHERE company_id = $1 AND id = $2 AND sip_user IS NOT NULL AND sip_secret_encrypted IS NOT NULL`,
};
export type SipAccountRow = { name: string; user: string; secretEncrypted: string };

/** How the company telephones, if that was ever set. */
export async function telephonyOf(pool: Pool, companyId: CompanyId): Promise<TelephonyRow | undefined> {
  const [row] = await run<TelephonyRow>(pool, findTelephony, [companyId]);
  return row;
}

/** The agent's account, if it is complete. */
export async function sipAccountOf(pool: Pool, companyId: CompanyId, id: AgentId): Promise<SipAccountRow | undefined> {
  const [row] = await run<SipAccountRow>(pool, findSipAccount, [companyId, id]);
  return row;
}
