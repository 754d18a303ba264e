import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../src/http/route.ts';
import { routes } from '../../src/http/routes.ts';
import type { TestAgent } from '../support/gateway/gateway.ts';
import { bearer, keyed, startPopulatedGateway, type PopulatedGateway } from '../support/gateway/populatedGateway.ts';
import { eventually } from '../support/time/waiting.ts';
import { routeRequests, send, type RouteAnswer, type RouteName, type RouteRequest } from '../support/http/routeRequests.ts';

/**
 * Every route of the built-in CRM × everywhere that a request can name a record × everyone to whom that record does not exist:
 * nobody is served, nobody learns that it exists, and it stays as it was. Generated from the route table: a new route is in it.
 */

/** Kinds of records, as `records` makes them: one of another company, or of a colleague where agents see only their own. */
const kinds = ['contact', 'organisation', 'agent', 'task', 'deal', 'pipeline', 'stage', 'import', 'duplicate', 'team'] as const;
type Kind = (typeof kinds)[number];
/** Those that belong to an agent, and are not shown to another. */
const ofAnAgent: readonly Kind[] = ['contact', 'task', 'deal'];

/** Which kind a request names, by the field, or for `{id}` by the path. */
const kindsByName: Record<string, Kind> = {
  '/api/crm/contacts/{id}': 'contact',
  '/api/crm/organisations/{id}': 'organisation',
  '/api/crm/duplicates/{id}': 'duplicate',
  '/api/crm/tasks/{id}': 'task',
  '/api/crm/imports/{id}': 'import',
  '/api/crm/deals/{id}': 'deal',
  '/api/crm/pipelines/{id}': 'pipeline',
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
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].flatMap(([, parameter]) => (parameter === 'id' ? [route.path.slice(0, route.path.indexOf('{id}') + 4)] : []));
  const found: [Where, string][] = [
    ...inPath.map((field): [Where, string] => ['path', field]),
    ...idsOf(route.query).map((field): [Where, string] => ['query', field]),
    ...idsOf(route.body).map((field): [Where, string] => ['body', field]),
  ];
  return found
    .filter(([, field]) => field !== 'cursor')
    .map(([where, field]) => ({ route, name, where, field, kind: kindsByName[field] ?? expect.fail(`which record does ${field} of ${name} name?`) }));
}

/** The fields of a schema that are ids. */
function idsOf(schema: z.ZodType | null): string[] {
  if (schema === null) return [];
  const { properties, $defs, $ref } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const fields = properties ?? $defs?.[$ref?.split('/').at(-1) ?? '']?.properties ?? {};
  return Object.entries(fields).flatMap(([field, value]) => (JSON.stringify(value).includes('"format":"uuid"') ? [field] : []));
}

/** To whom a record of ours does not exist. */
const callers = ['an agent of another company', 'a supervisor of another company', 'an admin of another company', 'the key of another company', 'a colleague'] as const;
type Caller = (typeof callers)[number];
type World = PopulatedGateway & { theirs: PopulatedGateway; headers: Record<Caller, Record<string, string>>; records: Record<Kind, string> };

