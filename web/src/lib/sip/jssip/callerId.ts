import type { IncomingRequest } from 'jssip/lib/SIPMessage.js';
import { callerName } from '../../../../../src/contract/callRules.ts';
import { isWithheld, plainOf } from '../../../../../src/contract/phoneText.ts';
import type { Caller } from '../phone.ts';
import { type Address, parameterOf, readAddress, readAddresses } from './reading/address.ts';
import { asWritten } from './reading/standIns.ts';

/**
 * Who calls, as the telephone network vouches for it: `P-Asserted-Identity` (RFC 3325), where there is none `Remote-Party-ID`, else From, in which a PBX
 * writes whom it likes, such as the colleague who hands the call on. Who wants to be private is who From says, which the network has made anonymous then.
 * @param own the agent's account: nobody calls themselves
 */
export function callerOf(request: IncomingRequest, own: string): Omit<Caller, 'forCall'> {
  const headers = (name: string) => (request.getHeaders(name) as string[]).map((value) => asWritten(value));
  const from = readAddress(headers('from')[0] ?? '');
  const isPrivate = headers('privacy').some((value) => /(?:^|[;,\s])(?:id|user|full)(?:$|[;,\s])/i.test(value));
  const vouched = isPrivate ? [] : vouchedFor(headers).filter((address) => !isWithheld(numberIn(address)) && userOf(address) !== own);
  const who = vouched.find((address) => /^\+?\d/.test(numberIn(address))) ?? vouched[0] ?? from;
  if (who === null) return { phoneNumber: '', displayName: null };
  const phoneNumber = numberIn(who);
  // The name beside another number is somebody else's.
  const name = who.name ?? (from !== null && numberIn(from) === phoneNumber ? from.name : null);
  return { phoneNumber, displayName: callerName(name) };
}

/** The addresses that the network vouches for, the better ones first. Of a `Remote-Party-ID` that is to be kept private, nothing. */
function vouchedFor(headers: (name: string) => string[]): Address[] {
  const asserted = headers('p-asserted-identity').flatMap((value) => readAddresses(value));
  const remote = headers('remote-party-id').flatMap((value) => readAddresses(value)).filter(({ parameters }) => {
    const [party, privacy] = [parameterOf(parameters, 'party'), parameterOf(parameters, 'privacy')];
    return (party ?? 'calling').toLowerCase() === 'calling' && ['', 'off'].includes((privacy ?? 'off').toLowerCase());
  });
  return [...asserted, ...remote];
}

/** The user or number in an address, without what is said of it (`;cpc=ordinary`); empty: it names a host alone. */
function numberIn({ uri }: Address): string {
  return /^sips?:[^@]*$/i.test(uri) ? '' : plainOf(uri).slice(0, 256);
}

function userOf({ uri }: Address): string {
  return /^sips?:([^@;?]*)/i.exec(uri)?.[1] ?? '';
}
