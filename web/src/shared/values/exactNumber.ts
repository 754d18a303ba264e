/** As many decimals as every browser writes. */
const mostDecimals = 20;

/**
 * A number as its reader writes it, every digit of it: `1234567.50` is `1,234,567.50`.
 * Null: it is none, or one that would lose digits, such as an id with zeros before it.
 * @param locale BCP 47 @param text as JSON writes it
 */
export function exactNumber(locale: string, text: string): string | null {
  const [, fraction = ''] = /^-?\d+(?:\.(\d+))?$/.exec(text) ?? [];
  const decimals = fraction.length;
  if (!isDecimal(text) || decimals > mostDecimals) return null;
  const written = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(text as `${number}`);
  return digitsOf(written) === digitsOf(text) ? written : null;
}

/**
 * An amount in a currency; null: it is no amount, or would lose digits.
 * @param write as `Format.money`
 * @param text as JSON writes it
 * @param currency ISO 4217
 */
export function exactMoney(
  write: (value: string, currency: string) => string,
  text: string,
  currency: string,
): string | null {
  if (!isDecimal(text)) return null;
  const written = write(text, currency);
  return withoutEnd(digitsOf(written)) === withoutEnd(digitsOf(text)) ? written : null;
}

function isDecimal(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** Without zeros at the end: cents are written or not, as the reader is used to. */
function withoutEnd(digits: string): string {
  return digits.replace(/0+$/, '');
}
