/**
 * The same letters for the database's function `crm_fold`: what one of them folds, the other finds.
 * Triggers fold what contacts are found by, so that no writer (imports, merges, an older gateway) can forget it.
 */

const marks = /[\u0300-\u036f'\u2018\u2019\u02bc]/g;
const single: Record<string, string> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};
const singles = new RegExp(`[${Object.keys(single).join('')}]`, 'g');
const separators =
  /[\p{Cc}\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u303f]+/gu;

/** A text as it is compared: without accents, case and punctuation, its words apart by one space. */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(marks, '')
      .replace(singles, (letter) => single[letter] ?? letter)
      .replace(separators, ' ')
      // Not trim(): it takes more away than the database does.
      .replace(/^ | $/g, '')
  );
}

/** So many words of a query count; more are left out. */
const maxWords = 6;

/** The words of what somebody types, folded. */
export function wordsOf(query: string): string[] {
  return foldText(query)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, maxWords);
}

/**
 * SQL: texts with a word that begins so, or from three letters on with this anywhere in a word: fewer
 * leave no part to look up.
 */
export function partPattern(word: string): string {
  return word.length < 3 ? `% ${word}%` : `%${word}%`;
}

/** Whether a folded text holds all of these folded words, as `partPattern` has each of them. */
export function holdsWords(text: string, words: readonly string[]): boolean {
  return words.every((word) =>
    word.length < 3 ? text.startsWith(word) || text.includes(` ${word}`) : text.includes(word),
  );
}

/** Shorter words are not taken for another with a letter wrong: too many would be near. */
const shortestTypo = 4;
/** From so many letters on the rest of the word may be missing: it is still being typed. */
const longEnoughToBegin = 6;
/**
 * As many letters one after the other have to be right in the shortest: what is looked up by
 * less is half of the company.
 */
const shortestRun = 3;
/** Longer words are compared by their beginning. */
const longestTypo = 14;

/**
 * A regular expression, of PostgreSQL and of JavaScript alike, for texts with a word that differs from this one by one
 * letter wrong, too many, missing, or two changed over; null for a short word. One expression, since the database then
 * reads each text once, not once per spelling. Folded words hold nothing that has a meaning in an expression.
 */
export function typoPattern(word: string): string | null {
  if (word.length < shortestTypo) return null;
  const letters = [...word].slice(0, longestTypo);
  const near = letters.flatMap((letter, at) => {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')];
    const next = letters[at + 1];
    return [
      `${before}.${after}`,
      `${before}${after}`,
      `${before}.${letter}${after}`,
      ...(next === undefined || next === letter ? [] : [`${before}${next}${letter}${letters.slice(at + 2).join('')}`]),
    ];
  });
  const selective = near.filter(
    (spelling) => word.length > shortestTypo || spelling.split('.').some((run) => run.length >= shortestRun),
  );
  return ` (?:${[...new Set(selective)].join('|')})${word.length >= longEnoughToBegin ? '' : ' '}`;
}

/**
 * Whether a folded text has a word that is near this one, as `typoPattern` has it: told by where the two first differ,
 * since many texts of many contacts are compared with each word.
 */
export function holdsNear(text: string, word: string): boolean {
  if (word.length < shortestTypo) return false;
  const compared = word.slice(0, longestTypo);
  const isWhole = word.length < longEnoughToBegin;
  return text.split(' ').some((other) => isNear(other, compared, isWhole));
}

/** @param isWhole the rest of the other word has to be right, too */
function isNear(other: string, word: string, isWhole: boolean): boolean {
  let at = 0;
  while (at < word.length && other[at] === word[at]) at += 1;
  const fits = (from: number, rest: string) =>
    (isWhole ? other.length === from + rest.length : true) && other.startsWith(rest, from);
  // Where nothing differs, the last letter is compared as one that is wrong, too many or missing.
  const [wrong, from] = at === word.length ? [word.length - 1, word.length - 1] : [at, at];
  const hasRun = (before: number, after: number) =>
    word.length > shortestTypo || before >= shortestRun || after >= shortestRun;
  // A letter too many in a row of the same may be any of them.
  let more = wrong;
  while (more > 0 && word[more - 1] === other[from]) more -= 1;
  const next = word[wrong + 1];
  const letter = word[wrong] ?? '';
  return (
    (other.length > from && hasRun(wrong, word.length - wrong - 1) && fits(from + 1, word.slice(wrong + 1))) ||
    fits(from, word.slice(wrong + 1)) ||
    (other.length > from &&
      (hasRun(wrong, word.length - wrong) || hasRun(more, word.length - more)) &&
      fits(from + 1, word.slice(wrong))) ||
    (next !== undefined && fits(from, next + letter + word.slice(wrong + 2)))
  );
}