describe('a record of the built-in CRM', () => {
  let world: World;

  beforeAll(async () => {
    const populated = await startPopulatedGateway();
    const { gateway, ours, strangers, agent } = populated;
    const [theirAgent, theirSupervisor] = await Promise.all([gateway.agent(strangers, 's100'), gateway.agent(strangers, 'sboss', 'supervisor')]);
    await gateway.as(ours).patch('/api/company').send({ contact_scope: 'own' }).expect(200);
    world = {
      ...populated,
      // What fits is asked for as by them, about what is theirs.
      theirs: { ...populated, ours: strangers, strangers: ours, agent: theirAgent, supervisor: theirSupervisor, colleague: theirAgent },
      headers: {
        'an agent of another company': bearer(theirAgent.token),
        'a supervisor of another company': bearer(theirSupervisor.token),
        'an admin of another company': bearer(strangers.adminToken),
        'the key of another company': keyed(strangers.key),
        'a colleague': bearer(agent.token),
      },
      records: await makeRecords(populated, populated.colleague),
    };
  }, 60_000);
  afterAll(() => world.close());

  it('is named in every way that a request can', () => expect(new Set(places.map(({ where }) => where))).toEqual(new Set(['path', 'query', 'body'])));

  describe.each(places.map((place) => ({ ...place, title: `${place.name}, ${place.where}, ${place.field.split('/').at(-1) ?? ''}` })))('named by $title', (place) => {
    it.each(callersOf(place))('is not there for %s', async (caller) => {
      const before = await stateOf(world);
      const request = await (routeRequests[place.name] ?? expect.fail())(caller === 'a colleague' ? world : world.theirs);
      const answer = await send(world.gateway.url, place.name, naming(request, place, world.records[place.kind]), world.headers[caller]);
      expectNobody(answer, place);
      expect(answer.text).not.toContain('Hidden');
      expect(await stateOf(world)).toEqual(before);
    });
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
      segments[route.path.split('/').indexOf('{id}')] = id;
      return { ...request, path: `${segments.join('/')}?${query}` };
    }
    case 'query':
      return { ...request, path: `${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)), [field]: id }).toString()}` };
    case 'body':
      return { ...request, body: { ...request.body, [field]: field === 'stages' ? [{ id, name: 'New' }] : id } };
  }
}

/** 404; for a filter also a list or a file of nothing, and for what a record is to refer to, that this is none of the company. */
function expectNobody({ status, body, text }: RouteAnswer, { where, field, route }: Place): void {
  if (where === 'query' && status === 200 && route.path.endsWith('.csv')) {
    expect(text.trim().split('\r\n')).toHaveLength(1);
  } else if (where === 'query' && status === 200) {
    // A board shows its stages, whoever's deals it is asked for.
    const shown = (body['stages'] as { deals: unknown[] }[] | undefined)?.map(({ deals }) => deals) ?? Object.values(body).filter(Array.isArray);
    expect(shown.flat()).toEqual([]);
  } else if (where === 'body' && status === 400) {
    expect(body['errors']).toMatchObject([{ path: field === 'stages' ? 'stages.0.id' : field, code: 'not_of_company' }]);
  } else {
    expect([status, body['code']]).toEqual([404, 'not_found']);
  }
}

/** One record of each kind, of the colleague where it can be somebody's. */
async function makeRecords({ gateway, ours }: PopulatedGateway, colleague: TestAgent): Promise<Record<Kind, string>> {
  const make = async (path: string, body: object): Promise<string> => (await gateway.as(ours).post(path).send(body).expect(201)).body.id;
  const organisation = await make('/api/crm/organisations', { name: 'Hidden Ltd' });
  const contact = await make('/api/crm/contacts', { name: 'Hidden Person', owner_id: colleague.id, organisation_id: organisation, phones: [{ phone_number: '+493012345678' }] });
  const task = await make('/api/crm/tasks', { title: 'Hidden task', due_at: '2030-01-01T10:00:00Z', contact_id: contact, assignee_id: colleague.id });
  const { body } = await gateway.as(ours).post('/api/crm/imports').set('Content-Type', 'text/csv').send('name\nHidden Import\n').expect(201);
  const pipeline = (await gateway.as(ours).post('/api/crm/pipelines').send({ name: 'Hidden pipeline', stages: [{ name: 'Hidden stage' }] }).expect(201)).body;
  const stage = pipeline.stages[0].id;
  const deal = await make('/api/crm/deals', { name: 'Hidden deal', stage_id: stage, contact_id: contact, organisation_id: organisation, owner_id: colleague.id });
  await make('/api/crm/contacts', { name: 'Hidden Person', organisation_id: organisation });
  const duplicate = await eventually(async () => (await suggestedOf(gateway, ours)).find(({ contacts }) => contacts.some(({ id }) => id === contact))?.id ?? expect.fail());
  const team = await make('/api/teams', { code: 'hidden', name: 'Hidden team', agent_ids: [colleague.id] });
  return { team, contact, organisation, agent: colleague.id, task, deal, pipeline: pipeline.id, stage, import: body.id, duplicate };
}

async function suggestedOf(gateway: PopulatedGateway['gateway'], company: PopulatedGateway['ours']): Promise<{ id: string; contacts: { id: string }[] }[]> {
  return (await gateway.as(company).get('/api/crm/duplicates').expect(200)).body.duplicates;
}

/** Everything that could have changed of them. */
async function stateOf({ gateway, ours, records }: World): Promise<unknown[]> {
  const paths = [`/api/crm/contacts/${records.contact}`, `/api/crm/activities?contact=${records.contact}`, `/api/crm/organisations/${records.organisation}`, `/api/crm/tasks/${records.task}`, `/api/crm/deals/${records.deal}`, `/api/crm/pipelines/${records.pipeline}`, `/api/crm/imports/${records.import}`];
  const suggested = (await suggestedOf(gateway, ours)).map(({ id }) => id === records.duplicate).filter(Boolean);
  return [suggested, ...(await Promise.all(paths.map(async (path) => (await gateway.as(ours).get(path).expect(200)).body)))];
}
