import { describe, expect, it } from 'vitest';
import { recipes } from '../../../src/connectors/recipes/recipes.ts';
import type { RecipeFile } from '../../../src/connectors/recipes/recipe.ts';
import { readXml, type XmlElement } from '../../../src/providers/xml.ts';
import { schemaFaults } from '../../support/http/jsonSchema.ts';
import { filesOf } from '../../support/cti/recipeFiles.ts';
import * as schemas from './schemas.ts';

type Tree = { [name: string]: unknown };

const files = [...recipes.keys()].flatMap((id) => [...filesOf(id).values()]);
const fileOf = (name: string): RecipeFile => files.find((file) => file.name === name)!;

/** An element as the schemas see it: an object of its children, or its text. */
function treeOf({ children, text }: XmlElement): unknown {
  if (children.length === 0) return text;
  const tree: Tree = {};
  const lists = new Set(['Param', 'ActionVariable', 'Trigger', 'WorkflowAction', 'Require']);
  for (const child of children) {
    const before = tree[child.name];
    if (before === undefined) tree[child.name] = lists.has(child.name) ? [treeOf(child)] : treeOf(child);
    else tree[child.name] = [...[before].flat(), treeOf(child)];
  }
  return tree;
}

/** A gadget's text is in CDATA, which is not read elsewhere. */
const asPlainXml = (text: string) =>
  text.replace(/<!\[CDATA\[([^]*?)\]\]>/g, (_whole, inner: string) =>
    inner.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  );
const xmlOf = (name: string): Tree => treeOf(readXml(asPlainXml(fileOf(name).text))) as Tree;
const jsonOf = (name: string): Tree => JSON.parse(fileOf(name).text) as Tree;
const connectorOf = (name: string): Tree =>
  ((xmlOf(name)['Body'] as Tree)['createWebConnector'] as Tree)['connector'] as Tree;

/** The same with another value somewhere; undefined: without it. */
function withValue(tree: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  const copy = (Array.isArray(tree) ? [...(tree as unknown[])] : { ...(tree as Tree) }) as Tree;
  if (rest.length === 0 && value === undefined) delete copy[name];
  else copy[name] = withValue(copy[name], rest, value);
  return copy;
}

/**
 * Each file with what it has to be, and a way in which it must not be: without this part of it,
 * or with that in its place.
 */
const artefacts: [name: string, schema: object, read: (name: string) => Tree, path: string, wrong: unknown][] = [
  ['readyline-lookup.custom.json', schemas.dataAction, jsonOf, 'actionType', undefined],
  ['readyline-call-event.custom.json', schemas.dataAction, jsonOf, 'config.request.requestType', 'SEND'],
  ['readyline-trigger-user-start.json', schemas.trigger, jsonOf, 'target.id', 'YOUR-WORKFLOW'],
  ['readyline-trigger-user-end.json', schemas.trigger, jsonOf, 'matchCriteria', undefined],
  ['readyline-trigger-customer-end.json', schemas.trigger, jsonOf, 'eventTTLSeconds', '60'],
  ...['user-start', 'user-end', 'customer-end'].map((name): (typeof artefacts)[number] => [
    `readyline-${name}.yaml`,
    schemas.workflowOfArchitect,
    jsonOf,
    'workflow.startUpRef',
    'Initial State',
  ]),
  ['readyline-flow.json', schemas.webexFlow, jsonOf, 'diagram.widgets', { start: {} }],
  ['readyline-subscription-task.json', schemas.webexSubscription, jsonOf, 'resourceVersion', undefined],
  [
    'readyline-subscription-agent.json',
    schemas.webexSubscription,
    jsonOf,
    'destinationUrl',
    'https://readyline.example.com:8443/events',
  ],
  ['readyline-experience-platform.json', schemas.experiencePlatform, jsonOf, 'transport.authTokenHeader', undefined],
  ['readyline-infinity.json', schemas.infinity, jsonOf, 'family', 'AGENT'],
  ['readyline-breeze.json', schemas.breeze, jsonOf, 'authToken', 'x'],
  ...['inboundCallReachesContactCenter', 'inboundCallStarts', 'inboundCallEnds', 'outboundCallEnds'].map(
    (name): (typeof artefacts)[number] => [
      `readyline-${name}.json`,
      schemas.talkdeskTrigger,
      jsonOf,
      'callbackURL',
      'https://a.example',
    ],
  ),
  ['connection-input.schema.json', schemas.talkdeskSchema, jsonOf, 'required', []],
  ['connection-output.schema.json', schemas.talkdeskSchema, jsonOf, 'properties.name', { type: ['string', 'null'] }],
  ['readyline-rest-actions.json', schemas.restActions, jsonOf, 'actions.1.method', 'SEND'],
  ['readyline-workflow-action.xml', schemas.workflowAction, xmlOf, 'type', 'POP'],
  ['readyline-workflow.xml', schemas.workflow, xmlOf, 'TriggerSet.name', 'CALL_COMES'],
  ['Readyline.xml', schemas.gadget, xmlOf, 'Content', undefined],
  ...['customer', 'answered', 'ended', 'dialed-answered', 'dialed-ended'].map((name): (typeof artefacts)[number] => [
    `readyline-${name}.xml`,
    schemas.webConnector,
    connectorOf,
    'trigger',
    'OnCallRinging',
  ]),
  ['readyline-lookup.five9ivr', schemas.ivrScript, xmlOf, 'modules.query.data.responseInfos', undefined],
];

