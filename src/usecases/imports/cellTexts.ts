import { languageTag, timeZone } from '../../contract/contacts.ts';
import { type Language, languages } from '../../contract/vocabulary.ts';
import { ownValue } from '../../contract/ownValue.ts';
import { plainCell } from '../../domain/spreadsheetCells.ts';

/** What programs write for nothing. `Null` is a family name. */
const nothing = /^(?:[-–—_.?]+|n\/a|#n\/a|na|none|nil|null|undefined|\(none\)|\(empty\)|k\.\s?a\.)$/i;

/**
 * A cell without what keeps spreadsheets from changing it: `="0207…"` and `'0207…`;
 * empty for what programs write where nothing is.
 */
export function bareCell(cell: string): string {
  const plain = plainCell(cell).trim();
  const bare = (/^="(.*)"$/s.exec(plain)?.[1] ?? plain.replace(/^'(?=[\d+(])/, '')).trim();
  return bare !== 'Null' && nothing.test(bare) ? '' : bare;
}

/** The addresses that stand in a cell, also as `mailto:` and behind names; where there is none, what stands there. */
export function addressesIn(cell: string): string[] {
  const words = cell.split(/:::|[;|,\n]/).flatMap((part) => {
    const text = part.trim();
    const wrapped = /<([^<>]*)>/.exec(text)?.[1] ?? text;
    return wrapped
      .trim()
      .replace(/^mailto:/i, '')
      .replace(/\?.*$/s, '')
      .split(/\s+/)
      .filter((word) => word !== '');
  });
  const addresses = words.filter((word) => word.includes('@'));
  return addresses.length > 0 ? addresses : [cell];
}

/** Longer texts name no day, language or time zone. Characters. */
const longestName = 64;

/**
 * `2026-03-01` for a day as people and programs of the company's language write it, with a time of day or not;
 * null: it is none, or its year is short.
 */
export function dayIn(cell: string, language: Language | null, country: string | null): string | null {
  if (cell.length > longestName) return null;
  const text = cell.replace(/[T\s,]+\d{1,2}:\d{2}.*$/s, '').trim();
  const [, year, month, day] = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})$/.exec(text) ?? [];
  if (year !== undefined) return isoDay(year, month, day);
  const [, first, sign, second, last] = /^(\d{1,2})\s?([-./])\s?(\d{1,2})\s?\2\s?(\d{4})$/.exec(text) ?? [];
  if (first !== undefined) {
    const isMonthFirst =
      Number(second) > 12 ||
      (Number(first) <= 12 && sign === '/' && (language ?? 'en') === 'en' && monthFirst.has(country ?? 'US'));
    return isMonthFirst ? isoDay(last, first, second) : isoDay(last, second, first);
  }
  const words = text
    .toLowerCase()
    .split(/[\s,./-]+/)
    .filter((word) => word !== '' && word !== 'de' && word !== 'del');
  const named = words.findIndex((word) => monthNames().has(word));
  const numbers = words.filter((_, at) => at !== named).map((word) => word.replace(/(?<=\d)(?:st|nd|rd|th|er)$/, ''));
  const [one = '', other = ''] = numbers;
  if (named === -1 || numbers.length !== 2 || !/^\d{1,2}$/.test(one) || !/^\d{4}$/.test(other)) return null;
  return isoDay(other, monthNames().get(words[named] ?? ''), one);
}

/** Where people write the month before the day. */
const monthFirst = new Set(['US', 'PH', 'PR', 'GU', 'CA']);

const isoDay = (year: string | undefined, month: string | undefined, day: string | undefined) =>
  `${year ?? ''}-${month?.padStart(2, '0') ?? ''}-${day?.padStart(2, '0') ?? ''}`;

/** The number of each month by its names, long and short. */
const monthNames = once(() => {
  const names = new Map<string, string>();
  for (const language of languages) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      for (let at = 0; at < 12; at += 1) {
        names.set(
          format
            .format(Date.UTC(2026, at, 1))
            .toLowerCase()
            .replace(/\.$/, ''),
          String(at + 1),
        );
      }
    }
  }
  return names;
});

