import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { recipes } from '../../src/connectors/recipes/recipes.ts';
import { platformAbilities } from '../../src/connectors/recipes/recipe.ts';
import { ctiConnectors } from '../../src/contract/vocabulary.ts';
import { routes } from '../../src/http/routes.ts';
import { flatScreenPop } from '../../src/usecases/screenPops/lookUp.ts';
import { childOf, childrenOf, readXml, type XmlElement } from '../../src/providers/xml.ts';
import { company, filesOf, gateway, placeOf } from '../support/cti/recipeFiles.ts';

const all = [...recipes.values()];
const json = (id: string, name: string) => JSON.parse(filesOf(id).get(name)!.text);
const files = all.flatMap((recipe) =>
  recipe.files(placeOf(recipe.id)).map((file) => ({ id: recipe.id, name: file.name, file })),
);

it('has an entry for every platform that may tell of calls, and for every connector of the settings', () => {
  expect([...recipes.keys()].toSorted()).toEqual([...connectors.keys(), 'none'].toSorted());
  for (const { id } of ctiConnectors) expect(recipes.has(id), id).toBe(true);
});

describe.each(all.map((recipe) => [recipe.id, recipe] as const))('the recipe of %s', (id, recipe) => {
  const text = JSON.stringify([recipe.steps(placeOf(id)), recipe.files(placeOf(id))]);

  it('claims no more than is proven, and says in words what is not', () => {
    const tellsStates = Object.keys(connectors.get(id)?.states ?? {}).length > 0;
    expect(Object.keys(recipe.abilities).toSorted()).toEqual([...platformAbilities].toSorted());
    for (const { note, proof } of Object.values(recipe.abilities)) {
      expect(note).toMatch(/\.$/);
      // No vendor's cloud is at hand.
      expect(proof).not.toBe('live');
    }
    if (id !== 'none') expect(recipe.abilities.events.note).toMatch(/transfer/);
    expect(recipe.abilities.dial.proof !== null).toBe((connectors.get(id)?.account ?? null) !== null);
    expect(recipe.abilities.set_states.proof !== null).toBe((connectors.get(id)?.account?.setState ?? null) !== null);
    expect(recipe.abilities.states.proof !== null).toBe(tellsStates);
  });

  it('says the same on its page of the documentation', () => {
    const page = readFileSync(new URL(`../../docs/connectors/${id}.md`, import.meta.url), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    for (const { note, proof } of Object.values(recipe.abilities))
      expect(page).toContain(`** (${proof === null ? 'no' : `\`${proof}\``}): ${note}`);
    expect(page).toContain(recipe.summary);
    for (const { title } of recipe.steps(placeOf(id))) expect(page).toContain(`**${title}**`);
    for (const { name } of recipe.files(placeOf(id))) expect(page).toContain(`\`${name}\``);
  });

  it('leads nowhere but to routes that the gateway has', () => {
    const paths = routes.map(({ path }) => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`));
    const urls = [...text.matchAll(/https:\/\/readyline\.example\.com([^\s"'<>\\?]*)/g)]
      .map(([, path = '']) => path)
      .filter((path) => path !== '');
    if (id !== 'none') expect(urls.length).toBeGreaterThan(0);
    for (const path of urls) expect(path === '/pop' || paths.some((known) => known.test(path)), path).toBe(true);
  });

  it('holds no key of the company, in no address either', () => {
    expect(text).not.toMatch(/api_key=|rlk_/i);
  });
});

describe.each(files.map(({ id, name, file }) => [id, name, file] as const))(
  'the file of %s, %s,',
  (_id, _name, { contentType, name, text }) => {
    it('is what its name says', () => {
      expect(name).toMatch(/^[A-Za-z0-9.-]+$/);
      if (contentType === 'application/json') expect(() => JSON.parse(text)).not.toThrow();
      if (contentType === 'application/xml' && !text.includes('CDATA')) expect(() => readXml(text)).not.toThrow();
      if (contentType === 'text/javascript' && !text.includes('\nexport '))
        expect(() => new Script(text)).not.toThrow();
      expect(text.endsWith('\n')).toBe(true);
    });
  },
);

describe('the files of Genesys Cloud', () => {
  const actions = ['readyline-lookup.custom.json', 'readyline-call-event.custom.json'];

  it.each(actions)('has %s as its import takes one', (name) => {
    const action = json('genesys', name);
    expect(Object.keys(action)).toEqual(['name', 'integrationType', 'actionType', 'config', 'contract', 'secure']);
    expect(action).toMatchObject({ integrationType: 'custom-rest-actions', actionType: 'custom' });
    expect(Object.keys(action.config.response.translationMap).toSorted()).toEqual(
      Object.keys(action.config.response.translationMapDefaults).toSorted(),
    );
    // Every input that a template names is one of the contract, and is not left unescaped.
    const inputs = Object.keys(action.contract.input.inputSchema.properties);
    const { requestTemplate, requestUrlTemplate } = action.config.request;
    for (const [, input = ''] of `${requestUrlTemplate} ${requestTemplate}`.matchAll(/\$\{input\.(\w+)\}/g))
      expect([...inputs, 'rawRequest']).toContain(input);
    for (const [whole] of `${requestUrlTemplate} ${requestTemplate}`.matchAll(/.{0,16}\$\{input\.(?!rawRequest)\w+\}/g))
      expect(whole).toMatch(/\$esc\.(url|jsonString)\(/);
    expect(JSON.stringify(action)).toContain('http://json-schema.org/draft-04/schema#');
  });

  it('names the flow’s trigger as its API takes one', () => {
    const trigger = json('genesys', 'readyline-trigger-user-start.json');
    expect(trigger).toMatchObject({
      topicName: 'v2.detail.events.conversation.{id}.user.start',
      enabled: true,
      target: { type: 'Workflow', workflowTargetSettings: { dataFormat: 'Json' } },
      eventTTLSeconds: 60,
    });
    expect(trigger).not.toHaveProperty('delayBySeconds');
  });

  const own = {
    conversationId: 'c"1',
    participantId: 'p',
    mediaType: 'VOICE',
    direction: 'INBOUND',
    ani: 'tel:+15551230001',
    dnis: 'tel:+15550199',
    eventTime: 1_760_000_000_000,
  };
  it.each<[string, Record<string, string | number>, object]>([
    ['user.start', { ...own, userId: 'u-1', queueId: 'q' }, { event: 'ringing', agent: { id: 'u-1' }, queue: 'q' }],
    [
      'user.end',
      { ...own, userId: 'u-1', queueId: 'q', interactingDurationMs: 7_000, disconnectType: 'PEER' },
      { event: 'ended', agent: { id: 'u-1' }, talkMs: 7_000 },
    ],
    [
      'user.end',
      { ...own, userId: 'u-1', interactingDurationMs: 7_000, disconnectType: 'TRANSFER' },
      { event: 'transferred', agent: { id: 'u-1' } },
    ],
    ['customer.end', { ...own, disconnectType: 'PEER' }, { event: 'ended', agent: null }],
  ])(
    'hand %s from the trigger through the workflow and the data action, and it is read: %j',
    (topic, event, expected) => {
      const file = topic.replace('.', '-');
      expect(json('genesys', `readyline-trigger-${file}.json`)).toMatchObject({
        topicName: `v2.detail.events.conversation.{id}.${topic}`,
        target: { workflowTargetSettings: { dataFormat: 'Json' } },
      });
      const { workflow } = json('genesys', `readyline-${file}.yaml`);
      // Json hands over one input of that name.
      expect(workflow.variables).toEqual([
        { jsonVariable: { name: 'Flow.jsonData', initialValue: { noValue: true }, isInput: true, isOutput: false } },
      ]);
      const action = json('genesys', 'readyline-call-event.custom.json');
      const [{ dataAction }] = Object.values(workflow.states[0].state.actions[0].callData.category) as [
        { dataAction: Record<string, { inputs: Record<string, { exp?: string; lit?: string }> }> },
      ];
      expect(Object.keys(dataAction)).toEqual([action.name]);
      const { inputs } = dataAction[action.name]!;
      expect(Object.keys(inputs)).toEqual(Object.keys(action.contract.input.inputSchema.properties));
      const valueOf = ({ exp, lit }: { exp?: string; lit?: string }) =>
        exp === undefined
          ? lit
          : String(event[/^ToString\(GetJsonObjectProperty\(Flow\.jsonData, "(\w+)"\)\)$/.exec(exp)![1]!] ?? 'NOT_SET');
      // What has no value is left as it stands in the template.
      const body = (action.config.request.requestTemplate as string).replaceAll(
        /\$esc\.jsonString\(\$\{input\.(\w+)\}\)/g,
        (whole, input: string) => {
          const value = valueOf(inputs[input]!);
          return value === undefined ? whole : JSON.stringify(value).slice(1, -1);
        },
      );
      const read = connectors.get('genesys')!.read({
        headers: { 'content-type': 'application/json' },
        query: new URLSearchParams(),
        body: Buffer.from(body),
        receivedAt: 0,
      });
      expect(read).toMatchObject([
        { callId: 'c"1', customer: 'tel:+15551230001', direction: 'inbound', at: 1_760_000_000_000, ...expected },
      ]);
    },
  );
});

describe('the files of Webex Contact Center', () => {
  it.each(['task', 'agent'])('subscribe to events of one resource, %s, all of which are read', (resource) => {
    const subscription = json('webexcc', `readyline-subscription-${resource}.json`);
    expect(subscription.resourceVersion).toBe(`${resource}:1.0.0`);
    for (const type of subscription.eventTypes) {
      expect(type.startsWith(`${resource}:`)).toBe(true);
      const body = Buffer.from(
        JSON.stringify({
          id: 'e',
          type,
          data: { taskId: 't', agentId: 'a', currentState: 'available', direction: 'INBOUND', origin: '1' },
        }),
      );
      expect(
        connectors.get('webexcc')!.read({ headers: {}, query: new URLSearchParams(), body, receivedAt: 0 }),
      ).not.toEqual([]);
    }
  });
});

describe('the files of Cisco Finesse', () => {
  const text = (element: XmlElement, ...path: string[]): string =>
    path.reduce<XmlElement>((found, name) => childOf(found, name)!, element).text;

  it('are a workflow action whose variables are all declared', () => {
    const action = readXml(filesOf('cisco').get('readyline-workflow-action.xml')!.text);
    const variables = childrenOf(childOf(action, 'actionVariables')!, 'ActionVariable').map((variable) =>
      text(variable, 'name'),
    );
    const path = text(childrenOf(childOf(action, 'params')!, 'Param')[0]!, 'value');
    expect([...path.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name)).toEqual(variables);
    expect(new URL(path.replaceAll(/\$\{\w+\}/g, '1')).searchParams.get('company')).toBe(company);
  });
});

describe('the files of Five9', () => {
  it.each([
    'readyline-customer.xml',
    'readyline-answered.xml',
    'readyline-ended.xml',
    'readyline-dialed-answered.xml',
    'readyline-dialed-ended.xml',
  ])('has %s with its fields in the order of the service’s schema', (name) => {
    const envelope = readXml(filesOf('five9').get(name)!.text);
    const connector = childOf(childOf(childOf(envelope, 'Body')!, 'createWebConnector')!, 'connector')!;
    const order = [
      'addWorksheet',
      'agentApplication',
      'clearTriggerDispositions',
      'constants',
      'ctiWebServices',
      'description',
      'executeInBrowser',
      'name',
      'postMethod',
      'trigger',
      'url',
      'variables',
    ];
    expect([...new Set(connector.children.map((child) => child.name))]).toEqual(order);
    if (name === 'readyline-customer.xml') return;
    // What Five9 would post of it is read.
    const pairs = ['constants', 'variables']
      .flatMap((tag) => childrenOf(connector, tag))
      .map((pair) => [childOf(pair, 'key')!.text, childOf(pair, 'value')!.text] as [string, string]);
    const body = Buffer.from(
      new URLSearchParams(pairs.map(([key, value]) => [key, value.replace(/^@.*@$/, 'x')])).toString(),
    );
    const read = connectors.get('five9')!.read({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      query: new URLSearchParams(),
      body,
      receivedAt: 0,
    });
    expect(read).toMatchObject([
      { event: name.includes('answered') ? 'answered' : 'ended', callId: 'x', agent: { id: 'x' } },
    ]);
  });
});

describe('the script for Five9', () => {
  const script = readXml(filesOf('five9').get('readyline-lookup.five9ivr')!.text);
  const main = childOf(script, 'modules')!;
  const data = childOf(childOf(main, 'query')!, 'data')!;
  const pairsOf = (tag: string) =>
    childrenOf(childOf(data, tag)!, 'entry').map(
      (entry) => [childOf(entry, 'key')!.text, childOf(entry, 'value')!] as const,
    );

  it('goes from module to module, and back to the script that ran it', () => {
    const ids = (room: XmlElement) => room.children.map((one) => childOf(one, 'moduleId')!.text);
    const hungUp = childOf(script, 'modulesOnHangup')!;
    expect(new Set([...ids(main), ...ids(hungUp)]).size).toBe(5);
    for (const room of [main, hungUp]) {
      for (const one of room.children) {
        for (const { name, text } of one.children) {
          if (/Descendant$|^ascendants$/.test(name)) expect(ids(room)).toContain(text);
        }
      }
      expect(childOf(childOf(childOf(room, 'hangup')!, 'data')!, 'returnToCallingModule')!.text).toBe('true');
    }
  });

  it('asks the gateway with the caller and the key, and reads each field of a flat answer', () => {
    expect(childOf(data, 'url')!.text).toBe(`${gateway}/api/integrations/cti/screen-pop`);
    const shown = (value: XmlElement) =>
      childOf(value, 'variableName')?.text ?? childOf(childOf(value, 'stringValue')!, 'value')!.text;
    expect(pairsOf('parameters').map(([key, value]) => [key, shown(value)])).toEqual([
      ['phone', 'Call.ANI'],
      ['format', 'flat'],
    ]);
    expect(pairsOf('headers').map(([key, value]) => [key, shown(value)])).toEqual([
      ['Accept', 'application/json'],
      ['X-Service-Api-Key', 'YOUR-COMPANY-KEY'],
    ]);
    const rule = childOf(childOf(data, 'responseInfos')!, 'regexp')!;
    const variables = childrenOf(rule, 'regexpParameters').map((one) => childOf(one, 'variable')!.text);
    expect(childOf(rule, 'regexpFlags')!.text).toBe('32');
    const read = (answer: object) => {
      const [, ...groups] = new RegExp(childOf(rule, 'regexp')!.text, 's').exec(JSON.stringify(answer, null, 1)) ?? [];
      return Object.fromEntries(variables.map((name, index) => [name, groups[index]]));
    };
    const flat = flatScreenPop(
      { name: 'Grace "Amazing" Hopper', external_id: 'c-9', vip_tier: 'gold' },
      '+15551230001',
    );
    expect(read(flat)).toEqual({
      'Readyline.found': 'true',
      'Readyline.name': String.raw`Grace \"Amazing\" Hopper`,
      'Readyline.vip_tier': 'gold',
      'Readyline.external_id': 'c-9',
    });
    expect(read(flatScreenPop(null, '+15551230001'))).toMatchObject({
      'Readyline.found': 'false',
      'Readyline.name': '',
    });
  });
});

