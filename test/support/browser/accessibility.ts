import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe-core tells of one rule; `target` are selectors, those of frames outermost first. */
type Finding = {
  id: string;
  impact: string;
  help: string;
  nodes: { target: unknown; html: string; failureSummary?: string }[];
};

/**
 * What keeps people from using the page as it stands there now, by axe-core: one line for each element with a serious
 * or critical finding, `[]` when there is none. The page's own document; frames are asked for themselves.
 */
export async function seriousFindings(page: Page): Promise<string[]> {
  // What fades in is pale meanwhile. It is there some frames before it begins to.
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (;;) {
      for (let frames = 0; frames < 3; frames += 1) await frame();
      const ending = document
        .getAnimations()
        .filter(
          ({ effect, playState }) => playState === 'running' && Number(effect?.getComputedTiming().endTime) < Infinity,
        );
      if (ending.length === 0) return;
      await Promise.all(ending.map(({ finished }) => finished.catch(() => null)));
    }
  });
  // As an expression of the debugger: the policy forbids a script tag, and rightly.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate<Finding[]>(
    `axe.run(document, { resultTypes: ['violations'], iframes: false }).then((result) => result.violations)`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map(({ target, html, failureSummary = '' }) => {
        const why = failureSummary
          .split('\n')
          .slice(1)
          .map((line) => line.trim())
          .join('; ');
        return `${id} (${impact}): ${help}: ${String(target)} ${html.slice(0, 160)} ${why}`;
      }),
    );
}
