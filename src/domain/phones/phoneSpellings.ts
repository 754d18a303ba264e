/** Countries in which one number is, or was, written in two ways. */

/**
 * A number as its country writes it now: of Mexico without the 1 that mobile numbers had before them until 2020,
 * of Brazil with the ninth digit that they have had since 2016.
 */
export function currentSpelling(phone: string): string {
  return phone
    .replace(/^\+521(\d{10})$/, '+52$1')
    .replace(/^\+55([1-9]{2})([6-9]\d{7})$/, (_, area: string, rest: string) => `+55${area}9${rest}`);
}

/**
 * How else the same number is written, where it was kept or typed so: as it was before, or in Argentina, where mobile
 * numbers have a 9 before them when they are dialed from abroad, with or without it. Null: in no other way.
 */
export function otherSpelling<N extends string>(phone: N): N | null {
  const [, nine, argentine] = /^\+54(9?)([1-8]\d{9})$/.exec(phone) ?? [];
  if (argentine !== undefined) return `+54${nine === '' ? '9' : ''}${argentine}` as N;
  const former = phone.replace(/^\+52([1-9]\d{9})$/, '+521$1').replace(/^(\+55[1-9]{2})9([6-9]\d{7})$/, '$1$2');
  return former === phone ? null : (former as N);
}

/** What is found under a number, or else under its other spelling. */
export async function underEitherSpelling<T, N extends string>(
  phone: N,
  find: (spelling: N) => Promise<T | null>,
): Promise<T | null> {
  const other = otherSpelling(phone);
  return (await find(phone)) ?? (other === null ? null : find(other));
}

/** So many digits at the end tell two numbers apart that a dialplan writes in its own way. */
const digitsCompared = 7;

/**
 * Whether two texts end in the same digits, as one number does that a PBX and a person write;
 * without digits, whether they are the same.
 */
export function endsAlike(one: string, other: string): boolean {
  const ends = [one, other].map((text) => text.replaceAll(/\D/g, '').slice(-digitsCompared));
  return ends[0] === '' && ends[1] === '' ? one.trim() === other.trim() : ends[0] === ends[1];
}
