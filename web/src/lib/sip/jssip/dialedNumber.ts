import type { IncomingRequest } from 'jssip/lib/SIPMessage.js';
import { isWithheld } from '../../../../../src/contract/phoneText.ts';
import { headersOf, numberIn } from './callerId.ts';
import { readAddress, readAddresses } from './reading/address.ts';

/** No address is longer. Characters. */
const longest = 2_000;

/**
 * The number that a customer called, as their INVITE tells; null: it tells none but the agent's own. What is nearer to
 * the customer comes first, so that a line that was forwarded to the agent is still the line:
 * 1. the header that the company names: its PBX knows its own lines;
 * 2. the first entry of `History-Info`, to whom the call was addressed before any forwarding (RFC 7044, 3);
 * 3. the last `Diversion`, since each forwarding is put before those of earlier (RFC 5806, 3);
 * 4. `P-Called-Party-ID`, which the last proxy has replaced by the agent's Contact (RFC 7315, 4.2);
 * 5. `To`, which no proxy changes (RFC 3261, 8.1.1.2), but a PBX that makes a call of its own to the agent does.
 * @param own the user of the agent's account; @param header the company's; null: none
 */
export function dialedNumberOf(request: IncomingRequest, own: string, header: string | null): string | null {
  const headers = headersOf(request);
  const first = (name: string) => headers(name).slice(0, 1).map(numberTold)[0];
  const listed = (text: string) => readAddresses(text).map(numberIn);
  const told = [
    header === null ? undefined : first(header),
    headers('history-info')
      .slice(0, 1)
      .flatMap((text) => listed(text.slice(0, longest)))[0],
    headers('diversion')
      .slice(-1)
      .flatMap((text) => listed(text.slice(-longest)))
      .at(-1),
    first('p-called-party-id'),
    first('to'),
  ];
  const agents = [own, String(request.ruri.user)].map((user) => user.toLowerCase());
  const isLine = (number: string) => number !== '' && !isWithheld(number) && !agents.includes(number.toLowerCase());
  return told.find((number) => number !== undefined && isLine(number)) ?? null;
}

/**
 * Where a customer waited, by the header that the company names: its text, or the name of an address.
 * Null: not told.
 */
export function queueOf(request: IncomingRequest, header: string | null): string | null {
  const [told] = header === null ? [] : headersOf(request)(header);
  if (told === undefined) return null;
  const value = told.slice(0, longest);
  const address = readAddress(value);
  const name = address === null ? value.trim().replace(/^"(.*)"$/, '$1') : address.name || numberIn(address);
  return name.trim() === '' ? null : name.trim();
}

/** Of one address, or of a number that stands alone. */
function numberTold(text: string): string {
  const value = text.slice(0, longest);
  return numberIn(readAddress(value) ?? { uri: value.trim() });
}
