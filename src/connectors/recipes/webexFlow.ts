import { lookupUrl, type Place } from './recipe.ts';

// A flow as Flow Designer exports and imports one, in the shape of the templates that Cisco publishes.

type Node = {
  id: string;
  name: string;
  group: 'start' | 'event' | 'action' | 'end';
  properties: Record<string, unknown>;
  /** The port by which the flow goes on; null: it ends here. */ port: string | null;
};

/** Ids of the file's own: `kind` tells those of activities, links, widgets and ports apart. */
const idOf = (kind: number, nth: number) => `5e1b07b3-f3d8-4a8e-9d2f-${kind}c41a7b0${String(nth).padStart(4, '0')}`;
const [activity, link, widget, portIn, portOut] = [1, 2, 3, 4, 5];
/** How far activities stand from each other, and how large they are. */
const step = { x: 240, width: 165, port: 24 };

const source = {
  eventSourceName: 'WebexContactCenter',
  eventSourceId: '5eff0e2eb10162499bc9f932',
  eventClassificationName: 'VoiceInteractions',
  eventClassificationId: '5f10475cf021306e89e1692c',
};

function startNode(nth: number): Node {
  const flowType = {
    ...source,
    eventSpecificationName: 'ContactStartWorkflow',
    eventSpecificationId: '5f2d02144332507e39cc8a7f',
  };
  return {
    id: idOf(activity, nth),
    name: 'NewPhoneContact',
    group: 'start',
    properties: { event: 'NewPhoneContact', activityName: 'NewPhoneContact', activityId: 'start', flowType },
    port: 'out',
  };
}

/** The call is offered to an agent: it rings. */
function offeredNode(nth: number): Node {
  const properties = {
    ...source,
    displayName: 'AgentOffered',
    event: 'AgentOffered',
    eventSpecificationName: 'AgentOfferContact',
    eventSpecificationId: '637da544c02b556cf406d192',
    activityName: 'Event',
    activityId: 'event',
  };
  return { id: idOf(activity, nth), name: 'AgentOfferContact', group: 'event', properties, port: 'out' };
}

const actionNode = (nth: number, name: string, activityName: string, properties: object, port: string): Node => ({
  id: idOf(activity, nth),
  name,
  group: 'action',
  properties: { activityName, activityId: activityName, ...properties },
  port,
});
const endNode = (nth: number, name: string): Node => ({
  id: idOf(activity, nth),
  name,
  group: 'end',
  properties: { activityName: 'end', activityId: 'end' },
  port: null,
});

/** A choice as the designer keeps it: its value, and its name under two names. */
const chosen = (field: string, value: string) => ({
  [field]: value,
  [`${field}:name`]: value,
  [`${field}_name`]: value,
});

/** Activities that follow each other, and how they are drawn. @param first the number of the first link */
function processOf(nodes: readonly Node[], first: number) {
  const links = nodes
    .slice(0, -1)
    .flatMap((from, index) =>
      nodes.slice(index + 1, index + 2).map((target) => ({ from, target, nth: first + index })),
    );
  const propertiesOf = ({ name, properties }: Node) => ({ name, ...properties });
  return {
    process: {
      activities: Object.fromEntries(
        nodes.map((node) => [
          node.id,
          { id: node.id, name: node.name, group: node.group, properties: propertiesOf(node) },
        ]),
      ),
      links: links.map(({ from, nth, target }) => ({
        id: idOf(link, nth),
        sourceActivityId: from.id,
        targetActivityId: target.id,
        conditionExpr: from.port,
        properties: { value: from.port },
      })),
    },
    widgets: {
      ...Object.fromEntries(
        nodes.map((node, index) => [
          node.id,
          widgetOf(
            node,
            index,
            links.map(({ nth }) => nth),
            propertiesOf(node),
            first,
          ),
        ]),
      ),
      ...Object.fromEntries(links.map(({ nth }, index) => [idOf(link, nth), arrowOf(nth, index, first)])),
    },
  };
}

const placeOf = (index: number) => ({ x: 20 + index * step.x, y: 60 });

function widgetOf({ group, port }: Node, index: number, links: readonly number[], properties: object, first: number) {
  const { x, y } = placeOf(index);
  const side = (nth: number | undefined, isIn: boolean, name: string) =>
    nth === undefined
      ? []
      : [
          {
            portId: idOf(isIn ? portIn : portOut, nth),
            isSourcePort: isIn,
            linkId: idOf(link, nth),
            type: 'arrow',
            links: [idOf(link, nth)],
            properties: {
              x: isIn ? x : x + step.width,
              y: y + step.port,
              name,
              label: name,
              alignment: isIn ? 'left' : 'right',
            },
          },
        ];
  return {
    id: idOf(widget, first + index),
    type: group,
    widgetType: 'activity',
    label: '',
    point: { x, y },
    ports: [...side(links[index - 1], true, 'in'), ...(port === null ? [] : side(links[index], false, port))],
    properties,
  };
}

