import {
  IconArrowMerge,
  IconCoins,
  IconFileImport,
  IconHistory,
  IconNote,
  IconPencil,
  IconPhone,
  IconPhoneOff,
  IconPhonePause,
  IconUserPlus,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { ContactActivityView } from '../../../../src/contract/contactActivities.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { CallBody, callTitle } from './CallEntry.tsx';

type ActivityKind = {
  icon: ComponentType<{ size?: number | string; stroke?: number | string; 'aria-hidden'?: boolean }>;
  /** What happened, in some words. */
  title: (t: Translate, entry: ContactActivityView) => string;
  /** What else is to be read; absent: the entry's text and edits. */
  Body?: ComponentType<{ entry: ContactActivityView }>;
};

/** How the entries of a timeline are shown, by their kind. */
export const activityKinds: { readonly [kind: string]: ActivityKind | undefined } = {
  call: { icon: IconPhone, title: callTitle, Body: CallBody },
  note: { icon: IconNote, title: (t) => t('crmArea.timeline.note') },
  created: { icon: IconUserPlus, title: (t) => t('crmArea.timeline.created') },
  deal_created: { icon: IconCoins, title: (t) => t('crmArea.timeline.dealCreated') },
  deal_moved: { icon: IconCoins, title: (t) => t('crmArea.timeline.dealMoved') },
  do_not_call_overridden: { icon: IconPhoneOff, title: (t) => t('crmArea.timeline.doNotCallOverridden') },
  dial_skipped: { icon: IconPhonePause, title: (t) => t('crmArea.timeline.dialSkipped') },
  edited: { icon: IconPencil, title: (t) => t('crmArea.timeline.edited') },
  merged: { icon: IconArrowMerge, title: (t) => t('crmArea.timeline.merged') },
  imported: { icon: IconFileImport, title: (t) => t('crmArea.timeline.imported') },
};

/** A kind that is newer than this page. */
export const otherKind: ActivityKind = { icon: IconHistory, title: (_t, { kind }) => kind };
