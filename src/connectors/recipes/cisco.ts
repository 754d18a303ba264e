import { gadgetScript, gadgetXml } from './finesseGadget.ts';
import { addressSteps, agentSteps, frameStep, lookupUrl, type Place, type Recipe, type RecipeFile } from './recipe.ts';

const xmlFile = (name: string, text: string): RecipeFile => ({ name, contentType: 'application/xml', text });

/** A workflow action of Finesse: opens the pop page in the agent's browser. */
function popAction({ pop }: Place): RecipeFile {
  const path = `${pop}&phone=\${fromAddress}&call=\${dialogId}`.replaceAll('&', '&amp;');
  const variable = (name: string, node: string, test: string) =>
    `    <ActionVariable><name>${name}</name><node>${node}</node><type>CUSTOM</type>` +
    `<testValue>${test}</testValue></ActionVariable>`;
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
    `      <Trigger><Variable><name>${name}</name><node>${node}</node><type>CUSTOM</type></Variable>` +
    `<comparator>${comparator}</comparator><value>${value}</value></Trigger>`;
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
  summary:
    'A gadget that shows the customer, sends calls and states, and dials; ' +
    'a workflow that opens the customer instead; and a UCCX step that looks the caller up.',
  abilities: {
    lookup: { proof: 'proven_form', note: 'By the step “Make REST Call” of a UCCX script.' },
    pop: {
      proof: 'proven_form',
      note:
        'The gadget frames the pop page, or a workflow opens it in the browser when a call arrives. ' +
        'Agents sign in there once.',
    },
    events: {
      proof: 'proven_schema',
      note:
        'By the gadget: ring, answer, hold and end; a transfer shows only as the end. ' +
        'Finesse’s XML notifications are read if a program of yours POSTs them: ' +
        'the gateway does not connect to XMPP or BOSH.',
    },
    states: { proof: 'proven_schema', note: 'Talking on hold is on a call.' },
    set_states: {
      proof: 'proven_stub',
      note:
        'Ready and Not Ready set in Readyline are set at Finesse with the agent’s own password, ' +
        'which an admin enters; without a reason code. Finesse accepts a state before it tries it; ' +
        'the gadget reports the outcome.',
    },
    dial: {
      proof: 'proven_stub',
      note:
        'Finesse calls from the agent’s extension with the agent’s own password, which an admin enters; ' +
        'not with single sign-on. It accepts a call before it tries it; the gadget’s events report the outcome. ' +
        'In the gadget agents can dial a number themselves.',
    },
  },
  steps: (place) => [
    ...addressSteps(place),
    {
      title: 'Install the gadget',
      text:
        'Put Readyline.xml and Readyline.js into the 3rdpartygadget folder of each Finesse node and add the ' +
        'gadget to the desktop layout. Finesse must reach the gateway and trust its certificate.',
      value: '<gadget>/3rdpartygadget/files/Readyline/Readyline.xml</gadget>',
    },
    frameStep('https://finesse.example.com:8445'),
    {
      title: 'Open the customer in the browser instead',
      text:
        'Create the workflow action by POST /finesse/api/WorkflowAction at the primary node. ' +
        'Put its id in place of YOUR-ACTION-ID, create the workflow by POST /finesse/api/Workflow, ' +
        'and assign it to your teams.',
      value: null,
    },
    {
      title: 'Look up the caller (UCCX)',
      text:
        'Step Make REST Call: GET this address with the calling number at its end; ' +
        'company key in the header X-Service-Api-Key or as the password of Basic. The answer is flat JSON.',
      value: lookupUrl(place, ''),
    },
    {
      title: 'Dial',
      text:
        'In the console enter the address of Finesse (port 8445) and what your dialplan wants in place of the ' +
        'plus, then the extension and password of each agent. Choose who dials.',
      value: null,
    },
    ...agentSteps,
  ],
  files: (place) => [gadgetXml(), gadgetScript(place), popAction(place), popWorkflow()],
};