function arrowOf(nth: number, index: number, first: number) {
  const [from, to] = [placeOf(index), placeOf(index + 1)];
  const [begin, end] = [
    { x: from.x + step.width, y: from.y + step.port },
    { x: to.x, y: to.y + step.port },
  ];
  const point = (kind: number, at: { x: number; y: number }) => ({ id: idOf(kind, 9_000 + nth), type: 'point', ...at });
  return {
    id: idOf(link, nth),
    type: 'arrow',
    widgetType: 'link',
    label: '',
    properties: {
      curvyness: 50,
      selected: false,
      color: '#545454',
      points: [point(portOut, begin), point(portIn, end)],
      width: 2,
      selectedColor: '#007aa3',
    },
    points: [],
    sourcePort: { id: idOf(portOut, nth), activeWidgetId: idOf(widget, first + index), point: begin },
    targetPort: { id: idOf(portIn, nth), activeWidgetId: idOf(widget, first + index + 1), point: end },
  };
}

const lookedUp = ['name', 'vip_tier', 'external_id'] as const;

function variable(
  name: string,
  description: string,
  { isSecure = false, desktopLabel = '' }: { isSecure?: boolean; desktopLabel?: string } = {},
) {
  const flags = {
    isSecure,
    isCAD: desktopLabel !== '',
    isAgentEditable: false,
    isReportable: false,
    overwrite: false,
    isExternalized: false,
  };
  return {
    name,
    description,
    id: '',
    type: 'STRING',
    value: '',
    source: '',
    desktopLabel,
    resourceType: '',
    ...flags,
    __typename: 'UIUserVariable',
  };
}

/** Asks who is calling when a call comes in, and opens the customer on the desktop when it is offered to an agent. */
export function webexFlow(place: Place): object {
  const lookup = {
    authenticated: false,
    connectorId: null,
    httpRequestUrl: lookupUrl(place, '{{NewPhoneContact.ANI | urlencode}}'),
    httpRequestPath: null,
    httpQueryParameters: {},
    ...chosen('httpRequestMethod', 'GET'),
    httpRequestHeaders: { 'X-Service-Api-Key': '{{readylineKey}}', Accept: 'application/json' },
    ...chosen('contentType', 'JSON'),
    ...chosen('httpContentType', 'None'),
    httpRequestBody: '',
    outputVariableArray: lookedUp.map((field) => ({ outputVariable: `customer_${field}`, jsonPathExp: `$.${field}` })),
    httpResponseTimeout: 3_000,
    retryAttempts: 1,
    flowDecryptAccess: true,
  };
  const pop = {
    screenPopUrl: place.pop,
    queryParameters: { phone: '{{NewPhoneContact.ANI}}', call: '{{NewPhoneContact.InteractionId}}' },
    screenPopDesktopLabel: 'Customer',
    target: 'insideDesktop',
  };
  const main = processOf(
    [startNode(1), actionNode(2, 'ReadylineLookup', 'http-request-v2', lookup, 'default'), endNode(3, 'EndFlow')],
    1,
  );
  const offered = offeredNode(11);
  const events = processOf(
    [offered, actionNode(12, 'ReadylineCustomer', 'screen-pop', pop, 'out'), endNode(13, 'EndFlow_AgentOffered')],
    11,
  );
  const drawn = { offsetX: 0, offsetY: 0, zoom: 100, gridSize: 20 };
  const onEvents = { [offered.name]: offered.id };
  return {
    flowType: 'FLOW',
    version: 1,
    name: 'Readyline',
    description:
      'Who is calling, and the customer on the agent’s desktop. ' +
      'Your queue belongs between ReadylineLookup and EndFlow.',
    comment: null,
    variables: [
      variable('readylineKey', 'The company key of Readyline', { isSecure: true }),
      ...lookedUp.map((field) =>
        variable(
          `customer_${field}`,
          'As Readyline knows the caller',
          field === 'name' ? { desktopLabel: 'Customer' } : {},
        ),
      ),
    ],
    process: main.process,
    diagram: { widgets: main.widgets, properties: drawn },
    eventFlows: {
      eventsMap: {
        GLOBAL_EVENTS: {
          id: 'GLOBAL_EVENTS',
          name: 'name',
          description: 'description',
          process: events.process,
          onEvents,
          diagram: { widgets: events.widgets, properties: drawn },
        },
      },
      properties: { zoom: 100 },
    },
    runtimeVariables: [],
    validating: false,
    persist: true,
    validationResults: [],
    settings: [
      {
        name: 'flowDecryptAccess',
        value: 'true',
        type: 'BOOLEAN',
        group: 'decryption',
        __typename: 'FlowVersionSetting',
      },
    ],
    __typename: 'FlowVersionExport',
  };
}
