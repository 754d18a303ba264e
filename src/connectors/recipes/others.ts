import { addressSteps, agentSteps, jsonFile, lookupUrl, notBuilt, type Place, type Recipe, type RecipeFile } from './recipe.ts';

/** NICE CXone. */
export const niceRecipe: Recipe = {
  id: 'nice',
  name: 'NICE CXone',
  summary: 'Snippets for a Studio script: who is calling, and what happens to the call. Studio has no file that could be imported; not run in a tenant.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By a REST action or a snippet. CXone repeats a request that failed; that counts as one.' },
    pop: { proof: 'proven_form', note: 'By POPURL with the pop page.' },
    events: { proof: 'proven_schema', note: 'By REST actions on answer and release, or the events of an agent’s session, which a program of yours passes on.' },
    states: { proof: 'proven_schema', note: 'From the events of an agent’s session; the script itself does not know them.' },
    dial: { proof: 'proven_stub', note: 'A click joins the session of the agent, who is signed in at CXone, and dials there, by the access key of a user who may join sessions. What joining does to the agent’s own desktop was not seen; the contact’s id comes with its events.' },
  },
  steps: (place) => [
    ...addressSteps(place),
    { title: 'Put the snippets into the script', text: 'The first before REQAGENT, the others on ONANSWER and ONRELEASE. The company key belongs into a secured variable, gatewayKey.', value: null },
    { title: 'Open the customer', text: 'POPURL on ONANSWER with this address.', value: `${place.pop}&phone={ANI}&call={ContactID}` },
    { title: 'Dial', text: 'Make an access key for a user who may join agents’ sessions. In the console, fill in the key, the address of the API (acd, of your cluster), and the outbound skill; the agents’ ids there are numbers. Choose who dials.', value: null },
    ...agentSteps,
  ],
  files: (place) => [
    {
      name: 'readyline-studio.txt',
      contentType: 'text/plain',
      text: `// Who is calling: before REQAGENT
ASSIGN gw = GetRESTProxy()
gw.ContentType = "application/json"
gw.AddHeader("X-Service-Api-Key", "{gatewayKey}")
ASSIGN customer = gw.MakeRestRequest("${lookupUrl(place, '{ANI}')}", "", 0, "GET")
ASSIGN customerName = ""
IF gw.StatusCode = 200
{
  ASSIGN customerName = customer.name
}

// On ONANSWER
DYNAMIC told
told.event = "answered"
told.call_id = "{ContactID}"
told.agent_id = "{AgentID}"
told.customer_number = "{ANI}"
told.direction = "inbound"
ASSIGN gw = GetRESTProxy()
gw.ContentType = "application/json"
ASSIGN taken = gw.MakeRestRequest("${place.events}", "{told.asJSON()}", 0, "POST")

// On ONRELEASE: the same with
told.event = "ended"
`,
    },
  ],
};

const trigger = (place: Place, name: string, fields: readonly string[]): RecipeFile => {
  const properties = Object.fromEntries(fields.map((field) => [field, { title: field, type: 'string', default: field === 'event' ? name : `{{${field === 'agent_email' ? 'agent.email' : field}}}` }]));
  const message = JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', title: 'Root', type: 'object', required: ['call_id'], properties });
  return jsonFile(`readyline-${name}.json`, { title: `Readyline: ${name}`, callbackurl: place.events, message });
};
const talkdeskFields = ['event', 'call_id', 'interaction_id', 'contact_phone_number', 'talkdesk_phone_number'] as const;

