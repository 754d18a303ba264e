import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

const texts = async () => ({ transfer: (await import('../../locales/en/transfer.json')).default });

/** When a call is to be handed on, which is rare. */
export const TransferPanel = lazyPart(async () => (await import('./TransferPanel.tsx')).TransferPanel, texts);

/** When somebody rings. */
export const PassOn = lazyPart(async () => (await import('./PassOn.tsx')).PassOn, texts);

/** When one is handed on to this agent. */
export const TransferredFrom = lazyPart(async () => (await import('./TransferredFrom.tsx')).TransferredFrom, texts);
