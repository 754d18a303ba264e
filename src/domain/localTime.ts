/** Times by the clock on the wall of a time zone. Daylight saving time skips some and shows others twice. */

/** No zone changes its clock twice within two days. Milliseconds. */
const dayMs = 86_400_000;

/** Making one costs a hundred times as much as using it; there are about 400 zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The instant at which the clock in that zone shows this time. Of a time that it shows twice the first; one that
 * it skips is taken by the clock of before the change, so that 02:30 becomes 03:30 where 2 is followed by 3 (as
 * RFC 5545, 3.3.5, has it).
 * @param local `2026-11-30T09:30`, with or without seconds
 * @param timeZone IANA
 */
export function instantOf(local: string, timeZone: string): Date {
  const asUtc = Date.parse(`${local}Z`);
  const [before, after] = [offsetAt(asUtc - dayMs, timeZone), offsetAt(asUtc + dayMs, timeZone)];
  const fitting = [before, after].filter((offset) => offsetAt(asUtc - offset, timeZone) === offset);
  return new Date(asUtc - (fitting.length === 0 ? before : Math.max(...fitting)));
}

/**
 * The instant that a request means.
 * @param text with an offset, or by the clock on the wall in that zone
 */
export function instantMeant(text: string, timeZone: string): Date {
  return hasOffset(text) ? new Date(text) : instantOf(text, timeZone);
}

export function hasOffset(text: string): boolean {
  return text.endsWith('Z');
}

/** What the clock in that zone shows then: `2026-11-30T09:30:00`. */
export function localTimeOf(at: Date, timeZone: string): string {
  return new Date(at.getTime() + offsetAt(at.getTime(), timeZone)).toISOString().slice(0, 19);
}

/** By how much the clock in that zone is ahead of UTC then. Milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  // `fractionalSecond` aside: no offset has any.
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const made =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(timeZone, made);
  return made;
}
