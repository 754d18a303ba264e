import { gadgetScript, gadgetXml } from './finesseGadget.ts';
import { addressSteps, agentSteps, frameStep, lookupUrl, type Place, type Recipe, type RecipeFile } from './recipe.ts';

const xmlFile = (name: string, text: string): RecipeFile => ({ name, contentType: 'application/xml', text });

/** A workflow action of Finesse: opens the pop page in the agent's browser. */
function popAction({ pop }: Place): RecipeFile {
  const path = `${pop}&phone=\${fromAddress}&call=\${dialogId}`.replaceAll('&', '&amp;');
  const variable = (name: string, node: string, test: string) => `    <ActionVariable><name>${name}</name><node>${node}</node><type>CUSTOM</type><testValue>${test}</testValue></ActionVariable>`;
  return xmlFile(
    'readyline-workflow-action.xml',
    `<WorkflowAction>
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
`,
  );
}

/** The types of calls that come in, as Finesse's own trigger for arriving calls lists them. */
const arriving = ['ACD_IN', 'PREROUTE_ACD_IN', 'PREROUTE_DIRECT_AGENT', 'TRANSFER', 'OVERFLOW_IN', 'OTHER_IN'] as const;

/** The workflow that runs the action when a call arrives at an agent. The action's id is the company's own. */
function popWorkflow(): RecipeFile {
  const trigger = (name: string, node: string, comparator: string, value: string) =>
    `      <Trigger><Variable><name>${name}</name><node>${node}</node><type>CUSTOM</type></Variable><comparator>${comparator}</comparator><value>${value}</value></Trigger>`;
  return xmlFile(
    'readyline-workflow.xml',
    `<Workflow>
  <name>Readyline customer</name>
  <description>Opens the customer when a call arrives</description>
  <media>1</media>
  <TriggerSet>
    <type>SYSTEM</type>
    <name>CALL_ARRIVES</name>
    <triggers>
${trigger('mediaType', '//Dialog/mediaType', 'IS_EQUAL', 'Voice')}
${trigger('callType', '//Dialog/mediaProperties/callType', 'IS_IN_LIST', arriving.join(','))}
    </triggers>
  </TriggerSet>
  <ConditionSet>
    <applyMethod>ALL</applyMethod>
    <conditions></conditions>
  </ConditionSet>
  <workflowActions>
    <WorkflowAction><uri>/finesse/api/WorkflowAction/YOUR-ACTION-ID</uri></WorkflowAction>
  </workflowActions>
</Workflow>
`,
  );
}

/** Cisco Finesse, at UCCX and UCCE. */
export const ciscoRecipe: Recipe = {
  id: 'cisco',
  name: 'Cisco Finesse',
  summary: 'A gadget that shows the customer, tells of calls and states, and dials; a workflow with its action that opens the customer instead; and the values of the UCCX step that asks who is calling. Not run at a Finesse server.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the step “Make REST Call” of a UCCX script, which your administrator makes.' },
    pop: { proof: 'proven_form', note: 'The gadget shows the pop page in a frame; or a workflow opens it in the browser when a call arrives. Agents sign in there once.' },
    events: { proof: 'proven_schema', note: 'By the gadget in the agent’s desktop: ring, answer, hold and end; of a transfer the end is told alone. Finesse’s own notifications (XML) are taken where a program of yours posts them: the gateway does not connect to its XMPP or BOSH itself.' },
    states: { proof: 'proven_schema', note: 'Talking on hold is on a call. Supervised and mobile states are read as what they are here.' },
    set_states: { proof: 'proven_stub', note: 'Ready and Not Ready that an agent or a supervisor sets in Readyline are set at Finesse, by the agent’s own password, which an admin sets; without a reason code. Finesse takes a state before it is tried: what it becomes, the gadget tells.' },
    dial: { proof: 'proven_stub', note: 'A click has Finesse call from the extension of the agent, by the agent’s own password, which an admin sets. Not with single sign-on. Finesse takes the call before it is tried; how it went on comes with the gadget’s events. In the gadget agents dial a number themselves, signed in as they are.' },
  },
  steps: (place) => [
    ...addressSteps(place),
    { title: 'Install the gadget', text: 'Put Readyline.xml and Readyline.js into the 3rdpartygadget folder of each Finesse node, and name it in the desktop layout. The Finesse server has to reach the gateway and trust its certificate.', value: '<gadget>/3rdpartygadget/files/Readyline/Readyline.xml</gadget>' },
    frameStep('https://finesse.example.com:8445'),
    { title: 'Open the customer in the browser instead', text: 'Create the workflow action by POST /finesse/api/WorkflowAction at the primary node; put its id into the workflow in the place of YOUR-ACTION-ID, create that by POST /finesse/api/Workflow, and assign it to your teams.', value: null },
    { title: 'Ask who is calling (UCCX)', text: 'In the script, step Make REST Call: GET, this address with the calling number at its end; header X-Service-Api-Key with the company key, or the key as the password of Basic. The answer is flat JSON.', value: lookupUrl(place, '') },
    { title: 'Dial', text: 'In the console, fill in the address of Finesse (port 8445) and what your dialplan wants before the number; then, under the agents, the extension and password of each. Choose who dials.', value: null },
    ...agentSteps,
  ],
  files: (place) => [gadgetXml(), gadgetScript(place), popAction(place), popWorkflow()],
};
