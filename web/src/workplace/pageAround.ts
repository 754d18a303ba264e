import type { PlatformAnswer } from '../../../src/contract/platform.ts';
import { Embedding } from './embedding.ts';

/** Speaks with the page that holds this one in an iframe; null: this page stands alone. */
export function embeddingOfThisPage(): Embedding | null {
  if (window.parent === window) return null;
  return new Embedding({
    parent: window.parent,
    parentOrigin: originAround(),
    allowedOrigins: allowedOrigins(),
    onMessage: (listener) => window.addEventListener('message', listener),
  });
}

/** Not every browser tells who is around; whoever speaks first is known then. */
function originAround(): string | null {
  const ancestors = location.ancestorOrigins as DOMStringList | undefined;
  const told = ancestors?.[0] ?? document.referrer;
  return told === '' ? null : new URL(told).origin;
}

async function allowedOrigins(): Promise<readonly string[]> {
  try {
    const answer = await fetch('/api/public/platform');
    const { embed_origins } = (await answer.json()) as PlatformAnswer;
    return [...embed_origins, location.origin];
  } catch {
    return [location.origin];
  }
}
