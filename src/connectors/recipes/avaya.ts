import { addressSteps, agentSteps, frameStep, jsonFile, lookupUrl, notBuilt, type Place, type Recipe, type RecipeFile, secretGap } from './recipe.ts';

const transport = ({ events }: Place) => ({ type: 'WEBHOOK', endpoint: events, authToken: secretGap, authTokenHeader: 'auth-token' });

/**
 * An element of Infinity's desktop: tells whose call that is, which no subscription does, and shows the customer. Its token is that of the
 * address; agents can read it.
 */
function element({ events, pop }: Place): RecipeFile {
  const text = `// An element for Avaya Infinity: tells Readyline of the agent's calls, and shows the customer. Bundle it with @avaya/infinity-elements-api.
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
    if (!calls.has(interactionId)) calls.set(interactionId, { number: undefined, direction: undefined, told: undefined });
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
    if (event === 'ringing' && number && frame) frame.src = customerPage + '&phone=' + encodeURIComponent(number) + '&call=' + encodeURIComponent(interactionId);
    const fields = { event: name, call_id: interactionId, agent_id: userId, agent_email: email, customer_number: number, direction, at };
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
  summary: 'Subscriptions of Experience Platform and Infinity, and an element for Infinity’s desktop. The names of the events are published, their fields are not: the first events of a tenant show whether all is read.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the REST task of a workflow.' },
    pop: { proof: 'proven_form', note: 'By the screen pop of Workplace, which opens an address with the number; in Infinity by the element.' },
    events: { proof: 'proven_form', note: 'Told apart by the token in the header auth-token. Of Experience Platform by its subscription, whose fields are looked for under several names. Infinity’s subscription names no agent: its calls come with the element, made for the published package (1.1), which names agent and number. Of a transfer the end is told alone.' },
    states: { proof: 'proven_form', note: 'Ready, not ready, logged in and out; no wrap-up.' },
    set_states: notBuilt('States set in Readyline are not set at Avaya: no published interface sets them for an agent.'),
    dial: notBuilt('No published interface of Experience Platform dials for an agent. On-premises AES (TSAPI, DMCC) is not built.'),
  },
  steps: (place) => [
    ...addressSteps(place, true),
    { title: 'Subscribe', text: 'POST the file of your platform to its notification API; renew it before expiresIn is over.', value: null },
    { title: 'Add the element (Infinity)', text: 'Bundle the file with the package @avaya/infinity-elements-api into an element with an iframe, and call begin(). Its page needs the desktop’s origin in CORS_ORIGINS of the gateway.', value: '@avaya/infinity-elements-api' },
    { title: 'Ask who is calling', text: 'A REST API task: GET, this address with the caller’s number at its end, header X-Service-Api-Key with the company key.', value: lookupUrl(place, '') },
    { title: 'Open the customer (Workplace)', text: 'Screen pop with this address; <m> is the number.', value: `${place.pop}&phone=<m>` },
    frameStep('https://YOUR-CUSTOMER.avayacloud.com'),
    ...agentSteps,
  ],
  files: (place) => [
    jsonFile('readyline-experience-platform.json', {
      family: 'AGENT_ENGAGEMENT',
      events: ['InboundEngagementCreated', 'AgentParticipantInvited', 'AgentParticipantAdded', 'AgentParticipantRemoved', 'AgentLoggedIn', 'AgentReady', 'AgentNotReady', 'AgentLoggedOut'],
      transport: transport(place),
    }),
    jsonFile('readyline-infinity.json', {
      family: ['AGENT', 'INTERACTION'],
      events: ['Agent.LoggedIn', 'Agent.Ready', 'Agent.NotReady', 'Agent.LoggedOut', 'Interaction.Created', 'Interaction.Completed'],
      transport: { ...transport(place), method: 'POST' },
    }),
    element(place),
  ],
};

/** Avaya Breeze. */
export const breezeRecipe: Recipe = {
  id: 'breeze',
  name: 'Avaya Breeze',
  summary: 'A subscription of the Event Framework of Breeze, on the company’s premises. The names of its events are published, their fields are not; not run at a Breeze.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the REST task of Engagement Designer.' },
    pop: { proof: 'proven_form', note: 'Customers pop at the agents’ softphones in Readyline.' },
    events: { proof: 'proven_form', note: 'Ring and end. The published subscription has no event of an answer; a task of Engagement Designer may tell it in the gateway’s own form. The address is the only credential: its callbacks carry no token. Of a transfer the end is told alone.' },
    states: notBuilt('The subscription tells of calls alone; agents are on a call for the length of their calls.'),
    set_states: notBuilt('Agents set their states in the softphone.'),
    dial: notBuilt('No published interface of Breeze dials for an agent; AES (TSAPI, DMCC) is not built.'),
  },
  steps: (place) => [
    ...addressSteps(place),
    { title: 'Subscribe', text: 'POST the file to the Event Framework Connector, once for each agent, with the agent’s handle in the filter.', value: null },
    { title: 'Ask who is calling', text: 'A REST task: GET, this address with the caller’s number at its end, header X-Service-Api-Key with the company key.', value: lookupUrl(place, '') },
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
