import { defaultWebhookEvents } from '../../../src/contract/vocabulary.ts';
import type { CompanySettings } from '../../../src/domain/company.ts';
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

/** The settings of a company that has set nothing. */
export function plainSettings(companyId: CompanyId): CompanySettings {
  return {
    companyId,
    slug: 'acme',
    defaultCountry: null, bareDigits: 'national',
    wrapUpSeconds: 30,
    wrapUpMaxSeconds: 600,
    contactScope: 'company',
    callbackAssignee: 'agent',
    listening: 'visible',
    language: null,
    dispositions: [],
    tags: [],
    freeTags: false,
    notReadyReasons: [],
    previewDial: false,
    skipReasons: [],
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
  };
}
