import { addressSteps, agentSteps, frameStep, jsonFile, type Place, type Recipe, type RecipeFile, secretGap } from './recipe.ts';
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
  summary: 'Signed webhooks for calls and states, and a flow to import that asks who is calling and opens the customer. Made in the shape of the published schemas and templates; not run in a tenant.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the HTTP Request of the flow; it answers well within the two seconds that the flow waits. Without a connector of Control Hub an import may refuse that request.' },
    pop: { proof: 'proven_form', note: 'By the flow’s Screen Pop, inside of the desktop, when the call is offered to the agent.' },
    events: { proof: 'proven_schema', note: 'Signed by HMAC-SHA256 with the secret of the subscription; forged, changed and old ones are refused. Of a transfer the end is told alone.' },
    states: { proof: 'proven_schema', note: 'A call that nobody took in time (RONA) is Not Ready with no_answer.' },
    set_states: { proof: 'proven_stub', note: 'Ready and Not Ready that an agent or a supervisor sets in Readyline are set at Webex, by that agent’s consent, Not Ready by the idle code of the account (idle_code_id).' },
    dial: { proof: 'proven_stub', note: 'A click has Webex call for the agent who is signed in to its desktop, by that agent’s consent (a refresh token of your own Webex integration, scope cjp:user). The call takes its id from the answer.' },
  },
  steps: (place) => [
    ...addressSteps(place, true),
    { title: 'Subscribe', text: 'POST both files to /v2/subscriptions of your region with the scope cjp:config_write. Look up the versions of the resources by GET /v2/event-types.', value: null },
    { title: 'Import the flow', text: 'Flow Designer, Manage, Import: take the file as a template, and put your queue between the lookup and the end; or copy its two activities into your flow, the screen pop into the event flow AgentOffered. Set the variable readylineKey, a secure one, to the company key.', value: 'readylineKey' },
    { title: 'Dial', text: 'Make a Webex integration with the scope cjp:user, and have each agent consent to it; its refresh token is the agent’s log-in. In the console, fill in the region, the integration’s id and secret, the entry point for outdial, and an idle code, by which agents are set Not Ready from here; then, under the agents, each refresh token. Choose who dials.', value: 'cjp:user' },
    frameStep('https://desktop.wxcc-us1.cisco.com'),
    ...agentSteps,
  ],
  files: (place) => [
    jsonFile('readyline-flow.json', webexFlow(place)),
    subscription(place, 'task', ['task:new', 'task:connect', 'task:connected', 'task:on-hold', 'task:hold-done', 'task:ended', 'task:failed']),
    subscription(place, 'agent', ['agent:login', 'agent:logout', 'agent:channel_state_change']),
  ],
};
