import { usualSettings } from '../../../src/contract/companySettings.ts';
import { defaultWebhookEvents } from '../../../src/contract/vocabulary.ts';
import type { Company } from '../../../src/domain/company.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import type { Observer } from '../../../src/ports/observer.ts';

/** Tells nobody. */
export const quietObserver: Observer = {
  click: () => undefined,
  offer: () => undefined,
  delivery: () => undefined,
  firstAttempt: () => undefined,
  endpoint: () => undefined,
  push: () => undefined,
  crmLookup: () => undefined,
  crmWriteBack: () => undefined,
  crmNotice: () => undefined,
  crmNoticesDropped: () => undefined,
  crmNoticesRefused: () => undefined,
  repaired: () => undefined,
  cut: () => undefined,
  problem: () => undefined,
};

/** A company that has set nothing. */
export function plainCompany(companyId: CompanyId): Company {
  const madeAt = new Date('2026-01-01T00:00:00.000Z');
  return {
    id: companyId,
    slug: 'acme',
    name: 'Acme',
    settings: usualSettings,
    defaultCountry: null,
    bareDigits: 'national',
    crmProvider: null,
    ctiConnector: null,
    mode: 'push',
    apiKeyPrefix: null,
    hasContacts: false,
    hasTasks: false,
    hasDoNotDial: false,
    hasPlatforms: false,
    hasWebhook: true,
    webhookEvents: defaultWebhookEvents,
    popFrameAncestors: [],
    createdAt: madeAt,
    updatedAt: madeAt,
  };
}
