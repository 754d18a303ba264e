import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { SettingsRow } from '../companyRows.ts';
import { run } from './prepared.ts';

/** $1 company id. The integration's row is made with the company. */
export const findSettings = {
  name: 'find_settings',
  text: `SELECT c.id, c.slug, c.default_country AS "defaultCountry", c.wrap_up_seconds AS "wrapUpSeconds",
    c.wrap_up_max_seconds AS "wrapUpMaxSeconds", c.dispositions, c.not_ready_reasons AS "notReadyReasons", i.crm_provider AS "crmProvider",
    i.cti_connector AS "ctiConnector", i.mode, i.api_key_prefix AS "apiKeyPrefix",
    i.webhook_events AS "webhookEvents"
  FROM company c JOIN integration i ON i.company_id = $1
  WHERE c.id = $1`,
};

/** What every request may need to know of the company. */
export async function settingsOf(pool: Pool, companyId: CompanyId): Promise<SettingsRow | undefined> {
  const [row] = await run<SettingsRow>(pool, findSettings, [companyId]);
  return row;
}
