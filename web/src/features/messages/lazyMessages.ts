import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

/** Most pages of a day show none. */
export const UnreadMessages = lazyPart(
  async () => (await import('./UnreadMessages.tsx')).UnreadMessages,
  async () => ({ messages: (await import('../../locales/en/messages.json')).default }),
);
