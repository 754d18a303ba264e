/** One side of a call, as a From, To or Contact header names it. */
export type SipAddress = {
  /** The header's value as it came. */
  text: string;
  uri: string;
  /** The part of the URI before the `@`, decoded; null: there is none. */
  user: string | null;
  /** The header's `tag` parameter; null: none. */
  tag: string | null;
};

/** Reads `"Ada" <sip:ada@host>;tag=1` or `sip:ada@host;tag=1`; null: that is no address. */
export function parseAddress(text: string): SipAddress | null {
  // A display name may hold any character, in quotes.
  const bare = text.replace(/^\s*"(?:[^"\\]|\\.)*"/, '');
  const bracketed = /<([^<>]*)>(.*)$/.exec(bare);
  const [, uri = '', rest = ''] = bracketed ?? /^\s*([^;\s]*)(.*)$/.exec(bare) ?? [];
  if (!/^sips?:[^\s]+$/i.test(uri)) return null;
  return { text, uri, user: userOf(uri), tag: parameterIn(rest, 'tag') };
}

/** The user of a SIP URI, decoded; null: none, or it cannot be decoded. */
export function userOf(uri: string): string | null {
  const user = /^sips?:([^@:;?]+)(?::[^@]*)?@/i.exec(uri)?.[1];
  if (user === undefined) return null;
  try {
    return decodeURIComponent(user);
  } catch {
    return null;
  }
}

/** A parameter behind an address or a value: `;name=value`, without quotes. Null: it is not there. */
export function parameterIn(text: string, name: string): string | null {
  for (const part of text.split(';').slice(1)) {
    const [key = '', value = ''] = part.split('=', 2).map((piece) => piece.trim());
    if (key.toLowerCase() === name) return value.replace(/^"|"$/g, '');
  }
  return null;
}
