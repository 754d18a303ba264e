import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

/** What a page shows that is not the agent's softphone; most never do. */
export const ElsewhereScreen = lazyPart(async () => (await import('./OpenElsewhere.tsx')).ElsewhereScreen);
export const ReplacedScreen = lazyPart(async () => (await import('./OpenElsewhere.tsx')).ReplacedScreen);
