import { addressSteps, agentSteps, jsonFile, lookupUrl, type Place, type Recipe, type RecipeFile } from './recipe.ts';

/** A workflow action of Finesse: opens the pop page in the agent's browser. */
function popAction({ pop }: Place): RecipeFile {
  const path = `${pop}&phone=\${fromAddress}&call=\${dialogId}`.replaceAll('&', '&amp;');
  const variable = (name: string, node: string, test: string) => `    <ActionVariable><name>${name}</name><node>${node}</node><type>CUSTOM</type><testValue>${test}</testValue></ActionVariable>`;
  const text = `<WorkflowAction>
  <name>Readyline customer</name>
  <type>BROWSER_POP</type>
  <handledBy>FINESSE_DESKTOP</handledBy>
  <params>
    <Param><name>path</name><value>${path}</value></Param>
    <Param><name>windowName</name><value>readylineCustomer</value></Param>
  </params>
  <actionVariables>
${variable('fromAddress', '//Dialog/fromAddress', '15551230001')}
${variable('dialogId', '//Dialog/id', '1')}
  </actionVariables>
</WorkflowAction>
`;
  return { name: 'readyline-workflow-action.xml', contentType: 'application/xml', text };
}

function gadgetXml(): RecipeFile {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Module>
  <ModulePrefs title="Readyline" description="Tells Readyline of calls and states">
    <Require feature="pubsub-2"/>
    <Require feature="setprefs"/>
  </ModulePrefs>
  <Content type="html"><![CDATA[
    <!DOCTYPE html>
    <script type="text/javascript" src="/desktop/assets/js/jquery.min.js"></script>
    <script type="text/javascript" src="/desktop/assets/js/finesse.js"></script>
    <script type="text/javascript" src="Readyline.js"></script>
    <script type="text/javascript">
      gadgets.HubSettings.onConnect = function () { readyline.begin(); };
    </script>
  ]]></Content>
</Module>
`;
  return { name: 'Readyline.xml', contentType: 'application/xml', text };
}

/** Tells of dialogs and states as Finesse's own script tells them, through the Finesse server, which has to reach the gateway. */
function gadgetScript({ events }: Place): RecipeFile {
  const text = `// Tells Readyline of the agent's calls and states. The address is the gadget's only credential: agents can read it.
var readyline = (function () {
  'use strict';
  var address = ${JSON.stringify(events)};
  var told = {};
  var user;

  function post(fields) {
    var options = {};
    var names = gadgets.io.RequestParameters;
    options[names.METHOD] = gadgets.io.MethodType.POST;
    options[names.CONTENT_TYPE] = gadgets.io.ContentType.JSON;
    options[names.HEADERS] = { 'Content-Type': 'application/json' };
    options[names.POST_DATA] = JSON.stringify(fields);
    gadgets.io.makeRequest(address, function () {}, options);
  }

  function tellCall(event, dialog) {
    var isOutbound = /^OUT/.test(dialog.getMediaProperties().callType || '');
    post({
      event: event, call_id: dialog.getId(), agent_id: user.getId(), direction: isOutbound ? 'outbound' : 'inbound',
      customer_number: isOutbound ? dialog.getToAddress() : dialog.getFromAddress(), at: new Date().toISOString()
    });
  }

  function onChange(dialog) {
    var id = dialog.getId();
    var event = { ALERTING: 'ringing', INITIATED: 'ringing', ACTIVE: told[id] === 'held' ? 'resumed' : 'answered', HELD: 'held' }[dialog.getState()];
    if (!event || told[id] === event || (event === 'answered' && told[id] === 'resumed')) return;
    told[id] = event;
    tellCall(event, dialog);
  }

  function onAdd(dialog) {
    dialog.addHandler('change', onChange);
    onChange(dialog);
  }

  function onDelete(dialog) {
    delete told[dialog.getId()];
    tellCall('ended', dialog);
  }

  function onUser(changed) {
    post({ event: 'agent_state', agent_id: changed.getId(), state: changed.getState(), at: new Date().toISOString() });
  }

  return {
    begin: function () {
      finesse.clientservices.ClientServices.init(finesse.gadget.Config, false);
      user = new finesse.restservices.User({
        id: finesse.gadget.Config.id,
        onLoad: function (loaded) {
          onUser(loaded);
          user.getDialogs({ onCollectionAdd: onAdd, onCollectionDelete: onDelete });
        },
        onChange: onUser
      });
    }
  };
}());
`;
  return { name: 'Readyline.js', contentType: 'text/javascript', text };
}

/** Cisco Finesse, at UCCX and UCCE. */
export const ciscoRecipe: Recipe = {
  id: 'cisco',
  name: 'Cisco Finesse',
  summary: 'A gadget that tells of calls and states, a workflow action that opens the customer, and the values of the UCCX step that asks who is calling. Not run at a Finesse server.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the step “Make REST Call” of a UCCX script, which your administrator makes.' },
    pop: { proof: 'proven_form', note: 'A workflow action opens the pop page when a call arrives; agents sign in there once.' },
    events: { proof: 'proven_schema', note: 'By the gadget in the agent’s desktop; Finesse’s own notifications (XML) are taken too.' },
    states: { proof: 'proven_schema', note: 'Talking on hold is on a call. Supervised and mobile states are read as what they are here.' },
    dial: { proof: 'proven_stub', note: 'A click has Finesse call from the extension of the agent, by the agent’s own password, which an admin sets. Not with single sign-on. Finesse takes the call before it is tried; how it went on comes with the gadget’s events.' },
  },
  steps: (place) => [
    ...addressSteps(place),
    { title: 'Install the gadget', text: 'Put Readyline.xml and Readyline.js into the 3rdpartygadget folder of each Finesse node, and name it in the desktop layout. The Finesse server has to reach the gateway and trust its certificate.', value: '<gadget>/3rdpartygadget/files/Readyline/Readyline.xml</gadget>' },
    { title: 'Open the customer', text: 'Create the workflow action by POST /finesse/api/WorkflowAction at the primary node, and a workflow that runs it when calls arrive.', value: null },
    { title: 'Ask who is calling (UCCX)', text: 'In the script, step Make REST Call: GET, this address with the calling number at its end; header X-Service-Api-Key with the company key, or the key as the password of Basic. The answer is flat JSON.', value: lookupUrl(place, '') },
    { title: 'Dial', text: 'In the console, fill in the address of Finesse (port 8445) and what your dialplan wants before the number; then, under the agents, the extension and password of each. Choose who dials.', value: null },
    ...agentSteps,
  ],
  files: (place) => [gadgetXml(), gadgetScript(place), popAction(place)],
};

/** A flow of Webex Contact Center, as its Flow Designer exports and imports one: asks who is calling, and opens the customer. */
function flow(place: Place): object {
  const lookup = {
    activityName: 'http-request-v2',
    name: 'ReadylineLookup',
    authenticated: false,
    httpRequestUrl: lookupUrl(place, '{{NewPhoneContact.ANI | urlencode}}'),
    httpRequestMethod: 'GET',
    httpRequestHeaders: { 'X-Service-Api-Key': '{{readylineKey}}', Accept: 'application/json' },
    contentType: 'JSON',
    httpContentType: 'None',
    httpRequestBody: '',
    outputVariableArray: ['name', 'vip_tier', 'external_id'].map((field) => ({ outputVariable: `customer_${field}`, jsonPathExp: `$.${field}` })),
    httpResponseTimeout: 3_000,
    retryAttempts: 1,
  };
  const pop = {
    activityName: 'screen-pop',
    name: 'ReadylineCustomer',
    screenPopUrl: place.pop,
    queryParameters: { phone: '{{NewPhoneContact.ANI}}', call: '{{NewPhoneContact.InteractionId}}' },
    screenPopDesktopLabel: 'Customer',
    target: 'insideDesktop',
  };
  const activity = (id: string, properties: { name: string; activityName: string }) => ({ id, name: properties.name, activityName: properties.activityName, group: 'action', properties });
  const start = { id: 'start', name: 'NewPhoneContact', activityName: 'start', group: 'event', properties: { name: 'NewPhoneContact', activityName: 'start', event_id: 'NewPhoneContact' } };
  const end = { id: 'end', name: 'End', activityName: 'end', group: 'action', properties: { name: 'End', activityName: 'end' } };
  const variable = (name: string, isSecret: boolean) => ({ id: name, name, type: 'STRING', value: '', source: 'CUSTOM', isCAD: false, isSecure: isSecret });
  return {
    flowType: 'FLOW',
    name: 'Readyline',
    description: 'Who is calling, and the customer on the agent’s desktop',
    variables: [variable('readylineKey', true), ...['name', 'vip_tier', 'external_id'].map((field) => variable(`customer_${field}`, false))],
    process: {
      activities: { start, lookup: activity('lookup', lookup), pop: activity('pop', pop), end },
      links: [['start', 'lookup'], ['lookup', 'pop'], ['pop', 'end']].map(([source, target]) => ({ id: `${source}-${target}`, sourceActivityId: source, targetActivityId: target, conditionExpr: '' })),
    },
    diagram: { widgets: {}, properties: {} },
    eventFlows: { eventsMap: {}, properties: {} },
    settings: { hasDebug: false },
    __typename: 'FlowVersionExport',
  };
}

function subscription({ events }: Place, resource: 'task' | 'agent', eventTypes: string[]): RecipeFile {
  return jsonFile(`readyline-subscription-${resource}.json`, {
    name: `readyline-${resource}s`,
    description: resource === 'task' ? 'Calls, to Readyline' : 'States of agents, to Readyline',
    eventTypes,
    destinationUrl: events,
    secret: 'THE-SECRET-THAT-WAS-SHOWN-WITH-THE-ADDRESS',
    resourceVersion: `${resource}:1.0.0`,
  });
}

/** Webex Contact Center. */
export const webexccRecipe: Recipe = {
  id: 'webexcc',
  name: 'Webex Contact Center',
  summary: 'Signed webhooks for calls and states, and a flow to import that asks who is calling and opens the customer. Made from the published schemas; not run in a tenant.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the HTTP Request of the flow; it answers well within the two seconds that the flow waits.' },
    pop: { proof: 'proven_form', note: 'By the flow’s Screen Pop, inside of the desktop.' },
    events: { proof: 'proven_schema', note: 'Signed by HMAC-SHA256 with the secret of the subscription; forged, changed and old ones are refused.' },
    states: { proof: 'proven_schema', note: 'A call that nobody took in time (RONA) is Not Ready with no_answer.' },
    dial: { proof: 'proven_stub', note: 'A click has Webex call for the agent who is signed in to its desktop, by that agent’s consent (a refresh token of your own Webex integration, scope cjp:user). The call takes its id from the answer.' },
  },
  steps: (place) => [
    ...addressSteps(place, true),
    { title: 'Subscribe', text: 'POST both files to /v2/subscriptions of your region with the scope cjp:config_write, after you put in the token and the secret. Look up the versions of the resources by GET /v2/event-types.', value: null },
    { title: 'Import the flow', text: 'Flow Designer, Manage, Import: take the file as a template, or copy its two activities into your flow. Set the variable readylineKey, a secure one, to the company key.', value: 'readylineKey' },
    { title: 'Dial', text: 'Make a Webex integration with the scope cjp:user, and have each agent consent to it; its refresh token is the agent’s log-in. In the console, fill in the region, the integration’s id and secret, and the entry point for outdial; then, under the agents, each refresh token. Choose who dials.', value: 'cjp:user' },
    { title: 'Let the desktop hold the page', text: 'Allow the desktop’s origin to hold the pop page: PUT /api/integrations with pop_frame_ancestors.', value: '{"pop_frame_ancestors": ["https://desktop.wxcc-us1.cisco.com"]}' },
    ...agentSteps,
  ],
  files: (place) => [
    jsonFile('readyline-flow.json', flow(place)),
    subscription(place, 'task', ['task:new', 'task:connect', 'task:connected', 'task:on-hold', 'task:hold-done', 'task:ended', 'task:failed']),
    subscription(place, 'agent', ['agent:login', 'agent:logout', 'agent:channel_state_change']),
  ],
};
