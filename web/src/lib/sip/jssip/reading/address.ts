/**
 * Who or where somebody is, as From, To, Contact and their like name them (RFC 3261, 20.10),
 * however carelessly it is spelled.
 */
export type Address = {
  /** Without quotes; null: there is none. */
  name: string | null;
  /** As written, without its brackets. */
  uri: string;
  /** What stands behind it, from its first `;` on; empty: nothing. */
  parameters: string;
};

/** Of an address without brackets: where its URI begins. */
const schemeForm = /(?:^|[\s"])(?=(?:sips?|tel|urn|im|pres|mailto):)/i;

/**
 * Reads one address. A name may hold what only quotes allow (`ACME, Inc. <sip:…>`),
 * the quotes and brackets may be missing.
 * @returns null: there is no URI in it
 */
export function readAddress(text: string): Address | null {
  const { name, rest } = afterQuotes(text.trim());
  const open = rest.indexOf('<');
  if (open >= 0) {
    const close = rest.indexOf('>', open);
    const inside = close < 0 ? rest.slice(open + 1) : rest.slice(open + 1, close);
    // What was never closed goes as far as a URI without brackets would.
    const { uri, parameters } =
      close < 0 ? withoutBrackets(inside) : { uri: inside.trim(), parameters: parametersIn(rest.slice(close + 1)) };
    return uri.includes(':') ? { name: name ?? nameIn(rest.slice(0, open)), uri, parameters } : null;
  }
  const begin = schemeForm.exec(rest)?.index ?? -1;
  if (begin < 0) return null;
  return { name: name ?? nameIn(rest.slice(0, begin)), ...withoutBrackets(rest.slice(begin).replace(/^[\s"]/, '')) };
}

/** A name with commas is no longer. Characters. */
const longestName = 1_000;

/** @returns the addresses of a header that may hold several; a comma in a name without quotes parts none */
export function readAddresses(text: string): Address[] {
  const addresses: Address[] = [];
  let unfinished = '';
  for (const part of parted(text, ',')) {
    const whole = unfinished === '' ? part : `${unfinished}, ${part}`;
    const address = readAddress(whole);
    unfinished = address === null && whole.length <= longestName ? whole : '';
    if (address !== null) addresses.push(address);
  }
  return addresses;
}

/** An address as every reader understands it. */
export function writeAddress({ name, uri, parameters }: Address): string {
  const quoted = name === null ? '' : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}" `;
  return `${quoted}<${uri}>${parameters}`;
}

/**
 * The parts of a list, cut at `sign` where it stands neither in quotes nor in brackets.
 * What is left open ends with the text.
 */
export function parted(text: string, sign: ',' | ';'): string[] {
  const parts: string[] = [];
  let [begin, isQuoted, isBracketed] = [0, false, false];
  for (let at = 0; at < text.length; at += 1) {
    const here = text[at];
    if (isQuoted && here === '\\') at += 1;
    else if (here === '"' && !isBracketed) isQuoted = !isQuoted;
    else if (!isQuoted && here === '<') isBracketed = true;
    else if (!isQuoted && here === '>') isBracketed = false;
    else if (here === sign && !isQuoted && !isBracketed) {
      parts.push(text.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  parts.push(text.slice(begin).trim());
  return parts.filter((part) => part !== '');
}

/** The value of `;name=value`, without quotes; `''`: the name alone; null: it is not there. */
export function parameterOf(parameters: string, name: string): string | null {
  for (const part of parted(parameters, ';')) {
    const [, key = '', value = ''] = /^([^=\s]+)\s*(?:=\s*(.*))?$/s.exec(part) ?? [];
    if (key.toLowerCase() === name) return value.replace(/^"(.*)"$/s, '$1');
  }
  return null;
}

/** A name in quotes, and what comes after it; quotes that are never closed are none. */
function afterQuotes(text: string): { name: string | null; rest: string } {
  const quoted = /^"((?:[^"\\]|\\.)*)"/s.exec(text);
  if (quoted === null) return { name: null, rest: text };
  const name = (quoted[1] ?? '').replaceAll(/\\(.)/gs, '$1').trim();
  return { name: name === '' ? null : name, rest: text.slice(quoted[0].length) };
}

function nameIn(text: string): string | null {
  const name = text.replaceAll(/["\\]/g, '').trim();
  return name === '' ? null : name;
}

/** A `;` before the `@` belongs to the user; all others begin what is said of the address. */
function withoutBrackets(text: string): { uri: string; parameters: string } {
  const end = /[\s>]/.exec(text)?.index ?? text.length;
  const at = text.slice(0, end).indexOf('@');
  const from = text.indexOf(';', at < 0 ? 0 : at);
  const uriEnd = from < 0 ? end : Math.min(from, end);
  return { uri: text.slice(0, uriEnd), parameters: parametersIn(text.slice(uriEnd)) };
}

function parametersIn(text: string): string {
  const begin = text.indexOf(';');
  return begin < 0 ? '' : text.slice(begin).trim();
}