/**
 * A language tag for a language by its tag, as programs write it, or by its name in any of our languages or its own;
 * null: there is no such.
 */
export function languageIn(cell: string): string | null {
  if (cell.length > longestName) return null;
  const tag = cell.replaceAll('_', '-');
  if (languageTag.safeParse(tag).success) return tag;
  const name = cell.toLowerCase();
  return languageNames().get(name) ?? languageNames().get(name.replace(/\s*[-(,].*$/s, '')) ?? null;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const languageNames = once(() => {
  const names = new Map<string, string>();
  const ours = languages.map((language) => new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }));
  for (const code of letters.flatMap((one) => letters.map((other) => one + other))) {
    if (ours[0]?.of(code) === undefined) continue;
    for (const display of [...ours, new Intl.DisplayNames(code, { type: 'language', fallback: 'none' })]) {
      const name = display.of(code)?.toLowerCase();
      if (name !== undefined && !names.has(name)) names.set(name, code);
    }
  }
  return names;
});

/**
 * A time zone for one by its name, as programs write it (`europe_slash_berlin`), by its city,
 * or by what Windows and web applications call it; null: there is no such.
 */
export function timeZoneIn(cell: string): string | null {
  if (cell.length > longestName) return null;
  const name = cell
    .replace(/^\((?:GMT|UTC)[^)]*\)\s*/i, '')
    .replace(/_slash_|\s*\/\s*/gi, '/')
    .trim();
  const [folded, underscored] = [name.toLowerCase(), name.replaceAll(' ', '_')];
  const city = `/${(folded.split(',')[0] ?? '').replaceAll(' ', '_')}`;
  return (
    zones().get(underscored.toLowerCase()) ??
    ownValue(namedZones, folded.replace(/ \(us & canada\)$/, '').replace(/ (?:standard )?time$/, '')) ??
    zones().get(city) ??
    (timeZone.safeParse(underscored).success ? underscored : null)
  );
}

/** Zones by their names and, behind a slash, their cities. */
const zones = once(() => {
  const all = Intl.supportedValuesOf('timeZone');
  return new Map([
    ...all.map((zone) => [zone.replace(/^.*\//, '/').toLowerCase(), zone] as const),
    ...all.map((zone) => [zone.toLowerCase(), zone] as const),
  ]);
});

/** What Windows (CLDR windowsZones) and Rails call the zones that contacts are mostly in. */
const namedZones: Readonly<Record<string, string>> = {
  eastern: 'America/New_York',
  central: 'America/Chicago',
  mountain: 'America/Denver',
  pacific: 'America/Los_Angeles',
  alaska: 'America/Anchorage',
  alaskan: 'America/Anchorage',
  hawaii: 'Pacific/Honolulu',
  hawaiian: 'Pacific/Honolulu',
  atlantic: 'America/Halifax',
  'e. south america': 'America/Sao_Paulo',
  gmt: 'Europe/London',
  'w. europe': 'Europe/Berlin',
  romance: 'Europe/Paris',
  'central europe': 'Europe/Budapest',
  'central european': 'Europe/Warsaw',
  fle: 'Europe/Kyiv',
  gtb: 'Europe/Bucharest',
  turkey: 'Europe/Istanbul',
  russian: 'Europe/Moscow',
  israel: 'Asia/Jerusalem',
  arabian: 'Asia/Dubai',
  india: 'Asia/Kolkata',
  china: 'Asia/Shanghai',
  tokyo: 'Asia/Tokyo',
  korea: 'Asia/Seoul',
  singapore: 'Asia/Singapore',
  'aus eastern': 'Australia/Sydney',
  'new zealand': 'Pacific/Auckland',
  'south africa': 'Africa/Johannesburg',
};

/** What takes long to make, when it is first needed. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
