import { type ComponentType, lazy } from 'react';
import { loadAgain } from '../loadAgain.ts';
import { addTexts } from './texts.ts';
import type { Catalog } from './catalog.ts';

/**
 * A part of a page that is loaded when it is first shown, its texts with it.
 * Where they do not come, they are asked for again: the page goes on without.
 * @param loadTexts the English texts that the page has not yet, by their area
 */
export function lazyPart<P extends object = object>(
  loadPart: () => Promise<ComponentType<P>>,
  loadTexts: () => Promise<Partial<Catalog>> = async () => ({}),
): ComponentType<P> {
  return lazy(async () => {
    const [part] = await Promise.all([loadAgain(loadPart), loadAgain(loadTexts).then(addTexts)]);
    return { default: part };
  });
}
