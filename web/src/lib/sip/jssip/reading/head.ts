/** `name`: the long one, in lower case. */
export type Header = { name: string; value: string };
export type Head = { start: string; headers: Header[] };

/** RFC 3261, 7.3.3, and those that came later. */
const longNames = new Map(
  Object.entries({
    v: 'via',
    f: 'from',
    t: 'to',
    i: 'call-id',
    m: 'contact',
    c: 'content-type',
    l: 'content-length',
    x: 'session-expires',
    r: 'refer-to',
    b: 'referred-by',
    o: 'event',
    k: 'supported',
  }),
);

/** A line that begins with a blank goes on from the one before; one that is no header is left out. */
export function headOf(text: string): Head {
  const [start = '', ...lines] = text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    return name === '' || /\s/.test(name)
      ? []
      : [
          {
            name: longNames.get(name) ?? name,
            value: line
              .slice(colon + 1)
              .replaceAll(/[\r\n\0]+/g, ' ')
              .trim(),
          },
        ];
  });
  return { start: start.trim(), headers };
}
