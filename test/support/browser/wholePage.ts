import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../time/waiting.ts';
import { isDrawn, setSize, shot } from './browser.ts';

/**
 * As panel and as whole screen: nothing is wider than the page, no text of a catalog is cut off,
 * and no phone number is written backwards.
 */
export async function isWhole(page: Page, name: string): Promise<void> {
  for (const size of ['panel', 'desk'] as const) {
    await setSize(page, size);
    await isDrawn(page);
    await shot(page, name);
    // A page takes a moment to follow its size, on a machine that is busy more than two frames.
    await eventually(async () =>
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        name,
      ).toBeLessThanOrEqual(0),
    );
    expect(await page.evaluate(cutOff), name).toEqual([]);
    expect(await page.evaluate(backwards), name).toEqual([]);
  }
}

/**
 * Runs in the page: texts of which a part cannot be seen,
 * except those that end in an ellipsis on purpose: names and numbers.
 */
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

/**
 * Runs in the page: phone numbers whose `+`, or a group of digits, does not stand left of what comes next,
 * as in a text from right to left.
 */
function backwards(): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const leftOf = (node: Node, at: number): number => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect().left;
  };
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node.parentElement?.checkVisibility() ?? false)) continue;
    const shown = node;
    for (const { 0: number, index } of (node.textContent ?? '').matchAll(/\+\d[\d\s().-]{5,}\d/g)) {
      const lefts = Array.from(number, (_character, place) => leftOf(shown, index + place));
      if (lefts.some((left, place) => left > (lefts[place + 1] ?? Infinity))) found.push(number);
    }
  }
  return found;
}
