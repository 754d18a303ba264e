import type { CrmScreenPop } from '../../../contract/socket.ts';
import type { Call } from '../../../domain/calls.ts';
import { ringTtlMs } from '../../../domain/presence.ts';
import type { ComposedPop } from '../../screenPops/lookUp.ts';
import type { Services } from '../../services.ts';
import { isoTime } from '../../views/agentViews.ts';
import { exactTexts, plainScreenPop } from '../../views/callView.ts';

/** What a softphone shows of the customer of a call that it did not get by a click. */
export function callPop(
  { newId, presence }: Pick<Services, 'newId' | 'presence'>,
  call: Call,
  pop: ComposedPop,
): CrmScreenPop {
  return {
    // A platform's call pops again at a page that was opened anew, and once at one that was not.
    pop_id: call.platform === null ? newId() : call.id,
    call_id: call.id,
    trigger: call.trigger,
    direction: call.direction,
    phone_number: call.phone,
    ...(call.caller === null ? {} : { caller: call.caller }),
    ...(call.dialedNumber === null ? {} : { dialed_number: call.dialedNumber }),
    ...(call.queue === null ? {} : { queue: call.queue }),
    found: pop.found,
    screen_pop: plainScreenPop(pop.screenPop),
    ...exactTexts(pop.screenPop, null),
    ...(pop.isLookingUp === true ? { looking_up: true } : {}),
    expires_at: isoTime(presence.now() + ringTtlMs),
  };
}