describe('the files of Talkdesk', () => {
  it.each(['inboundCallReachesContactCenter', 'inboundCallStarts', 'inboundCallEnds', 'outboundCallEnds'])(
    'register %s with what the API asks for, and a message that is read',
    (name) => {
      const registration = json('talkdesk', `readyline-${name}.json`);
      expect(Object.keys(registration)).toEqual(['title', 'callbackurl', 'message']);
      const body = Buffer.from((registration.message as string).replaceAll(/\{\{[\w.]+\}\}/g, 'x'));
      expect(
        connectors.get('talkdesk')!.read({ headers: {}, query: new URLSearchParams(), body, receivedAt: 0 }),
      ).toMatchObject([{ kind: 'call', callId: 'x' }]);
    },
  );
});

describe('the files of Avaya', () => {
  it('ask for events that are read, and for the token', () => {
    for (const name of ['readyline-experience-platform.json', 'readyline-infinity.json']) {
      const { events, transport } = json('avaya', name);
      expect(transport).toMatchObject({ authTokenHeader: 'auth-token', endpoint: placeOf('avaya').events });
      for (const eventType of events) {
        const body = Buffer.from(JSON.stringify({ eventType, engagementId: 'e', interactionId: 'e', agentId: 'a' }));
        expect(
          connectors.get('avaya')!.read({ headers: {}, query: new URLSearchParams(), body, receivedAt: 0 }),
          eventType,
        ).not.toEqual([]);
      }
    }
    for (const eventType of json('avaya', 'readyline-infinity.json').events) {
      // Whose call that is, is not among them: the element tells.
      if (eventType.startsWith('Interaction')) {
        expect(
          connectors.get('avaya')!.read({
            headers: {},
            query: new URLSearchParams(),
            body: Buffer.from(JSON.stringify({ eventType, interactionId: 'e' })),
            receivedAt: 0,
          }),
        ).toMatchObject([{ agent: null }]);
      }
    }
    for (const eventType of json('breeze', 'readyline-breeze.json').eventTypes) {
      expect(
        connectors.get('breeze')!.read({
          headers: {},
          query: new URLSearchParams(),
          body: Buffer.from(JSON.stringify({ eventType, ucid: '1', user: '4001' })),
          receivedAt: 0,
        }),
        eventType,
      ).toMatchObject([{ kind: 'call', agent: { id: '4001' } }]);
    }
  });
});

