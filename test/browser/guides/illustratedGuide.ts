import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { screenshots } from '../../support/browser/browser.ts';

/** Where the pictures of the guides come from; `npm run guides:pictures` puts them to the guides. */
const made = join(screenshots, 'guides');

/**
 * A page of `docs/guides/`, held against the screens that it tells of: what stands there in bold are words of the
 * screens, and its pictures are made here.
 */
export class IllustratedGuide {
  readonly #name: string;
  readonly #text: string;
  readonly #words = new Set<string>();
  readonly #pictures = new Set<string>();

  private constructor(name: string, text: string) {
    this.#name = name;
    this.#text = text;
  }

  /** @param name of the file without `.md`; its pictures begin with it */
  static async read(name: string): Promise<IllustratedGuide> {
    const path = fileURLToPath(new URL(`../../../docs/guides/${name}.md`, import.meta.url));
    return new IllustratedGuide(name, await readFile(path, 'utf8'));
  }

  /** Remembers the words that stand on the page at this moment: texts, labels and hints. */
  async see(page: Page): Promise<void> {
    for (const word of await page.evaluate(wordsOnPage)) this.#words.add(word);
  }

  /**
   * Makes the picture `<guide>-<name>.webp` of what is seen now, and remembers its words.
   * @param height of the picture from the top of the page, in pixels, where the rest is empty
   */
  async picture(page: Page, name: string, height = page.viewportSize()?.height ?? 0): Promise<void> {
    await this.see(page);
    const file = `${this.#name}-${name}.webp`;
    this.#pictures.add(file);
    const path = join(made, file);
    await mkdir(dirname(path), { recursive: true });
    const clip = { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height };
    await writeFile(path, await asWebp(page, await page.screenshot({ animations: 'disabled', clip })));
  }

  /**
   * Words of the guide that were not seen on the screens;
   * pictures that it names and nobody made, or that it does not name.
   */
  faults(): { words: string[]; pictures: string[] } {
    const bold = [...this.#text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, word = '']) => word.replaceAll(/\s+/g, ' '));
    const named = [...this.#text.matchAll(/\]\(images\/([^)]+)\)/g)].map(([, file = '']) => file);
    const unmade = named.filter((file) => !this.#pictures.has(file));
    const unnamed = [...this.#pictures].filter((file) => !named.includes(file));
    return { words: bold.filter((word) => !this.#words.has(word)), pictures: [...unmade, ...unnamed] };
  }
}

/** Runs in the page. Labels come without the star of what is required. */
function wordsOnPage(): string[] {
  const words: string[] = [];
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    if (!element.checkVisibility()) continue;
    const text = element.textContent ?? '';
    if (text.length <= 200) words.push(text);
    for (const name of ['aria-label', 'placeholder', 'title']) words.push(element.getAttribute(name) ?? '');
  }
  return words.map((text) => text.replaceAll(/\s+/g, ' ').replace(/ \*$/, '').trim()).filter((text) => text !== '');
}

/** As the browser itself compresses it: a tenth of a PNG. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const studio = await page.context().newPage();
  try {
    const compressed = await studio.evaluate(async (encoded: string) => {
      const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.85).replace('data:image/webp;base64,', '');
    }, png.toString('base64'));
    return Buffer.from(compressed, 'base64');
  } finally {
    await studio.close();
  }
}
