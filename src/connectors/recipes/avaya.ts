import {
  addressSteps,
  agentSteps,
  frameStep,
  jsonFile,
  lookupUrl,
  notBuilt,
  type Place,
  type Recipe,
  type RecipeFile,
  secretGap,
} from './recipe.ts';

const transport = ({ events }: Place) => ({
  type: 'WEBHOOK',
  endpoint: events,
  authToken: secretGap,
  authTokenHeader: 'auth-token',
});

/**
 * An element of Infinity's desktop: tells whose call that is, which no subscription does, and shows the customer.
 * Its token is that of the address; agents can read it.
 */
function element({ events, pop }: Place): RecipeFile {
  const text = `// An element for Avaya Infinity: tells Readyline of the agent's calls, and shows the customer.
// Bundle it with @avaya/infinity-elements-api.
import { ElementAPI } from '@avaya/infinity-elements-api';

// The address and its secret are the element's only credentials: agents can read them.
const address = ${JSON.stringify(events)};
const headers = { 'content-type': 'application/json', 'auth-token': ${JSON.stringify(secretGap)} };
const customerPage = ${JSON.stringify(pop)};
const eventOf = { alerting: 'ringing', connected: 'answered', held: 'held', ended: 'ended' };

export function begin(api = new ElementAPI({ elementId: 'readyline' }), frame = document.querySelector('iframe')) {
  const agent = api.getUserInfo();
  const calls = new Map();

  function callOf(interactionId) {
    const unknown = { number: undefined, direction: undefined, told: undefined };
    if (!calls.has(interactionId)) calls.set(interactionId, unknown);
    return calls.get(interactionId);
  }

  async function complete(interactionId, call) {
    const { customer, direction } = await api.getInteraction({ interactionId });
    call.number = call.number || customer?.number;
    call.direction = direction;
  }

  async function tell(interactionId, event) {
    const call = callOf(interactionId);
    if (call.told === event || (event === 'answered' && call.told === 'resumed')) return;
    const name = event === 'answered' && call.told === 'held' ? 'resumed' : event;
    call.told = name;
    const at = new Date().toISOString();
    if (event !== 'ended' && call.direction === undefined) await complete(interactionId, call).catch(() => undefined);
    const { email, userId } = await agent;
    const { direction, number } = call;
    const about = '&phone=' + encodeURIComponent(number) + '&call=' + encodeURIComponent(interactionId);
    if (event === 'ringing' && number && frame) frame.src = customerPage + about;
    const who = { agent_id: userId, agent_email: email, customer_number: number };
    const fields = { event: name, call_id: interactionId, ...who, direction, at };
    await fetch(address, { method: 'POST', headers, body: JSON.stringify(fields) });
  }

  api.onInteractionUpdated(({ interactionId, payload }) => {
    const number = payload.sourceDetails?.phoneNumber;
    if (number) callOf(interactionId).number = number;
  });
  api.onInteractionStatusChanged(({ interactionId, status }) => {
    const event = eventOf[String(status).toLowerCase()];
    if (event) void tell(interactionId, event);
  });
  api.onInteractionAccepted((interactionId) => void tell(interactionId, 'answered'));
  api.onInteractionEnded((interactionId) => void tell(interactionId, 'ended'));
}
`;
  return { name: 'readyline-infinity-element.js', contentType: 'text/javascript', text };
}

