/** Letters that Unicode does not take for another letter with a mark, and what people type for them. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
};
const special = new RegExp(`[${Object.keys(plain).join('')}]`, 'g');

/**
 * A text as it is looked for, without case and without marks: `Müller` is `muller`,
 * `Łukasz Strauß` is `lukasz strauss`.
 */
export function foldText(text: string): string {
  const base = text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return base.toLowerCase().replaceAll(special, (letter) => plain[letter] ?? letter);
}

/** Whether one of the texts holds what is looked for; nothing looked for is in every text. */
export function mentions(texts: readonly (string | null | undefined)[], wanted: string): boolean {
  const folded = foldText(wanted.trim());
  return folded === '' || texts.some((text) => text != null && foldText(text).includes(folded));
}

/**
 * Whether a phone number (E.164) holds what is looked for,
 * however that is written: `555-123` and `(555) 123` like `555123`.
 */
export function mentionsNumber(number: string | null | undefined, wanted: string): boolean {
  const digits = wanted.replaceAll(/[\s.\-()/\u200e-\u2015\u202a-\u202e\u2066-\u2069]/g, '');
  return number != null && /^\+?\d+$/.test(digits) && number.includes(digits);
}
