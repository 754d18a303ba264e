import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

/** Few companies have desk phones. */
export const DeskPhoneControls = lazyPart(async () => (await import('./DeskPhoneControls.tsx')).DeskPhoneControls);
