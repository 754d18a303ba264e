import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../src/http/route.ts';
import { routes } from '../../src/http/routes.ts';
import type { TestAgent } from '../support/gateway/gateway.ts';
import { bearer, keyed, startPopulatedGateway, type PopulatedGateway } from '../support/gateway/populatedGateway.ts';
import { inState } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';
import {
  routeRequests,
  send,
  type RouteAnswer,
  type RouteName,
  type RouteRequest,
} from '../support/http/routeRequests.ts';

/**
 * Every route of the built-in CRM × everywhere that a request can name a record × everyone to whom that record does
 * not exist: nobody is served, nobody learns that it exists, and it stays as it was. Generated from the route
 * table: a new route is in it.
 */

/** Of the hidden contact. */
const hiddenPhone = '+493012345678';

/**
 * Kinds of records, as `records` makes them: one of another company, or of a colleague where agents see only their own.
 */
const kinds = [
  'contact',
  'organisation',
  'agent',
  'task',
  'deal',
  'pipeline',
  'stage',
  'import',
  'duplicate',
  'team',
  'field',
] as const;
type Kind = (typeof kinds)[number];
/** Those that belong to an agent, and are not shown to another. */
const ofAnAgent: readonly Kind[] = ['contact', 'task', 'deal'];

/** Which kind a request names, by the field, or for an id or key by the path. */
const kindsByName: Record<string, Kind> = {
  '/api/crm/contacts/{id}': 'contact',
  '/api/crm/organisations/{id}': 'organisation',
  '/api/crm/duplicates/{id}': 'duplicate',
  '/api/crm/tasks/{id}': 'task',
  '/api/crm/imports/{id}': 'import',
  '/api/crm/deals/{id}': 'deal',
  '/api/crm/pipelines/{id}': 'pipeline',
  '/api/crm/fields/{key}': 'field',
  pipeline: 'pipeline',
  stage: 'stage',
  stage_id: 'stage',
  stages: 'stage',
  contact: 'contact',
  contact_id: 'contact',
  organisation: 'organisation',
  organisation_id: 'organisation',
  owner: 'agent',
  owner_id: 'agent',
  assignee: 'agent',
  assignee_id: 'agent',
  agent_id: 'agent',
  team_id: 'team',
};

type Where = 'path' | 'query' | 'body';
type Place = { route: Route; name: RouteName; where: Where; field: string; kind: Kind };

const crmRoutes = routes.filter(({ path }) => path.startsWith('/api/crm/'));
const places = crmRoutes.flatMap(placesOf);

function placesOf(route: Route): Place[] {
  const name = `${route.method.toUpperCase()} ${route.path}` as RouteName;
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].flatMap(([, parameter]) =>
    parameter === 'id' || parameter === 'key'
      ? [route.path.slice(0, route.path.indexOf(`{${parameter}}`) + parameter.length + 2)]
      : [],
  );
  const found: [Where, string][] = [
    ...inPath.map((field): [Where, string] => ['path', field]),
    ...idsOf(route.query).map((field): [Where, string] => ['query', field]),
    ...idsOf(route.body).map((field): [Where, string] => ['body', field]),
  ];
  return found
    .filter(([, field]) => field !== 'cursor')
    .map(([where, field]) => ({
      route,
      name,
      where,
      field,
      kind: kindsByName[field] ?? expect.fail(`which record does ${field} of ${name} name?`),
    }));
}

/** The fields of a schema that are ids. */
function idsOf(schema: z.ZodType | null): string[] {
  if (schema === null) return [];
  const { properties, $defs, $ref } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const fields = properties ?? $defs?.[$ref?.split('/').at(-1) ?? '']?.properties ?? {};
  return Object.entries(fields).flatMap(([field, value]) =>
    JSON.stringify(value).includes('"format":"uuid"') ? [field] : [],
  );
}

/** To whom a record of ours does not exist. */
const callers = [
  'an agent of another company',
  'a supervisor of another company',
  'an admin of another company',
  'a dialer of another company',
  'the key of another company',
  'a colleague',
] as const;
type Caller = (typeof callers)[number];
type World = PopulatedGateway & {
  theirs: PopulatedGateway;
  headers: Record<Caller, Record<string, string>>;
  records: Record<Kind, string>;
};