/** Talkdesk. */
export const talkdeskRecipe: Recipe = {
  id: 'talkdesk',
  name: 'Talkdesk',
  summary: 'Triggers for calls, and the schemas of a Connection that asks who is calling. Talkdesk tells of no ringing at an agent; not run in an account.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By a Connection with the company key as X-API-Key, or as the password of Basic.' },
    pop: notBuilt('Talkdesk tells of a call once it is answered; the customer pops in Readyline then.'),
    events: { proof: 'proven_schema', note: 'Reaches, answered and ended. The address is the only credential: Talkdesk does not sign.' },
    states: { proof: 'proven_schema', note: 'Log-in and log-out alone.' },
    dial: notBuilt('Talkdesk dials for no agent that is named; its callbacks go to a queue.'),
  },
  steps: (place) => [
    ...addressSteps(place),
    { title: 'Register the triggers', text: 'POST each file to https://api.talkdeskapp.com/webhooks/triggers/ followed by the name in its file name, with the scope webhooks-trigger:write.', value: null },
    { title: 'Ask who is calling', text: 'Connections: base path of the gateway, authentication X-API-Key with the company key; an action with this path and both schemas, used in Studio by Execute Action.', value: '/api/integrations/cti/screen-pop?phone={{phone}}&format=flat' },
    ...agentSteps,
  ],
  files: (place) => [
    trigger(place, 'inboundCallReachesContactCenter', talkdeskFields),
    trigger(place, 'inboundCallStarts', [...talkdeskFields, 'agent_id', 'agent_email']),
    trigger(place, 'inboundCallEnds', [...talkdeskFields, 'agent_id', 'agent_email', 'duration']),
    jsonFile('connection-input.schema.json', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object', properties: { phone: { type: 'string' } }, required: ['phone'] }),
    jsonFile('connection-output.schema.json', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object', properties: Object.fromEntries(['found', 'name', 'email', 'vip_tier', 'external_id'].map((field) => [field, { type: 'string' }])), required: ['found'] }),
  ],
};

const avayaTransport = ({ events }: Place) => ({ type: 'WEBHOOK', endpoint: events, authToken: 'THE-SECRET-THAT-WAS-SHOWN-WITH-THE-ADDRESS', authTokenHeader: 'auth-token' });

/** Avaya. */
export const avayaRecipe: Recipe = {
  id: 'avaya',
  name: 'Avaya',
  summary: 'Subscriptions of Experience Platform and Infinity. The names of the events are published, their fields are not: the first events of a tenant show whether all is read.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the REST task of a workflow.' },
    pop: { proof: 'proven_form', note: 'By the screen pop of Workplace, which opens an address with the number.' },
    events: { proof: 'proven_form', note: 'Told apart by the token in the header auth-token. Fields are looked for under several names.' },
    states: { proof: 'proven_form', note: 'Ready, not ready, logged in and out; no wrap-up.' },
    dial: notBuilt('No published interface of Experience Platform dials for an agent.'),
  },
  steps: (place) => [
    ...addressSteps(place, true),
    { title: 'Subscribe', text: 'POST the file of your platform to its notification API; renew it before expiresIn is over.', value: null },
    { title: 'Ask who is calling', text: 'A REST API task: GET, this address with the caller’s number at its end, header X-Service-Api-Key with the company key.', value: lookupUrl(place, '') },
    { title: 'Open the customer (Workplace)', text: 'Screen pop with this address; <m> is the number.', value: `${place.pop}&phone=<m>` },
    ...agentSteps,
  ],
  files: (place) => [
    jsonFile('readyline-experience-platform.json', {
      family: 'AGENT_ENGAGEMENT',
      events: ['InboundEngagementCreated', 'AgentParticipantInvited', 'AgentParticipantAdded', 'AgentParticipantRemoved', 'AgentLoggedIn', 'AgentReady', 'AgentNotReady', 'AgentLoggedOut'],
      transport: avayaTransport(place),
    }),
    jsonFile('readyline-infinity.json', {
      family: ['AGENT', 'INTERACTION'],
      events: ['Agent.LoggedIn', 'Agent.Ready', 'Agent.NotReady', 'Agent.LoggedOut', 'Interaction.Created', 'Interaction.Completed'],
      transport: { ...avayaTransport(place), method: 'POST' },
    }),
  ],
};

/** Asterisk. */
export const asteriskRecipe: Recipe = {
  id: 'asterisk',
  name: 'Asterisk',
  summary: 'The gateway listens to the REST interface (ARI) and dials through it. Read from its published resource descriptions.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the dialplan’s CURL function, or any HTTP client.' },
    pop: { proof: 'proven_form', note: 'Customers pop at the agents’ softphones in Readyline.' },
    events: { proof: 'proven_schema', note: 'Of channels, at which the gateway listens; the agent is the endpoint, such as 1001 of PJSIP/1001.' },
    states: notBuilt('Asterisk has none; its agents are on a call for the length of their calls.'),
    dial: {
      proof: 'proven_schema',
      note: 'A click has Asterisk ring the agent’s endpoint and go on in the dialplan to the customer. Softphones of Readyline may register at Asterisk instead, and dial themselves.',
    },
  },
  steps: (place) => [
    ...addressSteps(place),
    { title: 'Open the interface', text: 'In http.conf and ari.conf as in the file; reload both. The gateway has to reach it over HTTPS; in a private network it needs WEBHOOK_ALLOW_PRIVATE_NETWORKS=true.', value: null },
    { title: 'Hear of calls, and dial', text: 'Fill address, user, password and the context from which your telephones dial into the console beside the address, try it, switch listening on, and choose who dials.', value: 'https://pbx.example.com:8089' },
    { title: 'Or pass the events on', text: 'A program of yours that holds the WebSocket posts each event as it came to the address.', value: 'ws://127.0.0.1:8088/ari/events?app=readyline&subscribeAll=true' },
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
    events: { proof: 'proven_schema', note: 'newCall, answer and hangup, as a form or JSON.' },
    states: notBuilt('The push tells of calls alone; agents are on a call for the length of their calls.'),
    dial: notBuilt('The push has no way back.'),
  },
  steps: (place) => [...addressSteps(place), { title: 'Point the bridge here', text: 'Where the bridge asks for the address of Zammad’s CTI endpoint, enter this one.', value: place.events }, ...agentSteps],
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
    dial: notBuilt('The softphone dials.'),
  },
  steps: () => [],
  files: () => [],
};
