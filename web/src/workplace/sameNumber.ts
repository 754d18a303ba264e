/** So many last digits tell numbers apart that one network writes nationally and another with a country. */
const telling = 6;

/** Whether two spellings are of one number: `+49 30 123456`, `030123456`. */
export function isSameNumber(left: string, right: string): boolean {
  const [a, b] = [digitsOf(left), digitsOf(right)];
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  return a === b || (short.length >= telling && long.endsWith(short));
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '').replace(/^0+/, '');
}
