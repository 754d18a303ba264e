import parsePhoneNumber, { isSupportedCountry } from 'libphonenumber-js/min';

/** A number of 15 digits with spaces between all of them and an extension. Longer texts are not worth reading. */
const longest = 48;

/**
 * A phone number as people read it: `+15551230001` is `+1 555 123 0001`, with its extension if it has one.
 * Anything else than a number in international form is returned as it is: extensions, SIP addresses, what
 * networks tell of callers.
 */
export function internationalFormat(text: string): string {
  if (!/^\+\d/.test(text) || text.length > longest) return text;
  const formatted = parsePhoneNumber(text, { extract: false })?.formatInternational();
  // Parsing drops a national prefix between the country code and the number. What is shown is what is dialed.
  return formatted !== undefined && digitsOf(formatted) === digitsOf(text) ? formatted : text;
}

/**
 * Whose number somebody has written, as far as it is known by then (ISO 3166-1 alpha-2);
 * null: nobody can tell, as of the first digits of countries that share a code.
 * @param own the country of numbers without a country code; null: there is none
 */
export function phoneCountry(text: string, own: string | null): string | null {
  const written = text.trim().replace(/^00(?=[1-9])/, '+');
  if (written.length > longest) return null;
  const parsed = parsePhoneNumber(written, {
    extract: false,
    ...(own !== null && isSupportedCountry(own) ? { defaultCountry: own } : {}),
  });
  if (parsed === undefined) return null;
  const possible = parsed.country === undefined ? parsed.getPossibleCountries() : [parsed.country];
  return possible.length === 1 ? (possible[0] ?? null) : null;
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}
