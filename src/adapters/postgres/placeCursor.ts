import { isUuid } from '../../domain/ids.ts';

/**
 * Where a page of a list ended that is sorted by something: what it is sorted by, as PostgreSQL writes it, and the id,
 * as one word for an address.
 */
export function placeCursor(place: string, id: string): string {
  return Buffer.from(JSON.stringify([place, id])).toString('base64url');
}

/** Null: it is none that a page of such a list ended with. @param fits whether the list can be sorted by that */
export function readPlace(cursor: string, fits: (place: string) => boolean): [place: string, id: string] | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(read) || read.length !== 2) return null;
    const [place, id] = read as unknown[];
    return typeof place === 'string' && typeof id === 'string' && isUuid(id) && fits(place) ? [place, id] : null;
  } catch {
    return null;
  }
}

/** SQL: a time as it stands in such a place. */
export const timePlace = (time: string): string =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"+00"')`;

/** Whether it is such a time. */
export function isTimePlace(text: string): boolean {
  return (
    /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+00$/.test(text) &&
    !Number.isNaN(Date.parse(text.replace(' ', 'T').replace('+00', 'Z')))
  );
}
