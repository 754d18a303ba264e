import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { setSize, shot } from './browser.ts';

/** Pictures as panel and as whole screen; nothing is wider than the page, and no text of a catalog is cut off. */
export async function isWhole(page: Page, name: string): Promise<void> {
  for (const size of ['panel', 'desk'] as const) {
    await setSize(page, size);
    await shot(page, name);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), name).toBeLessThanOrEqual(0);
    expect(await page.evaluate(cutOff), name).toEqual([]);
  }
}

/** Runs in the page: texts of which a part cannot be seen, except those that end in an ellipsis on purpose: names and numbers. */
function cutOff(): string[] {
  const own = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== ''),
  );
  return own
    .filter((element) => element.checkVisibility() && element.clientWidth > 1)
    .filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isName = textOverflow === 'ellipsis' && element.title !== '';
      return overflowX !== 'visible' && !isName && element.scrollWidth > element.clientWidth + 1;
    })
    .map((element) => element.textContent ?? '');
}
