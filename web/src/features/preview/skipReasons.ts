import type { SkipReason } from '../../../../src/contract/dialing.ts';
import { defaultSkipReasons } from '../../../../src/contract/vocabulary.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';

/** A reason in the page's language where the company has left it as it was, else as the company calls it. */
export function skipReasonText(t: Translate, { code, label }: Pick<SkipReason, 'code' | 'label'>): string {
  const usual = defaultSkipReasons.find((reason) => reason.code === code && reason.label === label);
  return usual === undefined ? label : t(`dialing.preview.reasons.${usual.code}`);
}

const hour = 60;
const day = 24 * hour;

/** When a call that is skipped so is due again, in words. */
export function againText(t: Translate, { again_minutes: minutes }: Pick<SkipReason, 'again_minutes'>): string {
  if (minutes === null) return t('dialing.preview.never');
  return t('dialing.preview.again', { when: spanText(t, minutes) });
}

function spanText(t: Translate, minutes: number): string {
  if (minutes % day === 0) return t('dialing.preview.days', { count: minutes / day });
  return minutes % hour === 0
    ? t('dialing.preview.hours', { count: minutes / hour })
    : t('dialing.preview.minutes', { count: minutes });
}
