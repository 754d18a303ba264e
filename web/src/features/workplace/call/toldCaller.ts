import type { ToldRing } from '../../../../../src/client/softphone.ts';
import type { Caller } from '../../../lib/sip/phoneCall.ts';

/** Who calls as the gateway takes it: what no call may be lost for is cut. */
export function toldBy({ phoneNumber }: Caller): string {
  return lineOf(phoneNumber, 256);
}

/** As the gateway takes names: one line, not empty, at most 200 characters. */
export function nameOf({ displayName }: Caller): string | undefined {
  const name = lineOf(displayName ?? '', 200);
  return name === '' ? undefined : name;
}

/** What the network told of the call that rings. */
export function ringOf({ dialedNumber, queue, sipCallId }: Caller): ToldRing {
  return {
    ...(sipCallId === undefined ? {} : { sip_call_id: toldSipCallId(sipCallId) }),
    ...(dialedNumber === undefined ? {} : { dialed_number: lineOf(dialedNumber, 256) }),
    ...(queue === undefined ? {} : { queue: lineOf(queue, 200) }),
  };
}

/** How SIP calls a call, as the gateway takes it; what is no such name it leaves out. */
export function toldSipCallId(sipCallId: string): string {
  return lineOf(sipCallId, 256);
}

/** In one line, of so many UTF-16 units at most, with no character cut in half. */
function lineOf(text: string, longest: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .replace(/\p{Cs}$/u, '');
}
