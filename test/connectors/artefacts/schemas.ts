/**
 * What the files of the catalog have to be, as far as vendors publish it: reduced to what an import looks for,
 * and written by hand from their interface descriptions, samples and exports. Apart from the product's code.
 */

const text = { type: 'string', minLength: 1 };
const uuid = { type: 'string', format: 'uuid' };
const closed = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const open = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const listOf = (items: object, least = 1) => ({ type: 'array', items, minItems: least });
const texts = { type: 'object', additionalProperties: { type: 'string' } };
const https = { type: 'string', pattern: '^https://' };

/** Genesys Cloud: a data action, as its exports have it (Admin, Integrations, Actions). */
export const dataAction = closed({
  name: text,
  integrationType: { enum: ['custom-rest-actions', 'purecloud-data-actions'] },
  actionType: { const: 'custom' },
  config: closed(
    {
      request: closed({
        requestUrlTemplate: https,
        requestTemplate: text,
        requestType: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
        headers: texts,
      }),
      response: closed({ translationMap: texts, translationMapDefaults: texts, successTemplate: text }),
      timeoutSeconds: { type: 'integer', minimum: 1, maximum: 60 },
    },
    ['request', 'response'],
  ),
  contract: closed({
    input: closed({ inputSchema: open({ $schema: text, type: { const: 'object' } }) }),
    output: closed({ successSchema: open({ $schema: text, type: { const: 'object' } }) }),
  }),
  secure: { type: 'boolean' },
});

const unset = closed({ noValue: { const: true } });
const flowInput = { anyOf: [unset, closed({ lit: text }), closed({ exp: text })] };
const dataActionCall = closed({
  name: text,
  timeout: closed({ lit: closed({ minutes: { type: 'integer', minimum: 1 } }) }),
  category: {
    type: 'object',
    additionalProperties: closed({
      dataAction: {
        type: 'object',
        additionalProperties: closed({
          inputs: { type: 'object', additionalProperties: flowInput },
          failureOutputs: { type: 'object', additionalProperties: unset },
        }),
      },
    }),
  },
});

/**
 * Genesys Cloud: a workflow of Architect, as its exports have it (published blueprints): what
 * is set of it, and no more.
 */
export const workflowOfArchitect = closed({
  workflow: closed({
    name: text,
    division: text,
    startUpRef: { type: 'string', pattern: String.raw`^/workflow/states/state\[.+\]$` },
    defaultLanguage: { const: 'en-us' },
    supportedLanguages: closed({ 'en-us': closed({ none: { const: true } }) }),
    variables: listOf(
      closed({
        jsonVariable: closed({
          name: { type: 'string', pattern: String.raw`^Flow\.\w+$` },
          initialValue: unset,
          isInput: { type: 'boolean' },
          isOutput: { type: 'boolean' },
        }),
      }),
    ),
    settingsErrorHandling: closed({ errorHandling: closed({ endWorkflow: closed({ none: { const: true } }) }) }),
    states: listOf(
      closed({
        state: closed({
          name: text,
          refId: text,
          actions: listOf(
            {
              anyOf: [
                closed({ callData: dataActionCall }),
                closed({ endWorkflow: closed({ name: text, exitReason: unset }) }),
              ],
            },
            2,
          ),
        }),
      }),
    ),
  }),
});

/** Genesys Cloud: `CreateTriggerRequest` of process automation. */
export const trigger = closed(
  {
    name: text,
    topicName: { type: 'string', pattern: String.raw`^v2\.[a-z.{}]+$` },
    enabled: { type: 'boolean' },
    target: closed({
      type: { const: 'Workflow' },
      id: uuid,
      workflowTargetSettings: closed({ dataFormat: { enum: ['Json', 'TopLevelPrimitives'] } }),
    }),
    matchCriteria: {
      type: 'array',
      items: open({
        jsonPath: text,
        operator: { enum: ['Equal', 'NotEqual', 'In', 'NotIn', 'Contains', 'GreaterThan', 'LessThan'] },
      }),
    },
    eventTTLSeconds: { type: 'integer', minimum: 10 },
    delayBySeconds: { type: 'integer', minimum: 60 },
    description: { type: 'string' },
  },
  ['name', 'topicName', 'enabled', 'target', 'matchCriteria'],
);

