import type { PlatformAnswer } from '../../../../src/contract/platform.ts';
import { Embedding } from './embedding.ts';

/** Doubled at every try. */
const againAfterMs = { first: 1_000, most: 60_000 };

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

/** Asks until it is told: a page that gave up would be deaf to the one around it for as long as it is open. */
async function allowedOrigins(): Promise<readonly string[]> {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await fetch('/api/public/platform');
      if (answer.ok) return [...((await answer.json()) as PlatformAnswer).embed_origins, location.origin];
    } catch {
      // No answer, or not one of the gateway's.
    }
    const waitMs = Math.min(againAfterMs.first * 2 ** tries, againAfterMs.most);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
