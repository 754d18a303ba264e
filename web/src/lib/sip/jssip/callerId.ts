import type { IncomingRequest } from 'jssip/lib/SIPMessage.js';
import { callerName } from '../../../../../src/contract/callRules.ts';
import { isWithheld, plainOf } from '../../../../../src/contract/phoneText.ts';
import type { Caller } from '../phoneCall.ts';
import { type Address, parameterOf, readAddress, readAddresses } from './reading/address.ts';
import { asWritten } from './reading/standIns.ts';

export type NamedCaller = Omit<Caller, 'forCall'>;

/**
 * Who calls, as the telephone network vouches for it: `P-Asserted-Identity` (RFC 3325), where there is none
 * `Remote-Party-ID`, else From, in which a PBX writes whom it likes, such as the colleague who hands the call on. Who
 * wants to be private is who From says, which the network has made anonymous then.
 * @param own the agent's account: nobody calls themselves
 */
export function callerOf(request: IncomingRequest, own: string): NamedCaller {
  const headers = headersOf(request);
  const from = readAddress(headers('from')[0] ?? '');
  const vouched = vouchedFor(headers, own);
  const who = vouched.find(hasNumber) ?? vouched[0] ?? from;
  if (who === null) return { phoneNumber: '', displayName: null };
  const phoneNumber = numberIn(who);
  // The name beside another number is somebody else's.
  const name = who.name ?? (from !== null && numberIn(from) === phoneNumber ? from.name : null);
  return { phoneNumber, displayName: callerName(name) };
}

/**
 * Whom the telephone network names in mid-call, where From says what it said before: whom it vouches for, by a number.
 * Null: it names nobody, or keeps to itself who that is.
 */
export function vouchedCaller(request: IncomingRequest, own: string): NamedCaller | null {
  const who = vouchedFor(headersOf(request), own).find(hasNumber);
  return who === undefined ? null : { phoneNumber: numberIn(who), displayName: callerName(who.name) };
}

/** Whether a number says who calls: not a conference, a queue or a withheld number. */
export function isNumber(phoneNumber: string): boolean {
  return /^\+?\d/.test(phoneNumber) && !isWithheld(phoneNumber);
}

function hasNumber(address: Address): boolean {
  return isNumber(numberIn(address));
}

type Headers = (name: string) => string[];

/** The values of each header, as they were written. */
export function headersOf(request: IncomingRequest): Headers {
  return (name) => (request.getHeaders(name) as string[]).map((value) => asWritten(value));
}

/**
 * The addresses that the network vouches for, the better ones first.
 * Of who is to be kept private, nothing, nor the agent's own.
 */
function vouchedFor(headers: Headers, own: string): Address[] {
  const isPrivate = headers('privacy').some((value) => /(?:^|[;,\s])(?:id|user|full)(?:$|[;,\s])/i.test(value));
  return isPrivate
    ? []
    : vouched(headers).filter((address) => !isWithheld(numberIn(address)) && userOf(address) !== own);
}

/** Of a `Remote-Party-ID` that is to be kept private, nothing. */
function vouched(headers: Headers): Address[] {
  const asserted = headers('p-asserted-identity').flatMap((value) => readAddresses(value));
  const remote = headers('remote-party-id')
    .flatMap((value) => readAddresses(value))
    .filter(({ parameters }) => {
      const [party, privacy] = [parameterOf(parameters, 'party'), parameterOf(parameters, 'privacy')];
      return (party ?? 'calling').toLowerCase() === 'calling' && ['', 'off'].includes((privacy ?? 'off').toLowerCase());
    });
  return [...asserted, ...remote];
}

/** The user or number in an address, without what is said of it (`;cpc=ordinary`); empty: it names a host alone. */
export function numberIn({ uri }: Pick<Address, 'uri'>): string {
  return /^sips?:[^@]*$/i.test(uri) ? '' : plainOf(uri.slice(0, 1_000)).slice(0, 256);
}

function userOf({ uri }: Address): string {
  return /^sips?:([^@;?]*)/i.exec(uri)?.[1] ?? '';
}
