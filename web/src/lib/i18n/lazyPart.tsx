import { type ComponentType, lazy } from 'react';
import { loadAgain } from '../loadAgain.ts';
import { addTexts } from './texts.ts';
import type { Catalog } from './catalog.ts';

type LoadTexts = () => Promise<Partial<Catalog>>;
const noTexts: LoadTexts = async () => ({});

/**
 * A part of a page that is loaded when it is first shown, its texts with it.
 * Where they do not come, they are asked for again: the page goes on without.
 * @param loadTexts the English texts that the page has not yet, by their area
 */
export function lazyPart<P extends object = object>(
  loadPart: () => Promise<ComponentType<P>>,
  loadTexts = noTexts,
): ComponentType<P> {
  return lazyPage(
    () => loadAgain(loadPart),
    () => loadAgain(loadTexts),
  );
}

/** The same of a whole page of the console: where its files do not come, it fails, so that its frame can say so. */
export function lazyPage<P extends object = object>(
  loadPage: () => Promise<ComponentType<P>>,
  loadTexts = noTexts,
): ComponentType<P> {
  return lazy(async () => {
    const [page] = await Promise.all([loadPage(), loadTexts().then(addTexts)]);
    return { default: page };
  });
}
