import { createInstance } from 'i18next';
import ICU from 'i18next-icu';
import type { Catalog, Translate } from '../../../web/src/lib/i18n/catalog.ts';
import admin from '../../../web/src/locales/en/admin.json' with { type: 'json' };
import audit from '../../../web/src/locales/en/audit.json' with { type: 'json' };
import calls from '../../../web/src/locales/en/calls.json' with { type: 'json' };
import crmArea from '../../../web/src/locales/en/crmArea.json' with { type: 'json' };
import deals from '../../../web/src/locales/en/deals.json' with { type: 'json' };
import demo from '../../../web/src/locales/en/demo.json' with { type: 'json' };
import duplicates from '../../../web/src/locales/en/duplicates.json' with { type: 'json' };
import imports from '../../../web/src/locales/en/imports.json' with { type: 'json' };
import phone from '../../../web/src/locales/en/phone.json' with { type: 'json' };
import pop from '../../../web/src/locales/en/pop.json' with { type: 'json' };
import platforms from '../../../web/src/locales/en/platforms.json' with { type: 'json' };
import reports from '../../../web/src/locales/en/reports.json' with { type: 'json' };
import ring from '../../../web/src/locales/en/ring.json' with { type: 'json' };
import shared from '../../../web/src/locales/en/shared.json' with { type: 'json' };
import softphone from '../../../web/src/locales/en/softphone.json' with { type: 'json' };
import tasks from '../../../web/src/locales/en/tasks.json' with { type: 'json' };
import teams from '../../../web/src/locales/en/teams.json' with { type: 'json' };
import transfer from '../../../web/src/locales/en/transfer.json' with { type: 'json' };
import wallboard from '../../../web/src/locales/en/wallboard.json' with { type: 'json' };

const texts = createInstance();
const translation: Catalog = { admin, audit, calls, crmArea, deals, demo, duplicates, imports, phone, platforms, pop, reports, ring, shared, softphone, tasks, teams, transfer, wallboard };
await texts.use(ICU).init({ lng: 'en', resources: { en: { translation } } });

/** Words what a page shows, in English. */
export const english: Translate = texts.t;
