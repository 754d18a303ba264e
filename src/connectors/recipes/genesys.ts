import { topics, workflow } from './genesysWorkflow.ts';
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

const found = ['found', 'name', 'email', 'vip_tier', 'external_system', 'external_id', 'phone'] as const;
const draft04 = 'http://json-schema.org/draft-04/schema#';

/**
 * A web services data action, as Genesys Cloud exports and imports it.
 * The key is the integration's credential, and not in the file.
 */
function action(name: string, request: object, response: object, input: object, output: object): object {
  return {
    name,
    integrationType: 'custom-rest-actions',
    actionType: 'custom',
    config: { request, response, timeoutSeconds: 5 },
    contract: { input: { inputSchema: input }, output: { successSchema: output } },
    secure: false,
  };
}

const objectOf = (title: string, properties: readonly string[], required: readonly string[]) => ({
  $schema: draft04,
  title,
  type: 'object',
  ...(required.length === 0 ? {} : { required }),
  properties: Object.fromEntries(properties.map((property) => [property, { type: 'string' }])),
  additionalProperties: false,
});

function lookupAction(place: Place): RecipeFile {
  const request = {
    requestUrlTemplate: lookupUrl(place, '$esc.url(${input.PHONE})'),
    requestTemplate: '${input.rawRequest}',
    requestType: 'GET',
    headers: { Accept: 'application/json', 'X-Service-Api-Key': '${credentials.apiKey}' },
  };
  const response = {
    translationMap: Object.fromEntries(found.map((field) => [field, `$.${field}`])),
    translationMapDefaults: Object.fromEntries(found.map((field) => [field, '""'])),
    successTemplate: `{${found.map((field) => `"${field}": \${${field}}`).join(', ')}}`,
  };
  return jsonFile(
    'readyline-lookup.custom.json',
    action(
      'Readyline - Who is calling',
      request,
      response,
      objectOf('Caller', ['PHONE'], ['PHONE']),
      objectOf('Customer', found, []),
    ),
  );
}

const told = {
  event: 'EVENT',
  conversation_id: 'CONVERSATION_ID',
  user_id: 'USER_ID',
  direction: 'DIRECTION',
  ani: 'ANI',
  dnis: 'DNIS',
  queue_id: 'QUEUE_ID',
  event_time: 'EVENT_TIME',
  interacting_duration_ms: 'TALK_MS',
  disconnect_type: 'DISCONNECT_TYPE',
} as const;
/** How the data action and its integration are called there. */
const names = { integration: 'Readyline', event: 'Readyline - Tell of a call' } as const;

function eventAction({ events }: Place): RecipeFile {
  const fields = Object.entries(told).map(([field, input]) => `"${field}": "$esc.jsonString(\${input.${input}})"`);
  const request = {
    requestUrlTemplate: events,
    requestTemplate: `{${fields.join(', ')}}`,
    requestType: 'POST',
    headers: { 'Content-Type': 'application/json' },
  };
  const response = { translationMap: {}, translationMapDefaults: {}, successTemplate: '{}' };
  const output = { $schema: draft04, title: 'Taken', type: 'object', properties: {}, additionalProperties: true };
  return jsonFile(
    'readyline-call-event.custom.json',
    action(
      names.event,
      request,
      response,
      objectOf('Call event', Object.values(told), ['EVENT', 'CONVERSATION_ID']),
      output,
    ),
  );
}

/** A process automation trigger. The id of the workflow is the company's own. */
function trigger(topic: (typeof topics)[number]): RecipeFile {
  return jsonFile(`readyline-trigger-${topic.replace('.', '-')}.json`, {
    name: `Readyline - ${topic}`,
    topicName: `v2.detail.events.conversation.{id}.${topic}`,
    enabled: true,
    target: {
      type: 'Workflow',
      id: '00000000-0000-0000-0000-000000000000',
      workflowTargetSettings: { dataFormat: 'Json' },
    },
    matchCriteria: [{ jsonPath: 'mediaType', operator: 'Equal', value: 'VOICE' }],
    eventTTLSeconds: 60,
  });
}

/** Genesys Cloud. */
export const genesysRecipe: Recipe = {
  id: 'genesys',
  name: 'Genesys Cloud',
  summary:
    'Data actions and workflows to import, which look the caller up and send calls. ' +
    'The gateway itself listens to calls and states, and dials.',
  abilities: {
    lookup: {
      proof: 'proven_form',
      note: 'A data action asks the gateway; what the flow does with the answer, you set in Architect.',
    },
    pop: {
      proof: 'proven_form',
      note:
        'In Readyline, and on the pop page in a script, when the agent’s leg begins to ring. ' +
        'The script variables Interaction.ANI and Interaction.Id are unconfirmed.',
    },
    events: {
      proof: 'proven_schema',
      note:
        'The gateway listens to the calls of all users (Notifications API: ring, answer, hold, end); ' +
        'users added later are heard within five minutes. ' +
        'Or triggers and workflows send begin and end of the agent’s leg, not the answer. ' +
        'A transfer is reported, its target is not.',
    },
    states: {
      proof: 'proven_schema',
      note:
        'From the Notifications API (activity, presence, routing status). On Queue and idle is Ready; ' +
        'Available alone is not.',
    },
    set_states: {
      proof: 'proven_stub',
      note:
        'Ready and Not Ready set in Readyline become the presence On Queue, Break, Meal, Meeting, Training, ' +
        'else Available. The account’s role needs presence:userPresence:edit and ' +
        'presence:presenceDefinition:view.',
    },
    dial: {
      proof: 'proven_stub',
      note:
        'Genesys Cloud calls on behalf of the user, who needs a station; ' +
        'answered when the customer’s part is connected. A refusal is passed on.',
    },
  },
  steps: (place) => [
    ...addressSteps(place),
    {
      title: 'Make the integration',
      text:
        'Admin, Integrations: add “Web Services Data Actions” with this name. ' +
        'In its credentials (User Defined) add the field apiKey with the company key.',
      value: names.integration,
    },
    {
      title: 'Import the actions',
      text:
        'Admin, Integrations, Actions, Import: both .custom.json files, with that integration. ' +
        'Test and publish them.',
      value: null,
    },
    {
      title: 'Look up the caller',
      text:
        'In the inbound flow add Call Data Action with “Readyline - Who is calling” and the caller’s number; ' +
        'set participant data from its output. On failure and timeout continue without.',
      value: 'ToPhoneNumber(Call.Ani).e164',
    },
    {
      title: 'Listen, and dial',
      text:
        'Create an OAuth client (Client Credentials) whose role has these permissions. ' +
        'Enter it in the console, try it, switch listening on, and choose who dials.',
      value:
        'directory:user:view conversation:communication:view presence:userPresence:view routing:agentStatus:view ' +
        'conversation:call:add conversation:agentlessCall:add',
    },
    {
      title: 'Or send calls by triggers',
      text:
        'Architect, Workflows, Import: one workflow for each .yaml file, in your division; ' +
        'publish them, or let Archy. Put each id into the trigger file of the same event and create the ' +
        'triggers. Each workflow calls “Readyline - Tell of a call”.',
      value: 'POST /api/v2/processautomation/triggers',
    },
    {
      title: 'Open the customer in a script',
      text: 'Add a web page component with this address.',
      value: `${place.pop}&phone={{Interaction.ANI}}&call={{Interaction.Id}}`,
    },
    frameStep('https://apps.mypurecloud.com'),
    ...agentSteps,
  ],
  files: (place) => [
    lookupAction(place),
    eventAction(place),
    ...topics.flatMap((topic) => [workflow(topic, names.integration, names.event), trigger(topic)]),
  ],
};
