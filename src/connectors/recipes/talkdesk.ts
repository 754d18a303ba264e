import { addressSteps, agentSteps, jsonFile, notBuilt, type Place, type Recipe, type RecipeFile } from './recipe.ts';

/** A trigger, whose message is a template that Talkdesk fills in. */
function trigger(place: Place, name: string, fields: readonly string[]): RecipeFile {
  const properties = Object.fromEntries(
    fields.map((field) => [
      field,
      {
        title: field,
        type: 'string',
        default: field === 'event' ? name : `{{${field === 'agent_email' ? 'agent.email' : field}}}`,
      },
    ]),
  );
  const message = JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Root',
    type: 'object',
    required: ['call_id'],
    properties,
  });
  return jsonFile(`readyline-${name}.json`, { title: `Readyline: ${name}`, callbackurl: place.events, message });
}

const callFields = ['event', 'call_id', 'interaction_id', 'contact_phone_number', 'talkdesk_phone_number'] as const;
const agentFields = [...callFields, 'agent_id', 'agent_email'] as const;

/** Talkdesk. */
export const talkdeskRecipe: Recipe = {
  id: 'talkdesk',
  name: 'Talkdesk',
  summary: 'Triggers for calls, and the schemas of a Connection that looks the caller up.',
  abilities: {
    lookup: {
      proof: 'proven_form',
      note: 'By a Connection with the company key as X-API-Key or as the password of Basic.',
    },
    pop: notBuilt('Talkdesk reports a call only once it is answered; the customer pops in Readyline then.'),
    events: {
      proof: 'proven_schema',
      note:
        'Reached, answered and ended; of outbound calls and of a transfer only the end. ' +
        'The address is the only credential: Talkdesk does not sign.',
    },
    states: notBuilt(
      'Talkdesk reports log-ins and log-outs, never that an agent is free. ' +
        'Agents keep the state of their softphone and are on a call for the length of their calls.',
    ),
    set_states: notBuilt('In the softphone only.'),
    dial: notBuilt('Talkdesk dials for no named agent; its callbacks go to a queue.'),
  },
  steps: (place) => [
    ...addressSteps(place),
    {
      title: 'Register the triggers',
      text:
        'POST each file to https://api.talkdeskapp.com/webhooks/triggers/ plus the trigger in the file’s name, ' +
        'with the scope webhooks-trigger:write.',
      value: null,
    },
    {
      title: 'Look up the caller',
      text:
        'Create a Connection: the gateway as base path, X-API-Key with the company key, ' +
        'and an action with this path and both schemas. Studio runs it by Execute Action.',
      value: '/api/integrations/cti/screen-pop?phone={{phone}}&format=flat',
    },
    ...agentSteps,
  ],
  files: (place) => [
    trigger(place, 'inboundCallReachesContactCenter', callFields),
    trigger(place, 'inboundCallStarts', agentFields),
    trigger(place, 'inboundCallEnds', [...agentFields, 'duration']),
    trigger(place, 'outboundCallEnds', [...agentFields, 'duration']),
    jsonFile('connection-input.schema.json', {
      $schema: 'http://json-schema.org/draft-04/schema#',
      type: 'object',
      properties: { phone: { type: 'string' } },
      required: ['phone'],
    }),
    jsonFile('connection-output.schema.json', {
      $schema: 'http://json-schema.org/draft-04/schema#',
      type: 'object',
      properties: Object.fromEntries(
        ['found', 'name', 'email', 'vip_tier', 'external_id'].map((field) => [field, { type: 'string' }]),
      ),
      required: ['found'],
    }),
  ],
};