describe('a record of the built-in CRM', () => {
  let world: World;

  beforeAll(async () => {
    const populated = await startPopulatedGateway();
    const { gateway, ours, strangers, agent } = populated;
    const [theirAgent, theirSupervisor, theirDialer] = await Promise.all([
      gateway.agent(strangers, 's100'),
      gateway.agent(strangers, 'sboss', 'supervisor'),
      gateway.agent(strangers, 'sdialer', 'dialer'),
    ]);
    await gateway.as(ours).patch('/api/company').send({ contact_scope: 'own' }).expect(200);
    world = {
      ...populated,
      // What fits is asked for as by them, about what is theirs.
      theirs: {
        ...populated,
        ours: strangers,
        strangers: ours,
        agent: theirAgent,
        supervisor: theirSupervisor,
        colleague: theirAgent,
      },
      headers: {
        'an agent of another company': bearer(theirAgent.token),
        'a supervisor of another company': bearer(theirSupervisor.token),
        'an admin of another company': bearer(strangers.adminToken),
        'a dialer of another company': bearer(theirDialer.token),
        'the key of another company': keyed(strangers.key),
        'a colleague': bearer(agent.token),
      },
      records: await makeRecords(populated, populated.colleague),
    };
  });
  afterAll(() => world.close());

  it('is named in every way that a request can', () =>
    expect(new Set(places.map(({ where }) => where))).toEqual(new Set(['path', 'query', 'body'])));

  describe.each(
    places.map((place) => ({
      ...place,
      title: `${place.name}, ${place.where}, ${place.field.split('/').at(-1) ?? ''}`,
    })),
  )('named by $title', (place) => {
    it.each(callersOf(place))('is not there for %s', async (caller) => {
      const before = await stateOf(world);
      const request = await (routeRequests[place.name] ?? expect.fail())(
        caller === 'a colleague' ? world : world.theirs,
      );
      const answer = await send(
        world.gateway.url,
        place.name,
        naming(request, place, world.records[place.kind]),
        world.headers[caller],
      );
      expectNobody(answer, place);
      expect(answer.text).not.toContain('Hidden');
      expect(await stateOf(world)).toEqual(before);
    });
  });
});

