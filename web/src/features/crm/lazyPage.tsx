import { type ComponentType, lazy } from 'react';
import { addTexts } from '../../lib/i18n/texts.ts';
import type { Catalog } from '../../lib/i18n/catalog.ts';

/**
 * A page of the area that is loaded when it is opened, its texts with it.
 * @param loadTexts the English texts that the area has not yet, by their area
 */
export function lazyPage<P extends object = object>(
  loadPage: () => Promise<ComponentType<P>>,
  loadTexts: () => Promise<Partial<Catalog>> = async () => ({}),
): ComponentType<P> {
  return lazy(async () => {
    const [page] = await Promise.all([loadPage(), loadTexts().then(addTexts)]);
    return { default: page };
  });
}
