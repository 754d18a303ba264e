import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

/** Of dialing; they come a moment after the page has begun. */
const texts = async () => ({ dialing: (await import('../../locales/en/dialing.json')).default });

export const DialPad = lazyPart(async () => (await import('../calls/DialPad.tsx')).DialPad, texts);
export const SpeedDials = lazyPart(async () => (await import('./SpeedDials.tsx')).SpeedDials, texts);
export const RecentCalls = lazyPart(async () => (await import('../recents/RecentCalls.tsx')).RecentCalls, texts);
export const PreviewDial = lazyPart(
  async () => (await import('../preview/PreviewDial.tsx')).PreviewDial,
  async () => ({ ...(await texts()), tasks: (await import('../../locales/en/tasks.json')).default }),
);
