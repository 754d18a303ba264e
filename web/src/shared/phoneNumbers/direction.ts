/**
 * A name or number for a place in a sentence, with a direction of its own: in a text from right to left,
 * the groups of a number would change places. Where it is an element, `<bdi>` does the same.
 */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/**
 * Without the invisible marks of direction that come along when a number is copied from a sentence
 * or from an address book.
 */
export function withoutMarks(text: string): string {
  return text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}