/** Webex Contact Center: `POST /v2/subscriptions`. */
export const webexSubscription = closed(
  {
    name: { type: 'string', minLength: 4, maxLength: 64 },
    description: { type: 'string' },
    eventTypes: {
      type: 'array',
      items: { type: 'string', pattern: '^(?:task|agent|capture):[a-z_-]+$' },
      minItems: 1,
      maxItems: 32,
      uniqueItems: true,
    },
    // No query, port or user part.
    destinationUrl: { type: 'string', pattern: '^https://[^:@?#]+$' },
    secret: text,
    orgId: uuid,
    resourceVersion: { type: 'string', pattern: String.raw`^[a-z]+:\d+\.\d+\.\d+$` },
  },
  ['name', 'eventTypes', 'destinationUrl', 'resourceVersion'],
);

const point = closed({ x: { type: 'number' }, y: { type: 'number' } });
const process = closed({
  activities: {
    type: 'object',
    propertyNames: uuid,
    additionalProperties: closed({
      id: uuid,
      name: text,
      group: { enum: ['start', 'event', 'action', 'set-variable', 'enum-gateway', 'end'] },
      properties: open({ name: text, activityName: text, activityId: text }),
    }),
  },
  links: listOf(
    closed({
      id: uuid,
      sourceActivityId: uuid,
      targetActivityId: uuid,
      conditionExpr: text,
      properties: closed({ value: text }),
    }),
  ),
});
const port = closed({
  portId: uuid,
  isSourcePort: { type: 'boolean' },
  linkId: { type: ['string', 'null'] },
  type: { const: 'arrow' },
  links: { type: 'array', items: uuid },
  properties: open({ name: text, label: text, alignment: { enum: ['left', 'right'] } }),
});
const end = closed({ id: uuid, activeWidgetId: uuid, point });
const diagram = closed({
  widgets: {
    type: 'object',
    propertyNames: uuid,
    additionalProperties: {
      anyOf: [
        closed({
          id: uuid,
          type: text,
          widgetType: { const: 'activity' },
          label: { type: 'string' },
          point,
          ports: listOf(port),
          properties: open({ name: text, activityName: text }),
        }),
        closed({
          id: uuid,
          type: { const: 'arrow' },
          widgetType: { const: 'link' },
          label: { type: 'string' },
          properties: open({ points: listOf(open({ id: uuid, type: { const: 'point' } }), 2) }),
          points: { type: 'array' },
          sourcePort: end,
          targetPort: end,
        }),
      ],
    },
  },
  properties: { type: 'object' },
});
const flag = { type: 'boolean' };

/**
 * Webex Contact Center: a flow, reduced from the templates that Cisco publishes
 * (webex/webex-contact-center-crm-connectors).
 */
export const webexFlow = open({
  flowType: { const: 'FLOW' },
  version: { type: 'integer' },
  name: { type: 'string', pattern: '^[A-Za-z0-9_]+$' },
  variables: listOf(
    open({
      name: text,
      type: { enum: ['STRING', 'INTEGER', 'BOOLEAN'] },
      value: {},
      source: {},
      isSecure: flag,
      isCAD: flag,
      isAgentEditable: flag,
      isReportable: flag,
      isExternalized: flag,
      desktopLabel: { type: 'string' },
    }),
  ),
  process,
  diagram,
  eventFlows: open({
    eventsMap: closed({
      GLOBAL_EVENTS: closed({
        id: { const: 'GLOBAL_EVENTS' },
        name: text,
        description: text,
        process,
        onEvents: { type: 'object', additionalProperties: uuid },
        diagram,
      }),
    }),
  }),
  runtimeVariables: { type: 'array' },
  validating: flag,
  persist: flag,
  validationResults: { type: 'array' },
  settings: {
    type: 'array',
    items: open({
      name: text,
      value: { type: 'string' },
      type: text,
      group: text,
      __typename: { const: 'FlowVersionSetting' },
    }),
  },
  __typename: { const: 'FlowVersionExport' },
});

