import {
  addressSteps,
  agentSteps,
  frameStep,
  jsonFile,
  lookupUrl,
  type Place,
  type Recipe,
  type RecipeFile,
} from './recipe.ts';

/** Of a call that the agent makes the number that is called is the customer's. */
const directions = [
  { direction: 'inbound', number: 'ANI', script: 'the script of the inbound skill' },
  { direction: 'outbound', number: 'DNIS', script: 'the script of the outbound skill' },
] as const;
const moments = [
  { event: 'answered', action: 'ONANSWER' },
  { event: 'ended', action: 'ONRELEASE' },
] as const;
const told = directions.flatMap((one) => moments.map((moment) => ({ ...one, ...moment })));

/** What a script knows of the call; Studio fills its variables in. */
const fieldsOf = ({ direction, event, number }: (typeof told)[number]) => ({
  event,
  call_id: '{ContactID}',
  agent_id: '{AgentID}',
  customer_number: `{${number}}`,
  direction,
});

/** The values of a REST action each, to be typed in: Studio imports none. */
function restActions(place: Place): RecipeFile {
  const json = { 'Content-Type': 'application/json' };
  return jsonFile('readyline-rest-actions.json', {
    note:
      'The values of one REST API action each. Only the fields of the action in Studio are to be filled in; ' +
      'that its variables are named ContactID, AgentID, ANI and DNIS was not confirmed.',
    actions: [
      {
        place: 'before REQAGENT',
        method: 'GET',
        url: lookupUrl(place, '{ANI}'),
        headers: { Accept: 'application/json', 'X-Service-Api-Key': '{gatewayKey}' },
        body: '',
      },
      ...told.map((one) => ({
        place: `on ${one.action} of ${one.script}`,
        method: 'POST',
        url: place.events,
        headers: json,
        body: JSON.stringify(fieldsOf(one)),
      })),
    ],
  });
}

function snippets(place: Place): RecipeFile {
  const post = (one: (typeof told)[number]) => `// On ${one.action} of ${one.script}
DYNAMIC told
${Object.entries(fieldsOf(one))
  .map(([name, value]) => `told.${name} = "${value}"`)
  .join('\n')}
ASSIGN gw = GetRESTProxy()
gw.ContentType = "application/json"
ASSIGN taken = gw.MakeRestRequest("${place.events}", "{told.asJSON()}", 0, "POST")
`;
  const lookup = `// Who is calling: before REQAGENT
ASSIGN gw = GetRESTProxy()
gw.ContentType = "application/json"
gw.AddHeader("X-Service-Api-Key", "{gatewayKey}")
ASSIGN customer = gw.MakeRestRequest("${lookupUrl(place, '{ANI}')}", "", 0, "GET")
ASSIGN customerName = ""
IF gw.StatusCode = 200
{
  ASSIGN customerName = customer.name
}
`;
  return { name: 'readyline-studio.txt', contentType: 'text/plain', text: [lookup, ...told.map(post)].join('\n') };
}

/** NICE CXone. */
export const niceRecipe: Recipe = {
  id: 'nice',
  name: 'NICE CXone',
  summary:
    'Snippets and values of REST actions for Studio scripts, ' +
    'which look the caller up and send inbound and outbound calls. Studio imports no files.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By a REST action or a snippet. A request that CXone repeats counts once.' },
    pop: {
      proof: 'proven_form',
      note: 'By POPURL with the pop page. The Studio variables ANI and ContactID are unconfirmed.',
    },
    events: {
      proof: 'proven_schema',
      note:
        'By REST actions on answer and release in inbound and outbound scripts. ' +
        'Or a program of yours passes on the events of agents’ sessions, which have ring and hold too, ' +
        'each at its LastStateChangeTimeUTC. A transfer shows only as the end.',
    },
    states: { proof: 'proven_schema', note: 'From the events of an agent’s session; scripts do not know them.' },
    set_states: {
      proof: 'proven_stub',
      note:
        'Ready and Not Ready set in Readyline become Available and Unavailable in the agent’s session, ' +
        'with the code of the reason. Whether CXone wants reasons of its own is unconfirmed.',
    },
    dial: {
      proof: 'proven_stub',
      note:
        'A click joins the session of the agent, who must be signed in at CXone, ' +
        'and dials with the access key of a user who may join sessions. ' +
        'What this does to the agent’s desktop is unconfirmed; ' +
        'the contact’s id comes with the events of the outbound script.',
    },
  },
  steps: (place) => [
    ...addressSteps(place),
    {
      title: 'Put the snippets or REST actions into the scripts',
      text:
        'The lookup goes before REQAGENT, the others on ONANSWER and ONRELEASE: ' +
        'inbound ones into the script of the inbound skill, outbound ones into that of the outbound skill, ' +
        'or a click never learns what became of its call. Keep the company key in a secured variable, gatewayKey.',
      value: null,
    },
    {
      title: 'Open the customer',
      text: 'POPURL on ONANSWER with this address; for outbound calls {DNIS} in place of {ANI}.',
      value: `${place.pop}&phone={ANI}&call={ContactID}`,
    },
    frameStep('https://cxagent.nicecxone.com'),
    {
      title: 'Dial',
      text:
        'Create an access key for a user who may join agents’ sessions. ' +
        'In the console enter the key, the API’s address (acd, of your cluster) and the outbound skill; ' +
        'the agents’ ids are numbers. Choose who dials.',
      value: null,
    },
    ...agentSteps,
  ],
  files: (place) => [snippets(place), restActions(place)],
};
