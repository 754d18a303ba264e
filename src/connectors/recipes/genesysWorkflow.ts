import { jsonFile, type RecipeFile } from './recipe.ts';

/** Events of a conversation that triggers hand to a workflow. */
export const topics = ['user.start', 'user.end', 'customer.end'] as const;
type Topic = (typeof topics)[number];

/** What the workflow tells, by the inputs of the data action, and where that stands in what the trigger hands over. */
const told = {
  CONVERSATION_ID: 'conversationId',
  USER_ID: 'userId',
  DIRECTION: 'direction',
  ANI: 'ani',
  DNIS: 'dnis',
  QUEUE_ID: 'queueId',
  EVENT_TIME: 'eventTime',
  TALK_MS: 'interactingDurationMs',
  DISCONNECT_TYPE: 'disconnectType',
} as const;

/** What is told at the end of a part only, and of agents only. */
const absent: Readonly<Record<Topic, readonly string[]>> = {
  'user.start': ['TALK_MS', 'DISCONNECT_TYPE'],
  'user.end': [],
  'customer.end': ['USER_ID', 'QUEUE_ID', 'TALK_MS'],
};

const none = { noValue: true } as const;
const failures = [
  'errorCode',
  'status',
  'correlationId',
  'entityId',
  'entityName',
  'userMessage',
  'userParamsMessage',
  'userParams.key',
  'userParams.value',
  'details.errorCode',
  'details.fieldName',
  'details.entityId',
  'details.entityName',
];

/**
 * A workflow as Architect exports and imports it, which hands an event to the data action.
 * YAML, in the form that is JSON too.
 * @param integration what the company calls the integration that has the action
 */
export function workflow(topic: Topic, integration: string, action: string): RecipeFile {
  const inputs = Object.entries(told).map(([input, field]) => [
    input,
    absent[topic].includes(input) ? none : { exp: `ToString(GetJsonObjectProperty(Flow.jsonData, "${field}"))` },
  ]);
  const call = {
    name: action,
    timeout: { lit: { minutes: 1 } },
    category: {
      [integration]: {
        dataAction: {
          [action]: {
            inputs: { EVENT: { lit: topic }, ...Object.fromEntries(inputs) },
            failureOutputs: Object.fromEntries(failures.map((name) => [name, none])),
          },
        },
      },
    },
  };
  const content = {
    workflow: {
      name: `Readyline - ${topic}`,
      division: 'Home',
      startUpRef: '/workflow/states/state[Initial State_10]',
      defaultLanguage: 'en-us',
      supportedLanguages: { 'en-us': { none: true } },
      variables: [{ jsonVariable: { name: 'Flow.jsonData', initialValue: none, isInput: true, isOutput: false } }],
      settingsErrorHandling: { errorHandling: { endWorkflow: { none: true } } },
      states: [
        {
          state: {
            name: 'Initial State',
            refId: 'Initial State_10',
            actions: [{ callData: call }, { endWorkflow: { name: 'End Workflow', exitReason: none } }],
          },
        },
      ],
    },
  };
  return { ...jsonFile(`readyline-${topic.replace('.', '-')}.yaml`, content), contentType: 'text/plain' };
}
