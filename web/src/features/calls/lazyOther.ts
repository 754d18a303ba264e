import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

/** When another call comes beside one. */
export const OtherCall = lazyPart(async () => (await import('./OtherCall.tsx')).OtherCall);
