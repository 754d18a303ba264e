/** One thing that is known of a customer. `href`: where the value is an address that may be opened. */
export type CustomerField = { key: string; label: string; text: string; href: string | null };

/** Longer values are cut: a page that holds a book is no use on a call. */
const longestText = 20_000;
const deepest = 6;

/**
 * Everything that a CRM has told, readable: objects become paths, lists of plain values become lines. Values come from
 * strangers; they are text and nothing else, and only `https:` addresses can be opened.
 */
export function customerFields(record: Readonly<Record<string, unknown>>): CustomerField[] {
  return walk(record, [], 0);
}

function walk(record: object, path: readonly string[], depth: number): CustomerField[] {
  return Object.entries(record).flatMap(([key, value]: [string, unknown]) => {
    const here = [...path, key];
    if (isBranch(value) && depth < deepest) return walk(value, here, depth + 1);
    const text = shorten(textOf(value));
    return [{ key: here.join('.'), label: here.map(labelOf).join(' › '), text, href: safeAddress(text) }];
  });
}

/** Worth lines of its own: not empty, and more than a list of plain values. */
function isBranch(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const parts: unknown[] = Object.values(value);
  if (parts.length === 0) return false;
  return !Array.isArray(value) || parts.some((part) => typeof part === 'object' && part !== null);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object' || part === null)) {
    return value.length === 0 ? '–' : value.map(textOf).join('\n');
  }
  const written = JSON.stringify(value);
  return written === '{}' ? '–' : written;
}

function shorten(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}… (${(text.length - longestText).toLocaleString('en')} more characters)`;
}

/** `open_tickets` and `openTickets` → `Open tickets`; what is no name of a field stays as it is. */
function labelOf(key: string): string {
  if (key.trim() === '') return '(no name)';
  if (/^\d+$/.test(key)) return String(Number(key) + 1);
  if (!/^[\w-]+$/.test(key)) return key;
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The address if the whole text is one that may be opened, else null. */
export function safeAddress(text: string): string | null {
  if (text.length > 2048 || !/^https:\/\/\S+$/.test(text)) return null;
  try {
    const address = new URL(text);
    // A name before the host shows one address and opens another.
    return address.protocol === 'https:' && address.username === '' && address.password === '' ? address.href : null;
  } catch {
    return null;
  }
}
