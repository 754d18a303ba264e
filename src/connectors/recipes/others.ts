import { addressSteps, agentSteps, lookupUrl, notBuilt, type Place, type Recipe, type Step } from './recipe.ts';

/** For whatever can ask by HTTP. */
const lookupStep = (place: Place): Step => ({ title: 'Ask who is calling', text: 'GET, this address with the caller’s number at its end, header X-Service-Api-Key with the company key. The answer is flat JSON.', value: lookupUrl(place, '') });

/** Asterisk. */
export const asteriskRecipe: Recipe = {
  id: 'asterisk',
  name: 'Asterisk',
  summary: 'The gateway listens to the REST interface (ARI) and dials through it. Read from its published resource descriptions.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the dialplan’s CURL function, or any HTTP client.' },
    pop: { proof: 'proven_form', note: 'Customers pop at the agents’ softphones in Readyline.' },
    events: { proof: 'proven_schema', note: 'Of channels and dials, at which the gateway listens; the agent is the endpoint, such as 1001 of PJSIP/1001. Trunks are endpoints too: name them in the account. Of a transfer the end of the agent’s channel is told alone.' },
    states: notBuilt('Asterisk has none; its agents are on a call for the length of their calls.'),
    set_states: notBuilt('Agents set their states in the softphone.'),
    dial: {
      proof: 'proven_stub',
      note: 'A click has Asterisk ring the agent’s endpoint and go on in the dialplan to the customer, by the parameters that ARI’s resource description lists. It is answered when the channel to the customer is. Softphones of Readyline may register at Asterisk instead, and dial themselves.',
    },
  },
  steps: (place) => [
    ...addressSteps(place),
    { title: 'Open the interface', text: 'In http.conf and ari.conf as in the file; reload both. The gateway has to reach it over HTTPS; in a private network it needs WEBHOOK_ALLOW_PRIVATE_NETWORKS=true.', value: null },
    { title: 'Hear of calls, and dial', text: 'Fill address, user, password, the context from which your telephones dial, and the names of your trunks into the console beside the address, try it, switch listening on, and choose who dials.', value: 'https://pbx.example.com:8089' },
    { title: 'Or pass the events on', text: 'A program of yours that holds the WebSocket posts each event as it came to the address.', value: 'ws://127.0.0.1:8088/ari/events?app=readyline&subscribeAll=true' },
    lookupStep(place),
    ...agentSteps,
  ],
  files: () => [{ name: 'readyline-ari.conf', contentType: 'text/plain', text: '; http.conf\n[general]\nenabled = yes\nbindaddr = 127.0.0.1\n\n; ari.conf\n[general]\nenabled = yes\n\n[readyline]\ntype = user\n; no read_only where clicks dial through it\nread_only = no\npassword = CHOOSE-A-PASSWORD\n' }],
};

/** Any PBX with a bridge for Zammad. */
export const pushRecipe: Recipe = {
  id: 'push',
  name: 'PBX',
  summary: 'The bridges that were made for Zammad’s generic CTI (Asterisk, 3CX, FreePBX and others) point at Readyline instead, unchanged.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By any HTTP client.' },
    pop: { proof: 'proven_form', note: 'Customers pop at the agents’ softphones in Readyline.' },
    events: { proof: 'proven_schema', note: 'newCall, answer and hangup, as a form or JSON; the requests of the bridges of Asterisk’s queues and of 3CX were made as these make them. What is told once of a call (who calls, which queue) is known for an hour. A hangup by the cause forwarded is a transfer. An id that is used again after a hangup is another call: at once with another number or direction, else after five minutes.' },
    states: notBuilt('The push tells of calls alone; agents are on a call for the length of their calls.'),
    set_states: notBuilt('Agents set their states in the softphone.'),
    dial: notBuilt('The push has no way back.'),
  },
  steps: (place) => [...addressSteps(place), { title: 'Point the bridge here', text: 'Where the bridge asks for the address of Zammad’s CTI endpoint, enter this one.', value: place.events }, lookupStep(place), ...agentSteps],
  files: () => [],
};

/** No platform. */
export const noRecipe: Recipe = {
  id: 'none',
  name: 'The built-in softphone only',
  summary: 'Agents telephone with the softphone of Readyline alone: there is nothing to set up.',
  abilities: {
    lookup: notBuilt('Calls come to the softphone, which shows the customer itself.'),
    pop: notBuilt('The softphone shows the customer.'),
    events: notBuilt('The softphone tells.'),
    states: notBuilt('Agents set their states in the softphone.'),
    set_states: notBuilt('Agents set their states in the softphone.'),
    dial: notBuilt('The softphone dials.'),
  },
  steps: () => [],
  files: () => [],
};
