import parsePhoneNumber from 'libphonenumber-js/min';

/** A number of 15 digits with spaces between all of them and an extension. Longer texts are not worth reading. */
const longest = 48;

/**
 * A phone number as people read it: `+15551230001` is `+1 555 123 0001`, with its extension if it has one. Anything else
 * than a number in international form is returned as it is: extensions, SIP addresses, what networks tell of callers.
 */
export function internationalFormat(text: string): string {
  if (!/^\+\d/.test(text) || text.length > longest) return text;
  const formatted = parsePhoneNumber(text, { extract: false })?.formatInternational();
  // Parsing drops a national prefix between the country code and the number. What is shown is what is dialed.
  return formatted !== undefined && digitsOf(formatted) === digitsOf(text) ? formatted : text;
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}
