/**
 * What a date or a time says: a day of the calendar, a moment, or what a clock showed somewhere, without its time zone.
 */
export type ExactTime = { kind: 'day'; day: string } | { kind: 'moment'; at: number } | { kind: 'clock'; at: number };

/**
 * Reads ISO 8601 and the like of it that CRM systems write: `2026-11-21`, `2026-11-21T10:00:00Z`,
 * `2026-11-21 10:00:00.000+0000`. Null: it is none, such as the 31st of February.
 */
export function isoTime(text: string): ExactTime | null {
  const [, day, time, zone] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return null;
  if (time === undefined) return { kind: 'day', day };
  const offset = zone === undefined || zone === 'Z' ? 'Z' : zone.replace(/^(...):?(..)$/, '$1:$2');
  const at = Date.parse(`${day}T${time}${offset}`);
  if (Number.isNaN(at)) return null;
  return zone === undefined ? { kind: 'clock', at } : { kind: 'moment', at };
}

/** Seconds or milliseconds since the epoch, as some CRM systems count; null: it is neither. */
export function epochTime(text: string): ExactTime | null {
  if (!/^\d{10}(?:\d{3})?$/.test(text)) return null;
  return { kind: 'moment', at: Number(text) * (text.length === 10 ? 1_000 : 1) };
}

function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}
