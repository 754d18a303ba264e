import type { Header } from './head.ts';

/**
 * A way to prove who one is that the telephone network names (RFC 7616, 3.3),
 * its parameters by lower-case name and without quotes' marks.
 */
type Challenge = { scheme: string; parameters: Map<string, string> };

/** The better ones first. */
const known = ['SHA-256', 'SHA-256-SESS', 'MD5', 'MD5-SESS'];
export const digest = 'Digest';
const named = ['www-authenticate', 'proxy-authenticate'];
/** Where none is known: the names of those that were asked for. */
export const unknownHeader = 'X-Unknown-Challenges';

/**
 * Leaves the best challenge that is known, however many there are, in one header or several and in any order. The SIP
 * library takes the last one, MD5 or not, and overlooks what has quotes where it expects none, or the other way round.
 */
export function bestChallenge(headers: readonly Header[]): Header[] {
  const challenges = headers.filter(({ name }) => named.includes(name));
  const name = challenges[0]?.name;
  if (name === undefined) return [...headers];
  const all = challenges.filter((header) => header.name === name).flatMap(({ value }) => challengesIn(value));
  const usable = all.filter(isUsable).toSorted((a, b) => known.indexOf(algorithmOf(a)) - known.indexOf(algorithmOf(b)));
  const [best] = usable;
  const chosen =
    best === undefined
      ? { name: unknownHeader, value: all.map(nameOf).join(', ') || 'none' }
      : { name, value: written(best) };
  return [...headers.filter((header) => !named.includes(header.name)), chosen];
}

/** A word alone names the scheme; commas may be missing. */
function challengesIn(value: string): Challenge[] {
  const challenges: Challenge[] = [];
  for (const [, word = '', quoted, plain] of value.matchAll(
    /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g,
  )) {
    const given = quoted ?? plain;
    if (given === undefined) challenges.push({ scheme: word, parameters: new Map() });
    else challenges.at(-1)?.parameters.set(word.toLowerCase(), given);
  }
  return challenges;
}

function isUsable(challenge: Challenge): boolean {
  const { scheme, parameters } = challenge;
  const qop = qopOf(challenge);
  const isDigest = scheme.toLowerCase() === 'digest' && known.includes(algorithmOf(challenge));
  return isDigest && parameters.has('realm') && (parameters.get('nonce') ?? '') !== '' && qop !== 'unknown';
}

/**
 * Of the integrity of a body nothing is said where that is not asked for: border controllers change bodies.
 * Null: nothing is asked for.
 */
function qopOf({ parameters }: Challenge): 'auth' | 'auth-int' | 'unknown' | null {
  const options = (parameters.get('qop') ?? '')
    .split(/[\s,]+/)
    .map((option) => option.toLowerCase())
    .filter((option) => option !== '');
  if (options.length === 0) return null;
  return options.includes('auth') ? 'auth' : options.includes('auth-int') ? 'auth-int' : 'unknown';
}

function algorithmOf({ parameters }: Challenge): string {
  return (parameters.get('algorithm') ?? 'MD5').toUpperCase();
}

function nameOf(challenge: Challenge): string {
  return challenge.scheme.toLowerCase() === 'digest' ? algorithmOf(challenge) : challenge.scheme;
}

/** As the library reads it. */
function written(challenge: Challenge): string {
  const { parameters } = challenge;
  const quoted = ['realm', 'nonce', 'opaque'].flatMap((name) =>
    parameters.has(name) ? [`${name}="${parameters.get(name) ?? ''}"`] : [],
  );
  const qop = qopOf(challenge);
  const isStale = parameters.get('stale')?.toLowerCase() === 'true';
  const all = [
    ...quoted,
    `algorithm=${algorithmOf(challenge)}`,
    ...(qop === null ? [] : [`qop="${qop}"`]),
    ...(isStale ? ['stale=true'] : []),
  ];
  return `${digest} ${all.join(', ')}`;
}
