import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

/** Few callers have several records. */
export const RecordPicker = lazyPart(async () => (await import('./RecordPicker.tsx')).RecordPicker);