/** Avaya Experience Platform and Infinity. */
export const avayaRecipe: Recipe = {
  id: 'avaya',
  name: 'Avaya',
  summary:
    'Subscriptions of Experience Platform and Infinity, and an element for Infinity’s desktop. ' +
    'Avaya publishes the names of the events but not their fields: ' +
    'check that the first events of your tenant are read.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By a workflow’s REST task.' },
    pop: {
      proof: 'proven_form',
      note: 'By Workplace’s screen pop, which opens an address with the number; in Infinity by the element.',
    },
    events: {
      proof: 'proven_form',
      note:
        'Authenticated by the header auth-token. ' +
        'Experience Platform: by the subscription, whose fields are looked for under several names. ' +
        'Infinity: its subscription names no agent, so calls come from the element (package 1.1). ' +
        'A transfer shows only as the end.',
    },
    states: { proof: 'proven_form', note: 'Ready, Not Ready, logged in and out; no wrap-up.' },
    set_states: notBuilt('Avaya publishes no interface that sets an agent’s state.'),
    dial: notBuilt(
      'Experience Platform publishes no interface that dials for an agent. On-premises AES (TSAPI, DMCC) is not built.',
    ),
  },
  steps: (place) => [
    ...addressSteps(place, true),
    {
      title: 'Subscribe',
      text: 'POST your platform’s file to its notification API. Renew the subscription before expiresIn is over.',
      value: null,
    },
    {
      title: 'Add the element (Infinity)',
      text:
        'Bundle the file with the package @avaya/infinity-elements-api into an element with an iframe, ' +
        'and call begin(). Add the desktop’s origin to the gateway’s CORS_ORIGINS.',
      value: '@avaya/infinity-elements-api',
    },
    {
      title: 'Look up the caller',
      text:
        'REST API task: GET this address with the caller’s number at its end and the company key in the header ' +
        'X-Service-Api-Key.',
      value: lookupUrl(place, ''),
    },
    {
      title: 'Open the customer (Workplace)',
      text: 'Screen pop with this address; <m> is the number.',
      value: `${place.pop}&phone=<m>`,
    },
    frameStep('https://YOUR-CUSTOMER.avayacloud.com'),
    ...agentSteps,
  ],
  files: (place) => [
    jsonFile('readyline-experience-platform.json', {
      family: 'AGENT_ENGAGEMENT',
      events: [
        'InboundEngagementCreated',
        'AgentParticipantInvited',
        'AgentParticipantAdded',
        'AgentParticipantRemoved',
        'AgentLoggedIn',
        'AgentReady',
        'AgentNotReady',
        'AgentLoggedOut',
      ],
      transport: transport(place),
    }),
    jsonFile('readyline-infinity.json', {
      family: ['AGENT', 'INTERACTION'],
      events: [
        'Agent.LoggedIn',
        'Agent.Ready',
        'Agent.NotReady',
        'Agent.LoggedOut',
        'Interaction.Created',
        'Interaction.Completed',
      ],
      transport: { ...transport(place), method: 'POST' },
    }),
    element(place),
  ],
};

/** Avaya Breeze. */
export const breezeRecipe: Recipe = {
  id: 'breeze',
  name: 'Avaya Breeze',
  summary:
    'A subscription of the Event Framework of Breeze, on your premises. ' +
    'Avaya publishes the names of the events but not their fields.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By Engagement Designer’s REST task.' },
    pop: { proof: 'proven_form', note: 'On the agents’ softphones in Readyline.' },
    events: {
      proof: 'proven_form',
      note:
        'Ring and end. The published subscription has no answer event; ' +
        'a task of Engagement Designer may send it in the gateway’s own form. ' +
        'The address is the only credential: callbacks carry no token. A transfer shows only as the end.',
    },
    states: notBuilt('Agents are on a call for the length of their calls.'),
    set_states: notBuilt('In the softphone only.'),
    dial: notBuilt('Breeze publishes no interface that dials for an agent. AES (TSAPI, DMCC) is not built.'),
  },
  steps: (place) => [
    ...addressSteps(place),
    {
      title: 'Subscribe',
      text:
        'POST the file to the Event Framework Connector once for each agent, ' +
        'with the agent’s handle in the filter.',
      value: null,
    },
    {
      title: 'Look up the caller',
      text:
        'REST task: GET this address with the caller’s number at its end and the company key in the header ' +
        'X-Service-Api-Key.',
      value: lookupUrl(place, ''),
    },
    ...agentSteps,
  ],
  files: (place) => [
    jsonFile('readyline-breeze.json', {
      family: 'Call',
      eventTypes: ['CALL_ALERTING', 'PARTICIPANT_DROPPED'],
      callbackUrl: place.events,
      callbackContentType: 'application/json',
      filter: { user: 'YOUR-AGENT@example.com', criteria: [] },
    }),
  ],
};