/** Files that are no data: what they do is tried where it is told. */
const programs = ['Readyline.js', 'readyline-infinity-element.js', 'readyline-studio.txt', 'readyline-ari.conf'];

it('knows of every file what it has to be', () => {
  expect([...artefacts.map(([name]) => name), ...programs].toSorted()).toEqual(
    files.map(({ name }) => name).toSorted(),
  );
});

describe.each(artefacts)('the file %s', (name, schema, read, path, wrong) => {
  it('is what the vendor publishes that it has to be, and would not be otherwise', () => {
    const content = read(name);
    expect(schemaFaults({}, schema, content)).toEqual([]);
    expect(schemaFaults({}, schema, withValue(content, path.split('.'), wrong))).not.toEqual([]);
  });
});

describe('the flow of Webex Contact Center', () => {
  type Flow = {
    process: Process;
    diagram: {
      widgets: Record<
        string,
        { id: string; ports?: { portId: string; linkId: string | null }[]; sourcePort?: End; targetPort?: End }
      >;
    };
  };
  type Process = {
    activities: Record<string, { id: string; name: string; group: string; properties: Record<string, unknown> }>;
    links: { id: string; sourceActivityId: string; targetActivityId: string; conditionExpr: string }[];
  };
  type End = { id: string; activeWidgetId: string };
  const flow = jsonOf('readyline-flow.json') as unknown as Flow & {
    variables: { name: string; isSecure: boolean }[];
    eventFlows: { eventsMap: { GLOBAL_EVENTS: Flow & { onEvents: Record<string, string> } } };
  };
  const { GLOBAL_EVENTS: events } = flow.eventFlows.eventsMap;

  it.each([
    ['the call', flow, ['NewPhoneContact', 'http-request-v2', 'end']],
    ['its offer to an agent', events, ['Event', 'screen-pop', 'end']],
  ] as const)('goes from one activity to the next for %s, and is drawn so', (_what, { diagram, process }, names) => {
    const { activities, links } = process;
    const inOrder = links.reduce(
      (path, { sourceActivityId, targetActivityId }) =>
        path.at(-1) === sourceActivityId ? [...path, targetActivityId] : [...path, '?'],
      [links[0]!.sourceActivityId],
    );
    expect(inOrder.map((id) => activities[id]?.properties['activityName'])).toEqual(names);
    expect(links.map(({ conditionExpr }) => conditionExpr)).toEqual([
      'out',
      names[1] === 'screen-pop' ? 'out' : 'default',
    ]);
    for (const [id, one] of Object.entries(activities))
      expect([one.id, one.properties['name']]).toEqual([id, one.name]);
    // Each activity and each link is drawn, and arrows lead from port to port.
    expect(Object.keys(diagram.widgets).toSorted()).toEqual(
      [...Object.keys(activities), ...links.map(({ id }) => id)].toSorted(),
    );
    for (const { id, sourceActivityId, targetActivityId } of links) {
      const arrow = diagram.widgets[id]!;
      for (const [end, activity] of [
        [arrow.sourcePort!, sourceActivityId],
        [arrow.targetPort!, targetActivityId],
      ] as const) {
        const widget = diagram.widgets[activity]!;
        expect([
          end.activeWidgetId,
          widget.ports!.filter(({ portId }) => portId === end.id).map(({ linkId }) => linkId),
        ]).toEqual([widget.id, [id]]);
      }
    }
  });

  it('uses no id twice, and no variable that it does not declare', () => {
    const ids = [flow, events].flatMap(({ diagram, process }) => [
      ...Object.keys(process.activities),
      ...process.links.map(({ id }) => id),
      ...Object.values(diagram.widgets)
        .filter(({ sourcePort }) => sourcePort === undefined)
        .map(({ id }) => id),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    const declared = flow.variables.map(({ name }) => name);
    const lookup = Object.values(flow.process.activities).find(({ group }) => group === 'action')!.properties;
    for (const { outputVariable } of lookup['outputVariableArray'] as { outputVariable: string }[])
      expect(declared).toContain(outputVariable);
    expect((lookup['httpRequestHeaders'] as Tree)['X-Service-Api-Key']).toBe('{{readylineKey}}');
    expect(flow.variables.filter(({ isSecure }) => isSecure).map(({ name }) => name)).toEqual(['readylineKey']);
    const [[event, id]] = Object.entries(events.onEvents) as [[string, string]];
    expect([event, events.process.activities[id]?.group]).toEqual(['AgentOfferContact', 'event']);
    const pop = Object.values(events.process.activities).find(({ group }) => group === 'action')!.properties;
    expect(pop['queryParameters']).toEqual({
      phone: '{{NewPhoneContact.ANI}}',
      call: '{{NewPhoneContact.InteractionId}}',
    });
  });
});

it('has Talkdesk fill in nothing but what it offers', () => {
  for (const { name, text } of files.filter(({ text: content }) => content.includes('"callbackurl"'))) {
    for (const [, placeholder] of text.matchAll(/\{\{([\w.]+)\}\}/g))
      expect(schemas.talkdeskPlaceholders, name).toContain(placeholder);
  }
});