/** Routes that name no record and find one by a number, or by what hangs on it. */
describe('a contact of a colleague', () => {
  let world: PopulatedGateway;
  let records: Record<Kind, string>;

  beforeAll(async () => {
    world = await startPopulatedGateway();
    const { gateway, ours } = world;
    await gateway.as(ours).patch('/api/company').send({ contact_scope: 'own' }).expect(200);
    await gateway.as(ours).put('/api/integrations').send({ mode: 'builtin' }).expect(200);
    records = await makeRecords(world, world.colleague);
  });
  afterAll(() => world.close());

  const number = encodeURIComponent(hiddenPhone);
  const byNumber = [
    `/api/integrations/lookup?phone=${number}`,
    `/api/integrations/lookup?phone=${number}&format=flat`,
    `/api/integrations/cti/screen-pop?phone=${number}`,
    `/api/integrations/cti/pop?phone=${number}`,
    `/api/crm/contacts?phone=${number}`,
    `/api/crm/search?q=${number}`,
  ];
  /** The labels of the company's fields stand in the layout of its pops: they are no secret of a contact. */
  const ofContacts = (text: string) => text.replaceAll('"Hidden field"', '""');
  const asked = async (path: string, who: Record<string, string>) =>
    ofContacts((await world.gateway.api.get(path).set(who)).text);
  const openedLink = async (who: Record<string, string>): Promise<string> => {
    const { gateway } = world;
    const link = (
      await gateway.api.post('/api/integrations/cti/pop-links').set(who).send({ phone: hiddenPhone }).expect(201)
    ).body.url.split('#link=')[1];
    const { token } = (await gateway.api.post('/api/integrations/cti/pop-sessions').send({ link }).expect(201)).body;
    return ofContacts(
      (await gateway.api.get('/api/integrations/cti/pop-sessions').set('X-Pop-Token', token).expect(200)).text,
    );
  };

  it.each(byNumber)(
    'is not found by its number at %s by another agent; by whom it is shown to, it is',
    async (path) => {
      const { agent, colleague, ours, supervisor } = world;
      expect(await asked(path, bearer(agent.token))).not.toContain('Hidden');
      for (const { token } of [colleague, supervisor, { token: ours.adminToken }])
        expect(await asked(path, bearer(token))).toContain('Hidden Person');
    },
  );

  it('is not in a link to the pop page that another agent makes', async () => {
    const { agent, colleague, ours } = world;
    expect(await openedLink(bearer(agent.token))).not.toContain('Hidden');
    expect(await openedLink(bearer(colleague.token))).toContain('Hidden Person');
    expect(await openedLink(keyed(ours.key))).toContain('Hidden Person');
  });

  it('does not pop, and is not told of, where an agent’s click names it for another number; nor does it keep that from being dialed', async () => {
    const { agent, gateway, ours } = world;
    await gateway.as(ours).patch(`/api/crm/contacts/${records.contact}`).send({ do_not_call: true }).expect(200);
    const softphone = await gateway.readySoftphone(agent);
    const clicked = await gateway
      .as(agent)
      .post('/api/integrations/cti/click-to-dial')
      .send({ phone_number: '+493012345000', contact_id: records.contact })
      .expect(201);
    expect(clicked.text).not.toContain('Hidden');
    await gateway.as(agent).get(`/api/crm/contacts/${records.contact}/summary`).expect(404);
    await softphone.reportProgress(clicked.body.call_id, 'ended');
    await softphone.submitDisposition(clicked.body.call_id, { code: 'other' });
    await gateway.as(ours).patch(`/api/crm/contacts/${records.contact}`).send({ do_not_call: false }).expect(200);

    // Who has the call sees who calls; so does whom a supervisor has call.
    const rung = await softphone.incomingCall(hiddenPhone);
    const { id } = rung.call;
    expect(rung.screen_pop).toMatchObject({ name: 'Hidden Person' });
    for (const path of byNumber.slice(0, 4)) expect(await asked(path, bearer(agent.token))).toContain('Hidden Person');
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'other' });
    expect(await asked(byNumber[0]!, bearer(agent.token))).not.toContain('Hidden');
    await inState(softphone, 'ready');
    const asSupervisor = await gateway
      .as(world.supervisor)
      .post('/api/integrations/cti/click-to-dial')
      .send({ phone_number: '+493012345001', contact_id: records.contact, agent_id: agent.id })
      .expect(201);
    expect(asSupervisor.body.screen_pop).toMatchObject({ name: 'Hidden Person' });
    expect(await asked(`/api/crm/contacts/${records.contact}/summary`, bearer(agent.token))).toContain('Hidden task');
    await softphone.reportProgress(asSupervisor.body.call_id, 'ended');
    softphone.close();
  });

  it('is not told of by what hangs on a contact of nobody', async () => {
    const { agent, colleague, gateway, ours } = world;
    const make = async (path: string, body: object): Promise<string> =>
      (await gateway.as(ours).post(path).send(body).expect(201)).body.id;
    const contact = await make('/api/crm/contacts', { name: 'Of nobody' });
    await make('/api/crm/tasks', {
      title: 'Hidden task',
      due_at: '2030-01-01T10:00:00Z',
      contact_id: contact,
      assignee_id: colleague.id,
    });
    await make('/api/crm/tasks', {
      title: 'Task of nobody',
      due_at: '2030-01-01T10:00:00Z',
      contact_id: contact,
      assignee_id: null,
    });
    await make('/api/crm/deals', {
      name: 'Hidden deal',
      stage_id: records.stage,
      contact_id: contact,
      owner_id: colleague.id,
    });
    await make('/api/crm/deals', {
      name: 'Deal of nobody',
      stage_id: records.stage,
      contact_id: contact,
      owner_id: null,
    });
    const summaryOf = async (who: string) =>
      (await gateway.api.get(`/api/crm/contacts/${contact}/summary`).set(bearer(who)).expect(200)).body;
    expect(await summaryOf(agent.token)).toMatchObject({
      open_tasks: [{ title: 'Task of nobody' }],
      open_deals: [{ name: 'Deal of nobody' }],
    });
    const all = await summaryOf(ours.adminToken);
    expect([all.open_tasks, all.open_deals].map((list) => list.length)).toEqual([2, 2]);
  });
});

/** Those who may use the route at all. A colleague is in it where records are an agent's own. */
function callersOf({ route: { access }, kind }: Place): Caller[] {
  if (access.kind !== 'company') return [];
  const { roles, key } = access;
  const may: Record<Caller, boolean> = {
    'an agent of another company': roles.includes('agent'),
    'a supervisor of another company': roles.includes('supervisor'),
    'an admin of another company': roles.includes('admin'),
    'a dialer of another company': roles.includes('dialer'),
    'the key of another company': key,
    'a colleague': roles.includes('agent') && ofAnAgent.includes(kind),
  };
  return callers.filter((caller) => may[caller]);
}

/** The request with the id of a record in one of its places. */
function naming(request: RouteRequest, { where, field, route }: Place, id: string): RouteRequest {
  const [path = '', query = ''] = request.path.split('?');
  switch (where) {
    case 'path': {
      const segments = path.split('/');
      segments[route.path.split('/').findIndex((segment) => segment === '{id}' || segment === '{key}')] = id;
      return { ...request, path: `${segments.join('/')}?${query}` };
    }
    case 'query': {
      const asked = new URLSearchParams(query);
      asked.set(field, id);
      return { ...request, path: `${path}?${asked.toString()}` };
    }
    case 'body':
      return { ...request, body: { ...request.body, [field]: field === 'stages' ? [{ id, name: 'New' }] : id } };
  }
}

