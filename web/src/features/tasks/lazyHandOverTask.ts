import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

/** The dialog that asks to whom a task is handed over, its texts with it: no page starts with either. */
export const HandOverTask = lazyPart(
  async () => (await import('./HandOverTask.tsx')).HandOverTask,
  async () => ({ tasks: (await import('../../locales/en/tasks.json')).default }),
);