describe('the files of NICE CXone', () => {
  it('have a snippet and a REST action for each event, which say the same, and of outbound calls whom the agent called', () => {
    const { actions } = json('nice', 'readyline-rest-actions.json');
    const bodies = actions.slice(1).map(({ body }: { body: string }) => JSON.parse(body));
    expect(
      bodies.map(({ customer_number: number, direction, event }: Record<string, string>) => [direction, event, number]),
    ).toEqual([
      ['inbound', 'answered', '{ANI}'],
      ['inbound', 'ended', '{ANI}'],
      ['outbound', 'answered', '{DNIS}'],
      ['outbound', 'ended', '{DNIS}'],
    ]);
    const blocks = filesOf('nice').get('readyline-studio.txt')!.text.split('DYNAMIC told\n').slice(1);
    expect(
      blocks.map((block) =>
        Object.fromEntries([...block.matchAll(/^told\.(\w+) = "(.*)"$/gm)].map(([, name, value]) => [name, value])),
      ),
    ).toEqual(bodies);
    for (const [index, body] of bodies.entries()) {
      const values: Record<string, string> = { ContactID: '415', AgentID: '7', ANI: '5550100', DNIS: '5550101' };
      const sent = JSON.stringify(body).replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name]!);
      const read = connectors.get('nice')!.read({
        headers: { 'content-type': 'application/json' },
        query: new URLSearchParams(),
        body: Buffer.from(sent),
        receivedAt: 0,
      });
      expect(read).toMatchObject([
        {
          event: bodies[index].event,
          callId: '415',
          agent: { id: '7' },
          customer: bodies[index].direction === 'inbound' ? '5550100' : '5550101',
        },
      ]);
    }
  });
});
