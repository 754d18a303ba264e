import { createInstance } from 'i18next';
import ICU from 'i18next-icu';
import type { Catalog, Translate } from '../../../web/src/lib/i18n/catalog.ts';
import admin from '../../../web/src/locales/en/admin.json' with { type: 'json' };
import audio from '../../../web/src/locales/en/audio.json' with { type: 'json' };
import audit from '../../../web/src/locales/en/audit.json' with { type: 'json' };
import calls from '../../../web/src/locales/en/calls.json' with { type: 'json' };
import colleagues from '../../../web/src/locales/en/colleagues.json' with { type: 'json' };
import crmArea from '../../../web/src/locales/en/crmArea.json' with { type: 'json' };
import customer from '../../../web/src/locales/en/customer.json' with { type: 'json' };
import day from '../../../web/src/locales/en/day.json' with { type: 'json' };
import deals from '../../../web/src/locales/en/deals.json' with { type: 'json' };
import demo from '../../../web/src/locales/en/demo.json' with { type: 'json' };
import dialing from '../../../web/src/locales/en/dialing.json' with { type: 'json' };
import doNotDial from '../../../web/src/locales/en/doNotDial.json' with { type: 'json' };
import duplicates from '../../../web/src/locales/en/duplicates.json' with { type: 'json' };
import imports from '../../../web/src/locales/en/imports.json' with { type: 'json' };
import messages from '../../../web/src/locales/en/messages.json' with { type: 'json' };
import phone from '../../../web/src/locales/en/phone.json' with { type: 'json' };
import pop from '../../../web/src/locales/en/pop.json' with { type: 'json' };
import popLayout from '../../../web/src/locales/en/popLayout.json' with { type: 'json' };
import platforms from '../../../web/src/locales/en/platforms.json' with { type: 'json' };
import reports from '../../../web/src/locales/en/reports.json' with { type: 'json' };
import quality from '../../../web/src/locales/en/quality.json' with { type: 'json' };
import ring from '../../../web/src/locales/en/ring.json' with { type: 'json' };
import shared from '../../../web/src/locales/en/shared.json' with { type: 'json' };
import softphone from '../../../web/src/locales/en/softphone.json' with { type: 'json' };
import tasks from '../../../web/src/locales/en/tasks.json' with { type: 'json' };
import teams from '../../../web/src/locales/en/teams.json' with { type: 'json' };
import transfer from '../../../web/src/locales/en/transfer.json' with { type: 'json' };
import trends from '../../../web/src/locales/en/trends.json' with { type: 'json' };
import wallboard from '../../../web/src/locales/en/wallboard.json' with { type: 'json' };

const texts = createInstance();
const translation: Catalog = {
  admin,
  audio,
  audit,
  calls,
  colleagues,
  crmArea,
  customer,
  day,
  deals,
  demo,
  dialing,
  doNotDial,
  duplicates,
  imports,
  messages,
  phone,
  platforms,
  pop,
  popLayout,
  quality,
  reports,
  ring,
  shared,
  softphone,
  tasks,
  teams,
  transfer,
  trends,
  wallboard,
};
await texts.use(ICU).init({ lng: 'en', resources: { en: { translation } } });

/** Words what a page shows, in English. */
export const english: Translate = texts.t;
