/** The sign between whole and part that the language writes. @param locale BCP 47 */
export function decimalSign(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
}

/**
 * An amount as people write it, as the gateway takes it: `12.500,50` and `12,500.50` are `12500.50`. A sign that stands
 * alone is the decimal one where the language has it so, or where it is not followed by three digits. What is no amount
 * stays as it was typed.
 * @param decimal the decimal sign of the language
 */
export function amountOf(typed: string, decimal: string): string {
  const text = typed.replaceAll(/[\s'’\u00a0\u202f]/g, '');
  const signs = text.match(/[.,]/g) ?? [];
  const last = signs.at(-1);
  if (last === undefined) return text;
  const behind = text.length - text.lastIndexOf(last) - 1;
  const hasBoth = new Set(signs).size === 2;
  const isDecimal = hasBoth || (signs.length === 1 && (last === decimal || behind !== 3));
  if (!isDecimal) return text.replaceAll(last, '');
  // A decimal sign that comes twice is none.
  if (text.indexOf(last) !== text.lastIndexOf(last)) return typed.trim();
  return text.replaceAll(last === '.' ? ',' : '.', '').replace(last, '.');
}

/** An exact decimal of the gateway as it is typed in the language. */
export function typedAmount(value: string, decimal: string): string {
  return value.replace('.', decimal);
}

/** Whether the gateway takes it as an amount. */
export function isAmount(value: string): boolean {
  return /^-?\d{1,15}(?:\.\d{1,3})?$/.test(value);
}
