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

/** Line by line; what comes before the first boundary and after the last one is nothing. */
function cut({ parameters, text }: Part): Part[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  // Who names no boundary begins with it all the same.
  const boundary =
    parameterOf(parameters, 'boundary') ?? (lines.find((line) => line.startsWith('--')) ?? '').slice(2).trimEnd();
  if (boundary === '') return [];
  const parts: string[][] = [];
  let current: string[] | null = null;
  for (const line of lines) {
    const end = line.startsWith('--') ? line.trimEnd() : '';
    if (end === `--${boundary}--`) break;
    if (end === `--${boundary}`) {
      current = [];
      parts.push(current);
      if (parts.length > mostParts) break;
    } else current?.push(line);
  }
  return parts.map((one) => {
    const empty = one.indexOf('');
    const [above, below] = empty < 0 ? [[], one] : [one.slice(0, empty), one.slice(empty + 1)];
    return partOf(headOf(['', ...above].join('\r\n')).headers, below.join('\r\n'));
  });
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
