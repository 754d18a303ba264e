import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

/** Few calls need keys, and few agents dial by them. */
export const Keys = lazyPart(async () => (await import('./Keys.tsx')).Keys);
