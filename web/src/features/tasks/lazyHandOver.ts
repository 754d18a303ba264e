import { lazy } from 'react';
import { addTexts } from '../../lib/i18n/texts.ts';

/** The dialog that asks to whom a task is handed over, its texts with it: no page starts with either. */
export const HandOver = lazy(async () => {
  const [{ HandOver: dialog }, { default: tasks }] = await Promise.all([import('./HandOver.tsx'), import('../../locales/en/tasks.json')]);
  await addTexts({ tasks });
  return { default: dialog };
});
