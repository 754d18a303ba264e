import { readFileSync } from 'node:fs';
import { runInNewContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { recipes } from '../../src/connectors/recipes/recipes.ts';
import { platformAbilities, type RecipeFile } from '../../src/connectors/recipes/recipe.ts';
import { ctiConnectors } from '../../src/contract/vocabulary.ts';
import { routes } from '../../src/http/routes.ts';
import { flatScreenPop } from '../../src/usecases/screenPops/lookUp.ts';
import { childOf, childrenOf, readXml, type XmlElement } from '../../src/providers/xml.ts';

const company = '01a1fd9a-df84-76de-b312-4c71c7114ef0';
const gateway = 'https://readyline.example.com';
const placeOf = (id: string) => ({ gateway, events: `${gateway}/api/integrations/cti/events/${id}/YOUR-TOKEN`, pop: `${gateway}/pop?company=${company}` });
const all = [...recipes.values()];
const filesOf = (id: string): Map<string, RecipeFile> => new Map(recipes.get(id)!.files(placeOf(id)).map((file) => [file.name, file]));
const json = (id: string, name: string) => JSON.parse(filesOf(id).get(name)!.text);
const files = all.flatMap((recipe) => recipe.files(placeOf(recipe.id)).map((file) => ({ id: recipe.id, name: file.name, file })));

it('has an entry for every platform that may tell of calls, and for every connector of the settings', () => {
  expect([...recipes.keys()].toSorted()).toEqual([...connectors.keys(), 'none'].toSorted());
  for (const { id } of ctiConnectors) expect(recipes.has(id), id).toBe(true);
});

describe.each(all.map((recipe) => [recipe.id, recipe] as const))('the recipe of %s', (id, recipe) => {
  const text = JSON.stringify([recipe.steps(placeOf(id)), recipe.files(placeOf(id))]);

  it('claims no more than is proven, and says in words what is not', () => {
    expect(Object.keys(recipe.abilities).toSorted()).toEqual([...platformAbilities].toSorted());
    for (const { note } of Object.values(recipe.abilities)) expect(note).toMatch(/\.$/);
    expect(recipe.abilities.dial.proof !== null).toBe((connectors.get(id)?.account ?? null) !== null);
    const tellsStates = Object.keys(connectors.get(id)?.states ?? {}).length > 0;
    expect(recipe.abilities.states.proof !== null).toBe(tellsStates);
  });

  it('says the same on its page of the documentation', () => {
    const page = readFileSync(new URL(`../../docs/connectors/${id}.md`, import.meta.url), 'utf8');
    for (const { note, proof } of Object.values(recipe.abilities)) expect(page).toContain(`| ${proof === null ? 'no' : `\`${proof}\``} | ${note} |`);
    expect(page).toContain(recipe.summary);
    for (const { title } of recipe.steps(placeOf(id))) expect(page).toContain(`**${title}**`);
    for (const { name } of recipe.files(placeOf(id))) expect(page).toContain(`\`${name}\``);
  });

  it('leads nowhere but to routes that the gateway has', () => {
    const paths = routes.map(({ path }) => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`));
    const urls = [...text.matchAll(/https:\/\/readyline\.example\.com([^\s"'<>\\?]*)/g)].map(([, path = '']) => path).filter((path) => path !== '');
    if (id !== 'none') expect(urls.length).toBeGreaterThan(0);
    for (const path of urls) expect(path === '/pop' || paths.some((known) => known.test(path)), path).toBe(true);
  });

  it('holds no key of the company, in no address either', () => {
    expect(text).not.toMatch(/api_key=|rlk_/i);
  });
});

describe.each(files.map(({ id, name, file }) => [id, name, file] as const))('the file of %s, %s,', (_id, _name, { contentType, name, text }) => {
  it('is what its name says', () => {
    expect(name).toMatch(/^[A-Za-z0-9.-]+$/);
    if (contentType === 'application/json') expect(() => JSON.parse(text)).not.toThrow();
    if (contentType === 'application/xml' && !text.includes('CDATA')) expect(() => readXml(text)).not.toThrow();
    if (contentType === 'text/javascript') expect(() => new Script(text)).not.toThrow();
    expect(text.endsWith('\n')).toBe(true);
  });
});

describe('the files of Genesys Cloud', () => {
  const actions = ['readyline-lookup.custom.json', 'readyline-call-event.custom.json'];

  it.each(actions)('has %s as its import takes one', (name) => {
    const action = json('genesys', name);
    expect(Object.keys(action)).toEqual(['name', 'integrationType', 'actionType', 'config', 'contract', 'secure']);
    expect(action).toMatchObject({ integrationType: 'custom-rest-actions', actionType: 'custom' });
    expect(Object.keys(action.config.response.translationMap).toSorted()).toEqual(Object.keys(action.config.response.translationMapDefaults).toSorted());
    // Every input that a template names is one of the contract, and is not left unescaped.
    const inputs = Object.keys(action.contract.input.inputSchema.properties);
    const { requestTemplate, requestUrlTemplate } = action.config.request;
    for (const [, input = ''] of `${requestUrlTemplate} ${requestTemplate}`.matchAll(/\$\{input\.(\w+)\}/g)) expect([...inputs, 'rawRequest']).toContain(input);
    for (const [whole] of `${requestUrlTemplate} ${requestTemplate}`.matchAll(/.{0,16}\$\{input\.(?!rawRequest)\w+\}/g)) expect(whole).toMatch(/\$esc\.(url|jsonString)\(/);
    expect(JSON.stringify(action)).toContain('http://json-schema.org/draft-04/schema#');
  });

  it('names the flow’s trigger as its API takes one', () => {
    const trigger = json('genesys', 'readyline-trigger-user-start.json');
    expect(trigger).toMatchObject({ topicName: 'v2.detail.events.conversation.{id}.user.start', enabled: true, target: { type: 'Workflow', workflowTargetSettings: { dataFormat: 'TopLevelPrimitives' } }, eventTTLSeconds: 60 });
    expect(trigger).not.toHaveProperty('delayBySeconds');
  });

  it('tells of a call in a form that is read', () => {
    const { requestTemplate } = json('genesys', 'readyline-call-event.custom.json').config.request;
    const values: Record<string, string> = { EVENT: 'user.end', CONVERSATION_ID: 'c"1', USER_ID: 'u-1', DIRECTION: 'INBOUND', ANI: 'tel:+15551230001', DNIS: '', QUEUE_ID: 'q', EVENT_TIME: '1760000000000', TALK_MS: '7000' };
    const body = (requestTemplate as string).replaceAll(/\$esc\.jsonString\(\$\{input\.(\w+)\}\)/g, (_whole, input: string) => JSON.stringify(values[input]).slice(1, -1));
    const read = connectors.get('genesys')!.read({ headers: { 'content-type': 'application/json' }, query: new URLSearchParams(), body: Buffer.from(body), receivedAt: 0 });
    expect(read).toMatchObject([{ event: 'ended', callId: 'c"1', agent: { id: 'u-1' }, customer: 'tel:+15551230001', talkMs: 7_000 }]);
  });
});

describe('the files of Webex Contact Center', () => {
  it('are a flow with every part that its import looks for, whose links lead from one activity to the next', () => {
    const flow = json('webexcc', 'readyline-flow.json');
    expect(flow).toMatchObject({ flowType: 'FLOW', __typename: 'FlowVersionExport' });
    for (const part of ['name', 'variables', 'process', 'diagram', 'eventFlows', 'settings']) expect(flow).toHaveProperty(part);
    const { activities, links } = flow.process;
    for (const { sourceActivityId, targetActivityId } of links) expect([sourceActivityId in activities, targetActivityId in activities]).toEqual([true, true]);
    const lookup = activities.lookup.properties;
    expect(lookup).toMatchObject({ activityName: 'http-request-v2', authenticated: false, httpRequestMethod: 'GET' });
    const variables = flow.variables.map(({ name }: { name: string }) => name);
    for (const { outputVariable } of lookup.outputVariableArray) expect(variables).toContain(outputVariable);
    expect(activities.pop.properties.queryParameters.call).toBe('{{NewPhoneContact.InteractionId}}');
  });

  it.each(['task', 'agent'])('subscribe to events of one resource, %s, all of which are read', (resource) => {
    const subscription = json('webexcc', `readyline-subscription-${resource}.json`);
    expect(subscription.resourceVersion).toBe(`${resource}:1.0.0`);
    expect(subscription.name.length).toBeGreaterThan(3);
    for (const type of subscription.eventTypes) {
      expect(type.startsWith(`${resource}:`)).toBe(true);
      const body = Buffer.from(JSON.stringify({ id: 'e', type, data: { taskId: 't', agentId: 'a', currentState: 'available', direction: 'INBOUND', origin: '1' } }));
      expect(connectors.get('webexcc')!.read({ headers: {}, query: new URLSearchParams(), body, receivedAt: 0 })).not.toEqual([]);
    }
    const url = new URL(subscription.destinationUrl);
    expect([url.protocol, url.search, url.port, url.username]).toEqual(['https:', '', '', '']);
  });
});

describe('the files of Cisco Finesse', () => {
  const text = (element: XmlElement, ...path: string[]): string => path.reduce<XmlElement>((found, name) => childOf(found, name)!, element).text;

  it('are a workflow action within Finesse’s limits, whose variables are all declared', () => {
    const action = readXml(filesOf('cisco').get('readyline-workflow-action.xml')!.text);
    expect([text(action, 'type'), text(action, 'handledBy')]).toEqual(['BROWSER_POP', 'FINESSE_DESKTOP']);
    expect(text(action, 'name').length).toBeLessThanOrEqual(64);
    const variables = childrenOf(childOf(action, 'actionVariables')!, 'ActionVariable').map((variable) => text(variable, 'name'));
    expect(variables.length).toBeLessThanOrEqual(5);
    const path = text(childrenOf(childOf(action, 'params')!, 'Param')[0]!, 'value');
    expect([...path.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name)).toEqual(variables);
    expect(new URL(path.replaceAll(/\$\{\w+\}/g, '1')).searchParams.get('company')).toBe(company);
  });

  it('have a gadget that tells what is read: each event once, held calls that go on too', () => {
    const posted: Record<string, string>[] = [];
    const handlers: { add?: (dialog: object) => void; remove?: (dialog: object) => void; user?: (user: object) => void } = {};
    const gadgets = { io: { RequestParameters: { METHOD: 'm', CONTENT_TYPE: 't', HEADERS: 'h', POST_DATA: 'd' }, MethodType: { POST: 'POST' }, ContentType: { JSON: 'JSON' }, makeRequest: (url: string, _done: () => void, { d }: { d: string }) => { expect(url).toBe(placeOf('cisco').events); posted.push(JSON.parse(d)); } } };
    const me = { getId: () => 'ada', getState: () => 'READY', getDialogs: ({ onCollectionAdd: add, onCollectionDelete: remove }: { onCollectionAdd: (dialog: object) => void; onCollectionDelete: (dialog: object) => void }) => Object.assign(handlers, { add, remove }) };
    function User({ onLoad }: { onLoad: (user: object) => void }) {
      queueMicrotask(() => onLoad(me));
      return me;
    }
    const finesse = { gadget: { Config: { id: 'ada' } }, clientservices: { ClientServices: { init: () => undefined } }, restservices: { User } };
    runInNewContext(`${filesOf('cisco').get('Readyline.js')!.text}; readyline.begin();`, { gadgets, finesse });
    return Promise.resolve().then(() => {
      let state = 'ALERTING';
      let changed: (dialog: object) => void = () => undefined;
      const dialog = { getId: () => '1', getState: () => state, getMediaProperties: () => ({ callType: 'ACD_IN' }), getFromAddress: () => '15551230001', getToAddress: () => '6300', addHandler: (_name: string, handler: typeof changed) => { changed = handler; } };
      handlers.add!(dialog);
      for (state of ['ALERTING', 'ACTIVE', 'ACTIVE', 'HELD', 'ACTIVE', 'ACTIVE']) changed(dialog);
      handlers.remove!(dialog);
      expect(posted.map(({ event }) => event)).toEqual(['agent_state', 'ringing', 'answered', 'held', 'resumed', 'ended']);
      for (const one of posted) {
        const read = connectors.get('cisco')!.read({ headers: { 'content-type': 'application/json' }, query: new URLSearchParams(), body: Buffer.from(JSON.stringify(one)), receivedAt: 0 });
        expect(read).toMatchObject([{ agent: { id: 'ada' } }]);
      }
    });
  });
});

describe('the files of Five9', () => {
  it.each(['readyline-customer.xml', 'readyline-answered.xml', 'readyline-ended.xml', 'readyline-dialed-answered.xml', 'readyline-dialed-ended.xml'])('has %s with its fields in the order of the service’s schema', (name) => {
    const envelope = readXml(filesOf('five9').get(name)!.text);
    const connector = childOf(childOf(childOf(envelope, 'Body')!, 'createWebConnector')!, 'connector')!;
    const order = ['addWorksheet', 'agentApplication', 'clearTriggerDispositions', 'constants', 'ctiWebServices', 'description', 'executeInBrowser', 'name', 'postMethod', 'trigger', 'url', 'variables'];
    expect([...new Set(connector.children.map((child) => child.name))]).toEqual(order);
    if (name === 'readyline-customer.xml') return;
    // What Five9 would post of it is read.
    const pairs = ['constants', 'variables'].flatMap((tag) => childrenOf(connector, tag)).map((pair) => [childOf(pair, 'key')!.text, childOf(pair, 'value')!.text] as [string, string]);
    const body = Buffer.from(new URLSearchParams(pairs.map(([key, value]) => [key, value.replace(/^@.*@$/, 'x')])).toString());
    const read = connectors.get('five9')!.read({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, query: new URLSearchParams(), body, receivedAt: 0 });
    expect(read).toMatchObject([{ event: name.includes('answered') ? 'answered' : 'ended', callId: 'x', agent: { id: 'x' } }]);
  });
});

describe('the script for Five9', () => {
  const script = readXml(filesOf('five9').get('readyline-lookup.five9ivr')!.text);
  const main = childOf(script, 'modules')!;
  const data = childOf(childOf(main, 'query')!, 'data')!;
  const pairsOf = (tag: string) => childrenOf(childOf(data, tag)!, 'entry').map((entry) => [childOf(entry, 'key')!.text, childOf(entry, 'value')!] as const);

  it('goes from module to module, and back to the script that ran it', () => {
    const ids = (room: XmlElement) => room.children.map((one) => childOf(one, 'moduleId')!.text);
    const hungUp = childOf(script, 'modulesOnHangup')!;
    expect(new Set([...ids(main), ...ids(hungUp)]).size).toBe(5);
    for (const room of [main, hungUp]) {
      for (const one of room.children) {
        for (const { name, text } of one.children) if (/Descendant$|^ascendants$/.test(name)) expect(ids(room)).toContain(text);
      }
      expect(childOf(childOf(childOf(room, 'hangup')!, 'data')!, 'returnToCallingModule')!.text).toBe('true');
    }
  });

  it('asks the gateway with the caller and the key, and reads each field of a flat answer', () => {
    expect(childOf(data, 'url')!.text).toBe(`${gateway}/api/integrations/cti/screen-pop`);
    const shown = (value: XmlElement) => childOf(value, 'variableName')?.text ?? childOf(childOf(value, 'stringValue')!, 'value')!.text;
    expect(pairsOf('parameters').map(([key, value]) => [key, shown(value)])).toEqual([['phone', 'Call.ANI'], ['format', 'flat']]);
    expect(pairsOf('headers').map(([key, value]) => [key, shown(value)])).toEqual([['Accept', 'application/json'], ['X-Service-Api-Key', 'YOUR-COMPANY-KEY']]);
    const rule = childOf(childOf(data, 'responseInfos')!, 'regexp')!;
    const variables = childrenOf(rule, 'regexpParameters').map((one) => childOf(one, 'variable')!.text);
    expect(childOf(rule, 'regexpFlags')!.text).toBe('32');
    const read = (answer: object) => {
      const [, ...groups] = new RegExp(childOf(rule, 'regexp')!.text, 's').exec(JSON.stringify(answer, null, 1)) ?? [];
      return Object.fromEntries(variables.map((name, index) => [name, groups[index]]));
    };
    const flat = flatScreenPop({ name: 'Grace "Amazing" Hopper', external_id: 'c-9', vip_tier: 'gold' }, '+15551230001');
    expect(read(flat)).toEqual({ 'Readyline.found': 'true', 'Readyline.name': String.raw`Grace \"Amazing\" Hopper`, 'Readyline.vip_tier': 'gold', 'Readyline.external_id': 'c-9' });
    expect(read(flatScreenPop(null, '+15551230001'))).toMatchObject({ 'Readyline.found': 'false', 'Readyline.name': '' });
  });
});

describe('the files of Talkdesk', () => {
  it.each(['inboundCallReachesContactCenter', 'inboundCallStarts', 'inboundCallEnds'])('register %s with what the API asks for, and a message that is read', (name) => {
    const registration = json('talkdesk', `readyline-${name}.json`);
    expect(Object.keys(registration)).toEqual(['title', 'callbackurl', 'message']);
    const body = Buffer.from((registration.message as string).replaceAll(/\{\{[\w.]+\}\}/g, 'x'));
    expect(connectors.get('talkdesk')!.read({ headers: {}, query: new URLSearchParams(), body, receivedAt: 0 })).toMatchObject([{ kind: 'call', callId: 'x' }]);
  });
});

it('has Avaya send the token that is asked for, in a subscription of known events', () => {
  for (const name of ['readyline-experience-platform.json', 'readyline-infinity.json']) {
    const { events, transport } = json('avaya', name);
    expect(transport).toMatchObject({ type: 'WEBHOOK', authTokenHeader: 'auth-token', endpoint: placeOf('avaya').events });
    for (const eventType of events) {
      const body = Buffer.from(JSON.stringify({ eventType, engagementId: 'e', interactionId: 'e', agentId: 'a' }));
      expect(connectors.get('avaya')!.read({ headers: {}, query: new URLSearchParams(), body, receivedAt: 0 }), eventType).not.toEqual([]);
    }
  }
});
