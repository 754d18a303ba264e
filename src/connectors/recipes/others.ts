import { addressSteps, agentSteps, lookupUrl, notBuilt, type Place, type Recipe, type Step } from './recipe.ts';

/** For whatever can ask by HTTP. */
const lookupStep = (place: Place): Step => ({
  title: 'Look up the caller',
  text:
    'GET this address with the caller’s number at its end and the company key in the header X-Service-Api-Key. ' +
    'The answer is flat JSON.',
  value: lookupUrl(place, ''),
});

/** Asterisk. */
export const asteriskRecipe: Recipe = {
  id: 'asterisk',
  name: 'Asterisk',
  summary:
    'The gateway listens to Asterisk’s REST interface (ARI) and dials through it. ' +
    'Built from ARI’s published resource descriptions.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the dialplan’s CURL function or any HTTP client.' },
    pop: { proof: 'proven_form', note: 'On the agents’ softphones in Readyline.' },
    events: {
      proof: 'proven_schema',
      note:
        'Channel and dial events of ARI. The agent is the endpoint, such as 1001 of PJSIP/1001; ' +
        'name trunks, which are endpoints too, in the account. ' +
        'A transfer shows only as the end of the agent’s channel.',
    },
    states: notBuilt('Asterisk has none. Agents are on a call for the length of their calls.'),
    set_states: notBuilt('In the softphone only.'),
    dial: {
      proof: 'proven_stub',
      note:
        'Asterisk rings the agent’s endpoint and continues in the dialplan to the customer; ' +
        'answered when the customer’s channel is. ' +
        'Or softphones of Readyline register at Asterisk and dial themselves.',
    },
  },
  steps: (place) => [
    ...addressSteps(place),
    {
      title: 'Open the interface',
      text:
        'Edit http.conf and ari.conf as in the file and reload both. ' +
        'The gateway must reach the interface over HTTPS; ' +
        'in a private network it needs WEBHOOK_ALLOW_PRIVATE_NETWORKS=true.',
      value: null,
    },
    {
      title: 'Listen, and dial',
      text:
        'In the console enter address, user, password, the context from which your phones dial, ' +
        'and the names of your trunks. Try it, switch listening on, and choose who dials.',
      value: 'https://pbx.example.com:8089',
    },
    {
      title: 'Or pass the events on',
      text: 'A program of yours holds the WebSocket and POSTs each event unchanged to the event address.',
      value: 'ws://127.0.0.1:8088/ari/events?app=readyline&subscribeAll=true',
    },
    lookupStep(place),
    ...agentSteps,
  ],
  files: () => [
    {
      name: 'readyline-ari.conf',
      contentType: 'text/plain',
      text:
        '; http.conf\n[general]\nenabled = yes\nbindaddr = 127.0.0.1\n\n; ari.conf\n[general]\nenabled = yes\n\n' +
        '[readyline]\ntype = user\n; no read_only where clicks dial through it\nread_only = no\n' +
        'password = CHOOSE-A-PASSWORD\n',
    },
  ],
};

/** Any PBX with a bridge for Zammad. */
export const pushRecipe: Recipe = {
  id: 'push',
  name: 'PBX',
  summary:
    'Bridges made for Zammad’s generic CTI (Asterisk, 3CX, FreePBX and others) work unchanged: ' +
    'point them at Readyline.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By any HTTP client.' },
    pop: { proof: 'proven_form', note: 'On the agents’ softphones in Readyline.' },
    events: {
      proof: 'proven_schema',
      note:
        'newCall, answer and hangup, as a form or JSON, ' +
        'as the bridges of Asterisk’s queues and of 3CX send them. Caller and queue need to be sent once; ' +
        'they are remembered for an hour. A hangup with the cause forwarded is a transfer. ' +
        'After a hangup, an id with another number or direction is a new call at once, ' +
        'otherwise after five minutes.',
    },
    states: notBuilt('Agents are on a call for the length of their calls.'),
    set_states: notBuilt('In the softphone only.'),
    dial: notBuilt('The protocol has no requests to the PBX.'),
  },
  steps: (place) => [
    ...addressSteps(place),
    {
      title: 'Point the bridge here',
      text: 'Enter the event address as the bridge’s Zammad CTI endpoint.',
      value: place.events,
    },
    lookupStep(place),
    ...agentSteps,
  ],
  files: () => [],
};

/** No platform. */
export const noRecipe: Recipe = {
  id: 'none',
  name: 'The built-in softphone only',
  summary: 'Agents use only the softphone of Readyline. There is nothing to set up.',
  abilities: {
    lookup: notBuilt('The softphone shows who is calling.'),
    pop: notBuilt('The softphone shows the customer.'),
    events: notBuilt('The softphone reports them.'),
    states: notBuilt('In the softphone only.'),
    set_states: notBuilt('In the softphone only.'),
    dial: notBuilt('The softphone dials.'),
  },
  steps: () => [],
  files: () => [],
};
