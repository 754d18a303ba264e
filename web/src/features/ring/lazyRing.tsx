import { type ComponentType, lazy } from 'react';
import { addTexts } from '../../lib/i18n/texts.ts';

/** A part that comes with the texts of ringing, a moment after the page has begun. */
function withTexts<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(async () => {
    const [part, { default: ring }] = await Promise.all([load(), import('../../locales/en/ring.json')]);
    await addTexts({ ring });
    return { default: part };
  });
}

export const RingTools = withTexts(async () => (await import('./RingTools.tsx')).RingTools);
export const RingNotice = withTexts(async () => (await import('./RingNotice.tsx')).RingNotice);
export const MissedCalls = withTexts(async () => (await import('./MissedCalls.tsx')).MissedCalls);
