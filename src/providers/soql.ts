/** Salesforce's query language, as far as values of others get into it. */

/** Of a quoted value, in characters. */
const maxValue = 255;

/** A text as a value; nothing in it ends the quotation. */
export function quoted(text: string): string {
  const line = text.slice(0, maxValue).replace(/\p{Cc}/gu, ' ');
  return `'${line.replace(/[\\']/g, '\\$&')}'`;
}

/** What a search may hold of a number: its language gives meaning to `+`, `-`, brackets and more. */
export function digitsOnly(text: string): string {
  return text.replace(/\D/g, '');
}

/** Whether one of the fields holds one of the spellings, to the letter. In brackets. */
export function anyNumber(fields: readonly string[], spellings: readonly string[]): string {
  const values = spellings.map(quoted).join(',');
  return `(${fields.map((field) => `${field} IN (${values})`).join(' OR ')})`;
}
