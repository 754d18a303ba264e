import { URI } from 'jssip';
import { hexOf, textInHex } from './hex.ts';

/**
 * The SIP library reads fewer addresses than telephone networks use: no host that begins with a digit (`1af019b2ba08`,
 * as containers are named), no `tel:`. Such a one gets a stand-in that holds how it was written, so that any page can
 * say it back, even one that was opened later.
 */
const standInHost = 'as-written.invalid';
/** Characters; longer ones are nobody's. */
const longestUri = 1_000;

const hostStandIn = /\bh((?:[\da-f]{2})+)\.as-written\.invalid\b/gi;
const uriStandIn = /\bsip:(?:[\w+.*%-]*@)?u((?:[\da-f]{2})+)\.as-written\.invalid\b/gi;
/** What may be said back: nothing that begins another address, header or line. */
const safe = /^[^\s\p{Cc}<>",]+$/u;

/** @returns a URI that the SIP library reads, the same one if it can; null: there is no making sense of it */
export function readableUri(written: string): string | null {
  if (written.length > longestUri) return null;
  const uri = written.replaceAll(/[\s\p{Cc}<>",]/gu, encodeURIComponent);
  if (isReadable(uri)) return uri;
  return withReadableHost(uri) ?? wholeStandIn(uri);
}

/** @returns a host that the SIP library reads, the same one if it can */
export function readableHost(host: string): string {
  return isReadable(`sip:${host}`) ? host : `h${hexOf(host)}.${standInHost}`;
}

/** @returns the text with the addresses as the other side wrote them */
export function asWritten(text: string): string {
  if (!text.includes(standInHost)) return text;
  return text.replaceAll(uriStandIn, said).replaceAll(hostStandIn, said);
}

function said(standIn: string, hex: string): string {
  const written = textInHex(hex);
  return safe.test(written) ? written : standIn;
}

/** Whether the library reads it as a URI of SIP. It throws at some. */
function isReadable(uri: string): boolean {
  try {
    return (URI.parse(uri) as URI | undefined) !== undefined;
  } catch {
    return false;
  }
}

/** The user, port and parameters stay as they are; null: they cannot be read either. */
function withReadableHost(uri: string): string | null {
  const [, before = '', host = '', behind = ''] =
    /^(sips?:(?:[^?]*@)?)(\[[^\]]*\]|[^;?@]*?)((?::\d*)?(?:[;?].*)?)$/is.exec(uri) ?? [];
  if (host === '') return null;
  const readable = `${before}${readableHost(host)}${behind === ':' ? '' : behind}`;
  return isReadable(readable) ? readable : null;
}

/** @param uri of any scheme; the digits of a telephone stay to be seen */
function wholeStandIn(uri: string): string | null {
  const [, scheme = '', user = ''] = /^([a-z][a-z\d+.-]*):([^@;?]*)/i.exec(uri) ?? [];
  if (scheme === '') return null;
  const shown = user.replaceAll(/[^\w+.*-]/g, '').slice(0, 64);
  return `sip:${shown === '' ? '' : `${shown}@`}u${hexOf(uri)}.${standInHost}`;
}
