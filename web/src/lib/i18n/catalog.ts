import type { TFunction } from 'i18next';
import type admin from '../../locales/en/admin.json';
import type audio from '../../locales/en/audio.json';
import type audit from '../../locales/en/audit.json';
import type calls from '../../locales/en/calls.json';
import type colleagues from '../../locales/en/colleagues.json';
import type crmArea from '../../locales/en/crmArea.json';
import type customer from '../../locales/en/customer.json';
import type day from '../../locales/en/day.json';
import type deals from '../../locales/en/deals.json';
import type dialing from '../../locales/en/dialing.json';
import type demo from '../../locales/en/demo.json';
import type doNotDial from '../../locales/en/doNotDial.json';
import type duplicates from '../../locales/en/duplicates.json';
import type imports from '../../locales/en/imports.json';
import type messages from '../../locales/en/messages.json';
import type phone from '../../locales/en/phone.json';
import type pop from '../../locales/en/pop.json';
import type popLayout from '../../locales/en/popLayout.json';
import type platforms from '../../locales/en/platforms.json';
import type reports from '../../locales/en/reports.json';
import type quality from '../../locales/en/quality.json';
import type ring from '../../locales/en/ring.json';
import type shared from '../../locales/en/shared.json';
import type softphone from '../../locales/en/softphone.json';
import type tasks from '../../locales/en/tasks.json';
import type teams from '../../locales/en/teams.json';
import type transfer from '../../locales/en/transfer.json';
import type trends from '../../locales/en/trends.json';
import type wallboard from '../../locales/en/wallboard.json';

/** The texts of the pages by area; English says which there are. */
export type Catalog = {
  admin: typeof admin;
  audio: typeof audio;
  audit: typeof audit;
  calls: typeof calls;
  colleagues: typeof colleagues;
  crmArea: typeof crmArea;
  customer: typeof customer;
  day: typeof day;
  deals: typeof deals;
  demo: typeof demo;
  dialing: typeof dialing;
  doNotDial: typeof doNotDial;
  duplicates: typeof duplicates;
  imports: typeof imports;
  messages: typeof messages;
  phone: typeof phone;
  platforms: typeof platforms;
  pop: typeof pop;
  popLayout: typeof popLayout;
  quality: typeof quality;
  reports: typeof reports;
  ring: typeof ring;
  shared: typeof shared;
  softphone: typeof softphone;
  tasks: typeof tasks;
  teams: typeof teams;
  transfer: typeof transfer;
  trends: typeof trends;
  wallboard: typeof wallboard;
};
export type Area = keyof Catalog;

declare module 'i18next' {
  // Keys are `area.group.name`; a key that English does not have is a type error.
  interface CustomTypeOptions {
    resources: { translation: Catalog };
  }
}

/**
 * Gives the words for a key, in the page's language: what `useTranslation` hands to a component,
 * and it to those that word things for it.
 */
export type Translate = TFunction;
