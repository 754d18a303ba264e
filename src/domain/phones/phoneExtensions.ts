/** Between a number and its extension. No more of them: a long run would be read again from each of its places. */
const gap = String.raw`\s{0,8}`;
const extensionSign = String.raw`(?:(?:extension|extn|ext|int|poste|nst|durchwahl|доб)\.?|x|#)${gap}[:.=]?${gap}`;
/** An extension behind a number: whoever is called or looked up is the line. */
const extension = new RegExp(String.raw`[\s,;]{0,8}${extensionSign}(\d{1,7})$`, 'iu');
/** Between numbers that share a cell, and not between one and its extension. */
export const betweenNumbers = new RegExp(String.raw`:::|[;|,\n](?!${gap}${extensionSign}\d)`, 'iu');

/** A number and the extension behind it; null: there is none. */
export function lineOf(text: string): { line: string; extension: string | null } {
  const found = extension.exec(text);
  return found === null
    ? { line: text, extension: null }
    : { line: text.slice(0, found.index), extension: found[1] ?? null };
}