const avayaTransport = {
  type: { const: 'WEBHOOK' },
  endpoint: https,
  authToken: text,
  authTokenHeader: { const: 'auth-token' },
};

/** Avaya Experience Platform: Notification API v1. */
export const experiencePlatform = closed({
  family: { const: 'AGENT_ENGAGEMENT' },
  events: listOf({ type: 'string', pattern: '^(?:Agent|Inbound|Engagement)[A-Za-z]+$' }),
  transport: closed(avayaTransport),
});
/** Avaya Infinity: events API v1. */
export const infinity = closed({
  family: listOf({ enum: ['AGENT', 'INTERACTION'] }),
  events: listOf({ type: 'string', pattern: String.raw`^(?:Agent|Interaction)\.[A-Za-z]+$` }),
  transport: closed({ ...avayaTransport, method: { const: 'POST' } }),
});
/** Avaya Breeze: Event Framework Connector. There is no place for a token. */
export const breeze = closed({
  family: text,
  eventTypes: listOf({ type: 'string', pattern: '^[A-Z_]+$' }),
  callbackUrl: https,
  callbackContentType: { enum: ['application/json', 'multipart/form-data'] },
  filter: closed({ user: text, criteria: { type: 'array' } }),
});

/** Talkdesk: registration of a trigger, as its own Power Platform connector describes it. */
export const talkdeskTrigger = closed({ title: text, callbackurl: https, message: text });
/** What Talkdesk offers to fill in, of calls that start or end. */
export const talkdeskPlaceholders = [
  'call_id',
  'interaction_id',
  'account_id',
  'agent_id',
  'agent.name',
  'agent.email',
  'contact_phone_number',
  'talkdesk_phone_number',
  'waiting_time',
  'duration',
  'total_duration',
  'hold_time',
  'start_time',
  'timestamp',
];
/** Talkdesk: the schema of a Connection's action (draft 04), whose output is flat. */
export const talkdeskSchema = closed({
  $schema: { const: 'http://json-schema.org/draft-04/schema#' },
  type: { const: 'object' },
  properties: { type: 'object', additionalProperties: closed({ type: { enum: ['string', 'boolean', 'number'] } }) },
  required: listOf(text),
});

/** NICE CXone: the values of REST actions are no file that it takes; what they need to be is JSON over HTTPS. */
export const restActions = closed({
  note: text,
  actions: listOf(
    closed({ place: text, method: { enum: ['GET', 'POST'] }, url: https, headers: texts, body: { type: 'string' } }),
  ),
});

// XML, as a tree: an element is an object of its children, or its text; what comes several times is a list.

const xmlText = (more: object = {}) => ({ type: 'string', ...more });
const variable = {
  name: xmlText({ minLength: 1, maxLength: 32 }),
  node: xmlText({ minLength: 1, maxLength: 500 }),
  type: { enum: ['SYSTEM', 'CUSTOM'] },
};

/** Cisco Finesse: `POST /finesse/api/WorkflowAction`. */
export const workflowAction = closed({
  name: xmlText({ minLength: 1, maxLength: 64 }),
  type: { enum: ['BROWSER_POP', 'HTTP_REQUEST'] },
  handledBy: { enum: ['FINESSE_DESKTOP', 'OTHER'] },
  params: closed({ Param: listOf(closed({ name: xmlText(), value: xmlText({ maxLength: 500 }) })) }),
  actionVariables: closed({
    ActionVariable: { ...listOf(closed({ ...variable, testValue: xmlText({ maxLength: 128 }) })), maxItems: 5 },
  }),
});

