import { parameterOf } from './address.ts';
import { hexOf, textInHex } from './hex.ts';
import type { Header } from './head.ts';

/**
 * The SIP library knows a request again by the branch of its Via alone, and looks it up among names that every object
 * has (`constructor`). Before RFC 3261, branches said nothing, or were missing: then the next call was taken for the
 * same one. Such a one gets a stand-in that is as the request is (RFC 3261, 17.2.3), and holds how it was written, so
 * that it can be said back.
 */
const mark = 'as-written';
const standIn = /;branch=z9hG4bK\.((?:[\da-f]{2})*)\.(?:[\da-f]{2})*\.as-written/g;
/** What may be said back: nothing that begins another header or line. */
const safe = /^(?:;\s*branch\b[^\p{Cc}<>]*)?$/iu;
/** What begins a branch that is one of its own. */
const unique = /^z9hG4bK[\w.!%*+`'~-]{1,1000}$/i;

/** @returns the headers with a branch in the topmost Via that is the request's own */
export function withOwnBranch(headers: readonly Header[]): Header[] {
  const first = headers.findIndex(({ name }) => name === 'via');
  const valueOf = (sought: string) => headers.find(({ name }) => name === sought)?.value ?? '';
  // An ACK and a CANCEL are about the INVITE of the same number.
  const request = `${valueOf('call-id')} ${valueOf('from')} ${Number.parseInt(valueOf('cseq'))}`;
  return headers.map((header, at) => (at === first ? { ...header, value: viaOf(header.value, request) } : header));
}

function viaOf(via: string, request: string): string {
  if (
    unique.test(parameterOf(via.slice(Math.max(via.indexOf(';'), 0)), 'branch') ?? '') &&
    via.split(/;\s*branch\b/i).length === 2
  )
    return via;
  const [written = ''] = /;\s*branch\b\s*(?:=\s*(?:"[^"]*"|[^\s;,]*))?/i.exec(via) ?? [];
  const own = `;branch=z9hG4bK.${hexOf(written)}.${hexOf(request)}.${mark}`;
  return written === '' ? `${via}${own}` : via.replace(written, () => own);
}

/** @returns the text with the branches as the other side wrote them */
export function branchesAsWritten(text: string): string {
  return text.includes(`.${mark}`) ? text.replaceAll(standIn, said) : text;
}

function said(standIn: string, hex: string): string {
  const written = textInHex(hex);
  return safe.test(written) ? written : standIn;
}
