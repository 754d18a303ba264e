import type { CrmProvider, CtiConnector, Mode, WebhookEvent } from '../../contract/vocabulary.ts';
import type { CodeLabel, Company, CompanyDisposition, CompanySettings } from '../../domain/company.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { sentEvents } from '../../contract/webhookChoice.ts';
import type { Company as StoredCompany, Integration as StoredIntegration } from './generated/client.ts';

/** Reads a row of `company`. */
export function readCompany(row: StoredCompany): Company {
  return {
    id: row.id as CompanyId,
    slug: row.slug,
    name: row.name,
    wrapUpSeconds: row.wrapUpSeconds,
    wrapUpMaxSeconds: row.wrapUpMaxSeconds,
    dispositions: row.dispositions as CompanyDisposition[],
    notReadyReasons: row.notReadyReasons as CodeLabel[],
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** A company joined with its integration. */
export type SettingsRow = Pick<
  StoredCompany,
  'id' | 'slug' | 'defaultCountry' | 'wrapUpSeconds' | 'wrapUpMaxSeconds' | 'dispositions' | 'notReadyReasons'
> &
  Pick<StoredIntegration, 'crmProvider' | 'ctiConnector' | 'mode' | 'apiKeyPrefix' | 'webhookEvents'>;

/** Reads a joined row. */
export function readSettings(row: SettingsRow): CompanySettings {
  return {
    companyId: row.id as CompanyId,
    slug: row.slug,
    defaultCountry: row.defaultCountry,
    wrapUpSeconds: row.wrapUpSeconds,
    wrapUpMaxSeconds: row.wrapUpMaxSeconds,
    dispositions: row.dispositions as CompanyDisposition[],
    notReadyReasons: row.notReadyReasons as CodeLabel[],
    crmProvider: row.crmProvider as CrmProvider | null,
    ctiConnector: row.ctiConnector as CtiConnector | null,
    mode: row.mode as Mode,
    apiKeyPrefix: row.apiKeyPrefix,
    webhookEvents: sentEvents(row.webhookEvents as WebhookEvent[] | null),
  };
}
