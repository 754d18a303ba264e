import type { Locator, Page } from 'playwright-core';

/**
 * Drags from the middle of one thing to another, as a hand does: with a few steps between.
 * @param atTarget before it is let go
 */
export async function drag(
  page: Page,
  from: Locator,
  to: Locator,
  atTarget: () => Promise<void> = async () => undefined,
): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (start === null || end === null) throw new Error('what is dragged, and where to, has to be in sight');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + Math.min(40, end.height / 2), { steps: 8 });
  await atTarget();
  await page.mouse.up();
}
