/** Before the first of the next attempts, and before each later one at most. Milliseconds. */
const firstPauseMs = 250;
const longestPauseMs = 15_000;

/**
 * What browsers, and the loader of the build, say of a file that did not come: Chromium, Firefox, Safari,
 * and a style sheet.
 */
const didNotCome =
  /(?:fetch|loading) dynamically imported module|Importing a module script failed|Unable to preload CSS/;

/**
 * Loads files of the page, again and again while they do not come: a browser ends what is under way when its network
 * changes, and nobody may lose a call by that. Where another build is there by now, the page is loaded anew as soon as
 * that loses nothing (followBuild.ts). Rejects where a file came and is wrong.
 */
export async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof Error) || !didNotCome.test(error.message)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
