import { parameterOf } from './address.ts';
import { headOf, type Head, type Header } from './head.ts';

/** No PBX sends more, nor packs it deeper. */
const [mostParts, deepest] = [50, 4];

/** What a body is, as its own headers say. */
type Part = { type: string; parameters: string; disposition: string; handling: string; encoding: string; text: string };

/**
 * A message about the voice with its SDP alone, which is all that the SIP library takes of a body: it refuses what
 * comes in parts (RFC 5621), such as a call with the caller's location beside the SDP. What names no type is SDP
 * where it begins as such.
 * @returns null: there is a body without SDP, and a request that must not be understood without it
 */
export function withSdpAlone(head: Head, body: string): { head: Head; body: string } | null {
  if (body.trim() === '' || !isAboutVoice(head)) return { head, body };
  const whole = partOf(head.headers, body);
  if (isPlain(whole, head.headers)) return { head, body };
  const parts = partsIn(whole, { left: mostParts, depth: deepest });
  const sdp = parts.find(
    ({ type, disposition }) => type === 'application/sdp' && ['', 'session'].includes(disposition),
  );
  const text = sdp === undefined ? '' : decoded(sdp);
  const isOptional = parts.length > 0 && parts.every(({ handling }) => handling === 'optional');
  const isNeeded = /^(?:INVITE|UPDATE) /.test(head.start) && !isOptional;
  if (text.trim() === '') return isNeeded ? null : { head: { ...head, headers: withoutBody(head.headers) }, body: '' };
  const headers = [...withoutBody(head.headers), { name: 'content-type', value: 'application/sdp' }];
  return { head: { ...head, headers }, body: `${text.trim().replaceAll(/\r?\n/g, '\r\n')}\r\n` };
}

function isAboutVoice({ headers }: Head): boolean {
  const cseq = headers.find(({ name }) => name === 'cseq')?.value ?? '';
  return /^(?:INVITE|ACK|UPDATE|PRACK)$/.test(/\s([A-Z]+)$/.exec(cseq)?.[1] ?? '');
}

/** As the library takes it. */
function isPlain({ type, encoding }: Part, headers: readonly Header[]): boolean {
  const isTold = headers.some(({ name }) => name === 'content-type');
  return isTold && type === 'application/sdp' && !['base64', 'quoted-printable'].includes(encoding);
}

function withoutBody(headers: readonly Header[]): Header[] {
  return headers.filter(({ name }) => !name.startsWith('content-'));
}

function partOf(headers: readonly Header[], text: string): Part {
  const valueOf = (name: string) => headers.find((header) => header.name === name)?.value ?? '';
  const [type, parameters] = split(valueOf('content-type'));
  const [disposition, about] = split(valueOf('content-disposition'));
  const isBareSdp = type === '' && /^\s*v=0\s/.test(text);
  return {
    type: isBareSdp ? 'application/sdp' : type,
    parameters,
    disposition,
    handling: (parameterOf(about, 'handling') ?? '').toLowerCase(),
    encoding: valueOf('content-transfer-encoding').toLowerCase(),
    text,
  };
}

function split(value: string): [string, string] {
  const end = value.indexOf(';');
  return end < 0 ? [value.trim().toLowerCase(), ''] : [value.slice(0, end).trim().toLowerCase(), value.slice(end)];
}

/**
 * Those that hold no others, the ones to be taken first before the others: of alternatives the last is
 * the best (RFC 2046, 5.1.4).
 */
function partsIn(whole: Part, bounds: { left: number; depth: number }): Part[] {
  if (!whole.type.startsWith('multipart/') || bounds.depth === 0) return [whole];
  const inside: Part[][] = [];
  for (const part of cut(whole)) {
    if (bounds.left === 0) break;
    bounds.left -= 1;
    bounds.depth -= 1;
    inside.push(partsIn(part, bounds));
    bounds.depth += 1;
  }
  return (whole.type === 'multipart/alternative' ? inside.reverse() : inside).flat();
}

/** What stands between its boundaries; what comes before the first one and after the last is nothing. */
function cut({ parameters, text }: Part): Part[] {
  // Who names no boundary begins with it all the same.
  const first = dashedLines(text).next().value?.line ?? '';
  const boundary = parameterOf(parameters, 'boundary') ?? first.slice(2);
  if (boundary === '') return [];
  const parts: string[] = [];
  let begun: number | null = null;
  for (const { line, at, end } of dashedLines(text)) {
    const isLast = line === `--${boundary}--`;
    if (!isLast && line !== `--${boundary}`) continue;
    if (begun !== null) parts.push(text.slice(begun, at));
    begun = isLast ? null : end;
    if (isLast || parts.length > mostParts) break;
  }
  if (begun !== null) parts.push(text.slice(begun));
  return parts.map((part) => {
    const gap = /^\r?\n|\n\r?\n|\n\r?$/.exec(part);
    const above = part.slice(0, gap?.index ?? 0).replaceAll(/\r?\n/g, '\r\n');
    return partOf(headOf(`\r\n${above}`).headers, part.slice(gap === null ? 0 : gap.index + gap[0].length));
  });
}

/** Lines that begin as boundaries do; `at`: where the line before ends, `end`: where the next one begins. */
function* dashedLines(text: string): Generator<{ line: string; at: number; end: number }> {
  for (let at = text.startsWith('--') ? 0 : text.indexOf('\n--'); at >= 0; at = text.indexOf('\n--', at + 1)) {
    const begin = text[at] === '\n' ? at + 1 : at;
    const next = text.indexOf('\n', begin);
    const end = next < 0 ? text.length : next + 1;
    yield { line: text.slice(begin, end).trimEnd(), at, end };
  }
}

/** Empty: it cannot be decoded. */
function decoded({ encoding, text }: Part): string {
  if (encoding === 'base64') {
    try {
      return new TextDecoder().decode(Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (sign) => sign.charCodeAt(0)));
    } catch {
      return '';
    }
  }
  if (encoding !== 'quoted-printable') return text;
  // What it encodes of SDP is ASCII, such as the equals signs.
  return text
    .replaceAll(/=[ \t]*\r?\n/g, '')
    .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
