import { clickToDialAnswer } from '../../src/contract/clickToDial.ts';
import type { CallView } from '../../src/contract/calls.ts';
import type { InboundPush } from '../../src/contract/screenPops.ts';
import type { Caller, GatewayApi } from '../gatewayApi.ts';
import { popCard } from '../popCard.ts';
import { playCall, type CallStep } from '../simulatedCall.ts';
import { nextDial, nextPop, untilState, type StoryAgent } from './agent.ts';
import { must, type Timeline } from './timeline.ts';

/** A telephone that takes no time: the times printed are the gateway's own. */
const now = 0;
const outboundSteps: readonly CallStep[] = [
  { afterMs: now, state: 'ringing' },
  { afterMs: now, state: 'connected' },
  { afterMs: now, state: 'held' },
  { afterMs: now, state: 'connected' },
  { afterMs: now, state: 'ended', endedBy: 'customer' },
];
const inboundSteps: readonly CallStep[] = [
  { afterMs: now, state: 'connected' },
  { afterMs: now, state: 'ended', endedBy: 'agent' },
];

/** The click in the CRM, the pop, the dial, the talk, the wrap-up. @returns the call's id */
export async function playClick(
  api: GatewayApi,
  crm: Caller,
  { account, softphone }: StoryAgent,
  customer: InboundPush,
  timeline: Timeline,
): Promise<string> {
  const popped = nextPop(softphone).then((pop) => {
    timeline.step("the record pops on the agent's screen");
    return pop;
  });
  const dialed = nextDial(softphone).then((offer) => {
    timeline.step(`the softphone may dial ${offer.phone_number}`);
    return offer;
  });
  const body = {
    phone_number: customer.phone_number,
    agent_code: account.agent_code,
    external_id: customer.external_id,
    metadata: { campaign: 'demo story' },
  };
  timeline.step(`the CRM user clicks on ${customer.data.name ?? 'a customer'}`);
  const path = '/api/integrations/cti/click-to-dial';
  const clicked = api.ask({ method: 'POST', path, answer: clickToDialAnswer, as: crm, body }).then((answer) => {
    timeline.step('the click is answered 201');
    return answer;
  });
  const [answer, pop, offer] = await Promise.all([clicked, popped, dialed]);
  console.log(popCard(pop));
  must(pop.found && pop.screen_pop.name === customer.data.name, 'the pop shows the customer who was pushed');
  must(answer.call_id === pop.call_id && offer.call_id === pop.call_id, 'click, pop and dial are of the same call');
  await talkAndWrapUp(softphone, answer.call_id, outboundSteps, timeline);
  return answer.call_id;
}

/** A customer calls: the softphone rings, the record pops, the agent answers and wraps up. @returns the call's id */
export async function playRing({ softphone }: StoryAgent, customer: InboundPush, timeline: Timeline): Promise<string> {
  const popped = nextPop(softphone);
  timeline.step(`the telephone rings: ${customer.phone_number}`);
  const [rung, pop] = await Promise.all([softphone.incomingCall(customer.phone_number), popped]);
  timeline.step(`the caller's record pops: ${pop.screen_pop.name ?? ''}, ${String(pop.screen_pop.vip_tier)}`);
  must(rung.found && rung.screen_pop.name === customer.data.name, 'the caller is recognized');
  await talkAndWrapUp(softphone, rung.call.id, inboundSteps, timeline);
  return rung.call.id;
}

async function talkAndWrapUp(
  softphone: StoryAgent['softphone'],
  callId: string,
  steps: readonly CallStep[],
  timeline: Timeline,
): Promise<void> {
  await playCall(softphone, callId, steps, (call) => timeline.step(`the call is ${call.state}${whyEnded(call)}`));
  const wrapped = await softphone.submitDisposition(callId, { code: 'resolved', notes: 'Played by the demo story.' });
  must(wrapped.disposition?.code === 'resolved', 'the disposition is kept');
  await untilState(softphone, 'ready');
  timeline.step('the call is wrapped up as resolved, and the agent is Ready again');
}

function whyEnded({ end_reason: reason }: CallView): string {
  return reason === null ? '' : ` (${reason})`;
}
