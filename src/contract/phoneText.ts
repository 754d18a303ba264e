/**
 * What is not seen: marks of direction, joiners, soft hyphens and byte order marks,
 * which come along when a number is copied.
 */
const invisible = /\p{Cf}/gu;
const otherDigits = /[^\0-\x7f]/gu;

/**
 * What somebody has written for a phone number, in ASCII digits and signs, without what is not seen and without the
 * address that it stands in. What is read of it is then up to the numbering plan.
 */
export function plainOf(written: string): string {
  // Most are plain already.
  return /^\+\d+$/.test(written) ? written : asciiOf(userOf(asciiOf(written)));
}

function asciiOf(written: string): string {
  return written.replace(invisible, '').replace(otherDigits, asciiSign);
}

function asciiSign(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  // Full-width forms, as Chinese, Japanese and Korean keyboards write them.
  if (code >= 0xff_01 && code <= 0xff_5e) return String.fromCodePoint(code - 0xfe_e0);
  if (!/\p{Nd}/u.test(sign)) return sign;
  // The digits of each script follow each other, from its zero on.
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

const tel = /^tel:([^;?]*)(.*)$/i;
const sip = /^sips?:([^@;?]+)([^@?]*)(?:[@?].*)?$/i;
/**
 * What networks say of a user, such as `;cpc=ordinary`,
 * `;verstat=TN-Validation-Passed` or `;npdi` (RFC 3966, RFC 4694).
 */
const withParameters = /^([^;@]+)((?:;\s*[a-z][\w.-]*\s*=[^;]*|;\s*(?:npdi|enumdi|isub-encoding))+;?)$/i;
const named = /^(?:"[^"]*"\s*|[^<"]*)<([^<>]+)>(?:\s*;.*)?$/;

/**
 * The user in an address of a telephone (`tel:`, RFC 3966, in its `phone-context` where that is one) or of
 * a telephony network (`sip:+49…@host`), in angle brackets after a name or not, without its parameters.
 * What is none stays as it is.
 */
function userOf(input: string): string {
  const trimmed = input.trim();
  const address = named.exec(trimmed)?.[1]?.trim() ?? trimmed;
  const [, number = '', parameters = ''] = tel.exec(address) ?? [];
  if (number !== '') return inContext(number, parameters);
  const [, user, ofUser = ''] = sip.exec(address) ?? [];
  if (user !== undefined) return inContext(withoutParameters(decoded(user)), ofUser);
  return address === trimmed ? withoutParameters(input) : address;
}

/** The user alone; an extension stays. */
function withoutParameters(text: string): string {
  const [, user, parameters = ''] = withParameters.exec(text.trim()) ?? [];
  if (user === undefined) return text;
  const extension = /;\s*ext\s*=\s*(\d{1,7})/i.exec(parameters)?.[1];
  return `${inContext(user.trim(), parameters)}${extension === undefined ? '' : `;ext=${extension}`}`;
}

function inContext(number: string, parameters: string): string {
  const context = /;\s*phone-context\s*=\s*(\+\d+)/i.exec(parameters)?.[1];
  return context === undefined || number.startsWith('+') ? number : context + number;
}

/** `%2B49…`, as addresses may spell a plus. */
function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}

/** What networks tell in place of a number or a name that is withheld (RFC 3323, 3325 and PBXs). */
const withheldWords = [
  'anonymous',
  'restricted',
  'unavailable',
  'unknown',
  'private',
  'withheld',
  'blocked',
  'invalid',
  'asserted-id',
];
const keypad = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'];
/** The same as carriers that have digits alone tell it: by the letters of a keypad, `266696687` for ANONYMOUS. */
const withheldDigits = new Set(
  ['anonymous', 'restricted', 'unavailable', 'unknown', 'private', 'blocked'].map(onKeypad),
);

function onKeypad(word: string): string {
  return [...word].map((letter) => keypad.findIndex((letters) => letters.includes(letter)) + 2).join('');
}

/** Whether a network says that it keeps to itself who calls. @param plain a text made plain */
export function isWithheld(plain: string): boolean {
  const user = plain.trim().toLowerCase();
  const digits = /^(?:\+|00)?(\d+)$/.exec(user)?.[1];
  return digits === undefined ? withheldWords.includes(user.replace(/@.*$/, '')) : withheldDigits.has(digits);
}
