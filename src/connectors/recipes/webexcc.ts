import {
  addressSteps,
  agentSteps,
  frameStep,
  jsonFile,
  type Place,
  type Recipe,
  type RecipeFile,
  secretGap,
} from './recipe.ts';
import { webexFlow } from './webexFlow.ts';

function subscription({ events }: Place, resource: 'task' | 'agent', eventTypes: string[]): RecipeFile {
  return jsonFile(`readyline-subscription-${resource}.json`, {
    name: `readyline-${resource}s`,
    description: resource === 'task' ? 'Calls, to Readyline' : 'States of agents, to Readyline',
    eventTypes,
    destinationUrl: events,
    secret: secretGap,
    resourceVersion: `${resource}:1.0.0`,
  });
}

/** Webex Contact Center. */
export const webexccRecipe: Recipe = {
  id: 'webexcc',
  name: 'Webex Contact Center',
  summary:
    'Signed webhooks for calls and states, and a flow to import that looks the caller up and opens the customer. ' +
    'Built from the published schemas and templates.',
  abilities: {
    lookup: {
      proof: 'proven_form',
      note:
        'By the flow’s HTTP Request, which waits two seconds. ' +
        'An import may refuse that request without a connector in Control Hub.',
    },
    pop: {
      proof: 'proven_form',
      note: 'By the flow’s Screen Pop in the desktop, when the call is offered to the agent.',
    },
    events: {
      proof: 'proven_schema',
      note:
        'Signed (HMAC-SHA256) with the subscription’s secret; forged, changed and old ones are refused. ' +
        'A transfer shows only as the end.',
    },
    states: { proof: 'proven_schema', note: 'A call that nobody took in time (RONA) is Not Ready with no_answer.' },
    set_states: {
      proof: 'proven_stub',
      note:
        'Ready and Not Ready set in Readyline are set at Webex with the agent’s consent; ' +
        'Not Ready takes the account’s idle code (idle_code_id).',
    },
    dial: {
      proof: 'proven_stub',
      note:
        'Webex calls for the agent, who must be signed in to its desktop, ' +
        'with the agent’s consent: a refresh token of your Webex integration, scope cjp:user. ' +
        'The call takes its id from the answer.',
    },
  },
  steps: (place) => [
    ...addressSteps(place, true),
    {
      title: 'Subscribe',
      text:
        'POST both files to /v2/subscriptions of your region with the scope cjp:config_write. ' +
        'GET /v2/event-types lists the resource versions.',
      value: null,
    },
    {
      title: 'Import the flow',
      text:
        'Flow Designer, Manage, Import: use the file as a template and put your queue between the lookup and the ' +
        'end. Or copy its two activities into your flow, the screen pop into the event flow AgentOffered. ' +
        'Set the secure variable readylineKey to the company key.',
      value: 'readylineKey',
    },
    {
      title: 'Dial',
      text:
        'Create a Webex integration with the scope cjp:user and have each agent consent; ' +
        'the refresh token is the agent’s log-in, until 90 days without a dial. ' +
        'In the console enter the region, the integration’s id and secret, ' +
        'the entry point for outdial and an idle code for Not Ready, then each refresh token. Choose who dials.',
      value: 'cjp:user',
    },
    frameStep('https://desktop.wxcc-us1.cisco.com'),
    ...agentSteps,
  ],
  files: (place) => [
    jsonFile('readyline-flow.json', webexFlow(place)),
    subscription(place, 'task', [
      'task:new',
      'task:connect',
      'task:connected',
      'task:on-hold',
      'task:hold-done',
      'task:ended',
      'task:failed',
    ]),
    subscription(place, 'agent', ['agent:login', 'agent:logout', 'agent:channel_state_change']),
  ],
};
