/**
 * The words of somebody else as a sentence, so that another one may follow: with a full stop where they end without any
 * mark. Closing quotes and brackets do not count. Empty stays empty.
 */
export function asSentence(words: string): string {
  const text = words.trim();
  return text === '' || /[.!?…。][\p{Pe}\p{Pf}"']*$/u.test(text) ? text : `${text.replace(/[,;:]$/, '')}.`;
}
