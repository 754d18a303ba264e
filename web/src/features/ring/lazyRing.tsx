import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

/** Of ringing; they come a moment after the page has begun. */
const texts = async () => ({ ring: (await import('../../locales/en/ring.json')).default });

export const RingNotice = lazyPart(async () => (await import('./RingNotice.tsx')).RingNotice, texts);