/** Cisco Finesse: `POST /finesse/api/Workflow`; of its actions the addresses alone are given. */
export const workflow = closed({
  name: xmlText({ minLength: 1, maxLength: 40 }),
  description: xmlText({ maxLength: 128 }),
  media: xmlText(),
  TriggerSet: closed({
    type: { const: 'SYSTEM' },
    name: { enum: ['CALL_ARRIVES', 'CALL_ANSWERED', 'CALL_ENDS', 'MAKING_CALL', 'CALL_IS_PREVIEWED'] },
    triggers: closed({
      Trigger: listOf(
        closed({
          Variable: closed(variable),
          comparator: { enum: ['IS_EQUAL', 'IS_NOT_EQUAL', 'IS_IN_LIST', 'IS_NOT_IN_LIST', 'CONTAINS'] },
          value: xmlText(),
        }),
      ),
    }),
  }),
  ConditionSet: closed({ applyMethod: { enum: ['ANY', 'ALL'] }, conditions: {} }),
  workflowActions: closed({
    WorkflowAction: {
      ...listOf(closed({ uri: xmlText({ pattern: '^/finesse/api/WorkflowAction/.+$' }) })),
      maxItems: 5,
    },
  }),
});

/** Cisco Finesse: a gadget (OpenSocial). */
export const gadget = closed({
  ModulePrefs: open({ Require: listOf({}) }),
  Content: xmlText({ pattern: '/desktop/assets/js/finesse.js' }),
});

const pairs = {
  anyOf: [
    closed({ key: xmlText({ minLength: 1 }), value: xmlText() }),
    listOf(closed({ key: xmlText({ minLength: 1 }), value: xmlText() }), 2),
  ],
};
const yes = { enum: ['true', 'false'] };

/** Five9: `createWebConnector` of the Configuration Web Services (v13), in its order. */
export const webConnector = closed({
  addWorksheet: yes,
  agentApplication: { enum: ['EmbeddedBrowser', 'ExternalBrowser'] },
  clearTriggerDispositions: yes,
  constants: pairs,
  ctiWebServices: { enum: ['CurrentBrowserWindow', 'NewBrowserWindow'] },
  description: xmlText(),
  executeInBrowser: yes,
  name: xmlText({ minLength: 1 }),
  postMethod: yes,
  trigger: {
    enum: [
      'OnCallAccepted',
      'OnCallDisconnected',
      'ManuallyStarted',
      'OnPreview',
      'OnContactSelection',
      'OnWarmTransferInitiation',
      'OnCallDispositioned',
    ],
  },
  url: https,
  variables: pairs,
});

const module = {
  moduleName: xmlText({ minLength: 1 }),
  locationX: xmlText(),
  locationY: xmlText(),
  moduleId: xmlText({ pattern: '^[0-9A-F]{32}$' }),
};

/** Five9: an IVR script, after exports (`.five9ivr`). */
export const ivrScript = open({
  domainId: xmlText(),
  modules: closed({
    incomingCall: open({ singleDescendant: xmlText(), ...module }),
    query: open({
      ascendants: xmlText(),
      singleDescendant: xmlText(),
      exceptionalDescendant: xmlText(),
      ...module,
      data: open({
        url: https,
        method: { enum: ['GET', 'POST'] },
        fetchTimeout: xmlText(),
        parameters: {},
        requestInfo: {},
        headers: {},
        requestBodyType: { enum: ['LIST', 'XML_JSON'] },
        responseInfos: open({ from: xmlText(), to: xmlText(), method: { enum: ['REG_EXP', 'FUNCTION'] } }),
      }),
    }),
    hangup: open({ ascendants: xmlText(), ...module }),
  }),
  modulesOnHangup: closed({ startOnHangup: open({ singleDescendant: xmlText(), ...module }), hangup: open(module) }),
  version: xmlText({ pattern: String.raw`^\d+$` }),
});