/**
 * 404; for a filter also a list or a file of nothing, and for what a record is to refer to,
 * that this is none of the company.
 */
function expectNobody({ status, body, text }: RouteAnswer, { where, field, route }: Place): void {
  if (where === 'query' && status === 200 && route.path.endsWith('.csv')) {
    expect(text.trim().split('\r\n')).toHaveLength(1);
  } else if (where === 'query' && status === 200) {
    // A board shows its stages, whoever's deals it is asked for.
    const shown =
      (body['stages'] as { deals: unknown[] }[] | undefined)?.map(({ deals }) => deals) ??
      Object.values(body).filter(Array.isArray);
    expect(shown.flat()).toEqual([]);
  } else if (where === 'body' && status === 400) {
    expect(body['errors']).toMatchObject([
      { path: field === 'stages' ? 'stages.0.id' : field, code: 'not_of_company' },
    ]);
  } else {
    expect([status, body['code']]).toEqual([404, 'not_found']);
  }
}

/** One record of each kind, of the colleague where it can be somebody's. */
async function makeRecords({ gateway, ours }: PopulatedGateway, colleague: TestAgent): Promise<Record<Kind, string>> {
  const make = async (path: string, body: object): Promise<string> =>
    (await gateway.as(ours).post(path).send(body).expect(201)).body.id;
  const organisation = await make('/api/crm/organisations', { name: 'Hidden Ltd' });
  const contact = await make('/api/crm/contacts', {
    name: 'Hidden Person',
    owner_id: colleague.id,
    organisation_id: organisation,
    phones: [{ phone_number: hiddenPhone }],
  });
  const task = await make('/api/crm/tasks', {
    title: 'Hidden task',
    due_at: '2030-01-01T10:00:00Z',
    contact_id: contact,
    assignee_id: colleague.id,
  });
  const { body } = await gateway
    .as(ours)
    .post('/api/crm/imports')
    .set('Content-Type', 'text/csv')
    .send('name\nHidden Import\n')
    .expect(201);
  const pipeline = (
    await gateway
      .as(ours)
      .post('/api/crm/pipelines')
      .send({ name: 'Hidden pipeline', stages: [{ name: 'Hidden stage' }] })
      .expect(201)
  ).body;
  const stage = pipeline.stages[0].id;
  const deal = await make('/api/crm/deals', {
    name: 'Hidden deal',
    stage_id: stage,
    contact_id: contact,
    organisation_id: organisation,
    owner_id: colleague.id,
  });
  await make('/api/crm/contacts', { name: 'Hidden Person', organisation_id: organisation });
  const duplicate = await eventually(
    async () =>
      (await suggestedOf(gateway, ours)).find(({ contacts }) => contacts.some(({ id }) => id === contact))?.id ??
      expect.fail(),
  );
  const team = await make('/api/teams', { code: 'hidden', name: 'Hidden team', agent_ids: [colleague.id] });
  await gateway
    .as(ours)
    .post('/api/crm/fields')
    .send({ key: 'hidden_field', label: 'Hidden field', kind: 'text' })
    .expect(201);
  return {
    field: 'hidden_field',
    team,
    contact,
    organisation,
    agent: colleague.id,
    task,
    deal,
    pipeline: pipeline.id,
    stage,
    import: body.id,
    duplicate,
  };
}

async function suggestedOf(
  gateway: PopulatedGateway['gateway'],
  company: PopulatedGateway['ours'],
): Promise<{ id: string; contacts: { id: string }[] }[]> {
  return (await gateway.as(company).get('/api/crm/duplicates').expect(200)).body.duplicates;
}

/** Everything that could have changed of them. */
async function stateOf({ gateway, ours, records }: World): Promise<unknown[]> {
  const paths = [
    `/api/crm/contacts/${records.contact}`,
    `/api/crm/activities?contact=${records.contact}`,
    `/api/crm/organisations/${records.organisation}`,
    `/api/crm/tasks/${records.task}`,
    `/api/crm/deals/${records.deal}`,
    `/api/crm/pipelines/${records.pipeline}`,
    `/api/crm/imports/${records.import}`,
    '/api/crm/fields',
  ];
  const suggested = (await suggestedOf(gateway, ours)).map(({ id }) => id === records.duplicate).filter(Boolean);
  return [
    suggested,
    ...(await Promise.all(paths.map(async (path) => (await gateway.as(ours).get(path).expect(200)).body))),
  ];
}
