import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import {
  bearer,
  candidate,
  keyed,
  knownPhone,
  makeDeclinedCall,
  type PopulatedGateway,
  sipCallId,
} from '../gateway/populatedGateway.ts';
import { platformToken } from '../gateway/gateway.ts';
import { eventually } from '../time/waiting.ts';

/** A request that a route takes, without credentials. `path` is below the base address, with its query. */
export type RouteRequest = { path: string; body?: Record<string, unknown>; ndjson?: string; csv?: string };

/** `GET /api/agents/{id}`, as the route table writes paths. */
export type RouteName = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

const query = (phone: string) => `?phone=${encodeURIComponent(phone)}`;
let numbers = 0;
/** Different each time. */
const fresh = (prefix: string) => `${prefix}-${(numbers += 1)}`;

/** A fresh address for what a CRM tells our company. */
async function addressOf({ gateway, ours }: PopulatedGateway, provider = 'freshdesk'): Promise<string> {
  const issued = await gateway.api
    .post('/api/integrations/crm/inbound')
    .set(bearer(ours.adminToken))
    .send({ provider })
    .expect(201);
  return new URL(issued.body.url, 'http://gateway').pathname;
}

/** The same for a telephony platform. */
async function platformAddressOf({ gateway, ours }: PopulatedGateway, connector = 'genesys'): Promise<string> {
  const issued = await gateway.api
    .post('/api/integrations/cti/connections')
    .set(bearer(ours.adminToken))
    .send({ connector })
    .expect(201);
  return new URL(issued.body.url, 'http://gateway').pathname;
}

async function made({ gateway, ours }: PopulatedGateway, path: string, body: object): Promise<Record<string, string>> {
  return (await gateway.api.post(path).set(bearer(ours.adminToken)).send(body).expect(201)).body;
}
const contactOf = async (world: PopulatedGateway) =>
  (await made(world, '/api/crm/contacts', { name: 'Grace Hopper' }))['id'];
/** What is suggested of two contacts with one address. */
async function duplicateOf(world: PopulatedGateway): Promise<string> {
  const emails = [{ email: `${fresh('address')}@example.com` }];
  const pair = [
    await made(world, '/api/crm/contacts', { emails }),
    await made(world, '/api/crm/contacts', { emails }),
  ].map(({ id }) => id);
  return eventually(async () => {
    const { body } = await world.gateway.api
      .get('/api/crm/duplicates?limit=100')
      .set(bearer(world.ours.adminToken))
      .expect(200);
    return (
      body.duplicates.find(({ contacts }: { contacts: { id: string }[] }) =>
        contacts.every(({ id }) => pair.includes(id)),
      )?.id ?? false
    );
  });
}
const organisationOf = async (world: PopulatedGateway) =>
  (await made(world, '/api/crm/organisations', { name: 'Navy Computing' }))['id'];
/** One that was written: again and again the same, as a company cannot write as often as it likes. */
async function messageOf(world: PopulatedGateway): Promise<string> {
  const { body } = await world.gateway.api.get('/api/messages?limit=1').set(bearer(world.ours.adminToken)).expect(200);
  return (
    body.messages[0]?.id ?? (await made(world, '/api/messages', { text: 'At noon we meet.', to: 'everybody' }))['id']
  );
}
/**
 * An import that is uploaded; those under way are ended, and old ones forgotten, so that a company never has too many.
 */
async function importOf({ gateway, ours }: PopulatedGateway, rows = 1): Promise<string> {
  const { body } = await gateway.api.get('/api/crm/imports').set(bearer(ours.adminToken)).expect(200);
  const asAdmin = bearer(ours.adminToken);
  for (const { id, state } of body.imports) {
    if (state === 'checking') await gateway.api.post(`/api/crm/imports/${id}/cancel`).set(asAdmin);
  }
  for (const { id } of body.imports.slice(12)) await gateway.api.delete(`/api/crm/imports/${id}`).set(asAdmin);
  const file = `name,external id\n${Array.from({ length: rows }, (_, n) => `Grace ${n},imported-${n}\n`).join('')}`;
  const made = await gateway.api
    .post('/api/crm/imports')
    .set(bearer(ours.adminToken))
    .set('Content-Type', 'text/csv')
    .send(file)
    .expect(201);
  return made.body.id;
}
/** One that takes a while. */
async function importUnderWay(world: PopulatedGateway): Promise<string> {
  const id = await importOf(world, 5_000);
  await world.gateway.api
    .post(`/api/crm/imports/${id}/runs`)
    .set(bearer(world.ours.adminToken))
    .send({ dry_run: true })
    .expect(202);
  return id;
}
async function importDone(world: PopulatedGateway): Promise<string> {
  const id = await importOf(world);
  const asAdmin = bearer(world.ours.adminToken);
  await world.gateway.api.post(`/api/crm/imports/${id}/runs`).set(asAdmin).send({}).expect(202);
  await eventually(
    async () => (await world.gateway.api.get(`/api/crm/imports/${id}`).set(asAdmin).expect(200)).body.state === 'done',
  );
  return id;
}
const fieldOf = async (world: PopulatedGateway) =>
  (await made(world, '/api/crm/fields', { key: fresh('key').replace('-', '_'), label: 'Plan', kind: 'text' }))['key'];
const due = { title: 'Send the offer', due_at: '2030-01-01T10:00:00.000Z' };
const newTeam = () => ({ code: fresh('team'), name: 'Sales' });
const newListed = () => ({ number: `+1555${(7_000_000 + (numbers += 1)).toString()}` });
const newPipeline = () => ({ name: fresh('pipeline'), stages: [{ name: 'New' }, { name: 'Won', outcome: 'won' }] });
/** One that is there already, if there is one: a company has at most 100. */
const pipelineOf = async (world: PopulatedGateway) => {
  const { pipelines } = (await world.gateway.as(world.ours).get('/api/crm/pipelines').expect(200)).body;
  return pipelines[0] ?? made(world, '/api/crm/pipelines', newPipeline());
};
const dealBody = async (world: PopulatedGateway) => ({
  name: '50 licences',
  stage_id: (await pipelineOf(world)).stages[0].id,
  owner_id: null,
});
const dealOf = async (world: PopulatedGateway) => (await made(world, '/api/crm/deals', await dealBody(world)))['id'];
const taskOf = async (world: PopulatedGateway) =>
  (await made(world, '/api/crm/tasks', { ...due, assignee_id: null }))['id'];

const newView = () => ({ name: fresh('view'), shared: true, filter: { range: 'yesterday' } });
const daily = { every: 'day', time: '07:00', time_zone: 'Europe/Berlin' };
/** The oldest of our company where there are many, so that nobody has too many. */
async function forgetViews({ gateway, ours }: PopulatedGateway): Promise<void> {
  const asAdmin = bearer(ours.adminToken);
  const { views } = (await gateway.api.get('/api/reports/views').set(asAdmin).expect(200)).body;
  const oldest =
    views.length < 80
      ? []
      : views
          .toSorted((one: { created_at: string }, other: { created_at: string }) =>
            one.created_at < other.created_at ? -1 : 1,
          )
          .slice(0, 40);
  for (const { id } of oldest) await gateway.api.delete(`/api/reports/views/${id}`).set(asAdmin);
}
/** A shared view of the admin's. */
async function viewOf(world: PopulatedGateway): Promise<string | undefined> {
  await forgetViews(world);
  return (await made(world, '/api/reports/views', newView()))['id'];
}
/** One whose report is sent every day. */
async function scheduledView(world: PopulatedGateway): Promise<string | undefined> {
  const id = await viewOf(world);
  await world.gateway.api
    .put(`/api/reports/views/${id}/schedule`)
    .set(bearer(world.ours.adminToken))
    .send(daily)
    .expect(200);
  return id;
}

/** For every route the smallest request that fits, about things of our company; it may be sent again and again. */
export const routeRequests: Record<RouteName, (world: PopulatedGateway) => RouteRequest | Promise<RouteRequest>> = {
  'POST /api/integrations/inbound': () => ({
    path: '/api/integrations/inbound',
    body: { phone_number: '+15551230002', data: {} },
  }),
  'POST /api/integrations/inbound/bulk': () => ({
    path: '/api/integrations/inbound/bulk',
    ndjson: '{"phone_number":"+15551230003","data":{}}\n',
  }),
  'DELETE /api/integrations/inbound': async ({ gateway, ours }) => {
    const phone = '+15551230004';
    const push = { phone_number: phone, data: {} };
    await gateway.api.post('/api/integrations/inbound').set(keyed(ours.key)).send(push).expect(200);
    return { path: `/api/integrations/inbound${query(phone)}` };
  },
  'GET /api/integrations/lookup': () => ({ path: `/api/integrations/lookup${query(knownPhone)}` }),
  'GET /api/integrations/cti/screen-pop': () => ({ path: `/api/integrations/cti/screen-pop${query(knownPhone)}` }),
  'POST /api/integrations/cti/click-to-dial': ({ agent }) => ({
    path: '/api/integrations/cti/click-to-dial',
    body: { phone_number: knownPhone, agent_code: agent.agentCode },
  }),
  'POST /api/integrations/connect': () => ({ path: '/api/integrations/connect', body: {} }),
  'GET /api/integrations': () => ({ path: '/api/integrations' }),
  'PUT /api/integrations': () => ({ path: '/api/integrations', body: {} }),
  'POST /api/integrations/test-webhook': () => ({ path: '/api/integrations/test-webhook' }),
  'POST /api/integrations/inbound/{provider}/{token}': async (world) => ({
    path: await addressOf(world),
    body: { freshdesk_webhook: { ticket_id: 1 } },
  }),
  'POST /api/integrations/cti/events/{connector}/{token}': async (world) => ({
    path: await platformAddressOf(world),
    body: { event: 'agent_state', agent_id: 'nobody', state: 'ready' },
  }),
  'POST /api/integrations/cti/pop-links': () => ({
    path: '/api/integrations/cti/pop-links',
    body: { phone: knownPhone },
  }),
  'POST /api/integrations/cti/pop-sessions': () => ({
    path: '/api/integrations/cti/pop-sessions',
    body: { link: 'nobodys' },
  }),
  'GET /api/integrations/cti/pop-sessions': () => ({ path: '/api/integrations/cti/pop-sessions' }),
  'GET /api/integrations/cti/pop': () => ({ path: `/api/integrations/cti/pop${query(knownPhone)}` }),
  'GET /api/integrations/pop-layout': () => ({ path: '/api/integrations/pop-layout' }),
  'PUT /api/integrations/pop-layout': () => ({
    path: '/api/integrations/pop-layout',
    body: { fields: [{ key: 'plan', pinned: true }] },
  }),
  'GET /api/integrations/cti/connectors': () => ({ path: '/api/integrations/cti/connectors' }),
  'GET /api/integrations/cti/connectors/{connector}': () => ({ path: '/api/integrations/cti/connectors/genesys' }),
  'GET /api/integrations/cti/connectors/{connector}/files/{file_name}': () => ({
    path: '/api/integrations/cti/connectors/cisco/files/Readyline.js',
  }),
  'GET /api/integrations/cti/connections': () => ({ path: '/api/integrations/cti/connections' }),
  'POST /api/integrations/cti/connections': () => ({
    path: '/api/integrations/cti/connections',
    body: { connector: 'talkdesk' },
  }),
  'PATCH /api/integrations/cti/connections/{connector}': async (world) => {
    await platformAddressOf(world, 'nice');
    return { path: '/api/integrations/cti/connections/nice', body: { dial_via: 'softphone' } };
  },
  'POST /api/integrations/cti/connections/{connector}/account/check': async (world) => {
    await platformAddressOf(world, 'asterisk');
    return { path: '/api/integrations/cti/connections/asterisk/account/check' };
  },
  'DELETE /api/integrations/cti/connections/{connector}': async (world) => {
    await platformAddressOf(world, 'five9');
    return { path: '/api/integrations/cti/connections/five9' };
  },
  'GET /api/integrations/cti/connections/{connector}/agents': async (world) => {
    await platformAddressOf(world);
    return { path: '/api/integrations/cti/connections/genesys/agents' };
  },
  'PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}': async (world) => {
    const address = await platformAddressOf(world);
    await world.gateway.api
      .post(address)
      .send({ event: 'agent_state', agent_id: 'u-1', state: 'not_ready' })
      .expect(200);
    return { path: '/api/integrations/cti/connections/genesys/agents/u-1', body: { agent_id: null } };
  },
  'PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}/account': async (world) => {
    const address = await platformAddressOf(world, 'cisco');
    await world.gateway.api
      .post(address)
      .send({ event: 'agent_state', agent_id: 'u-1', state: 'not_ready' })
      .expect(200);
    return { path: '/api/integrations/cti/connections/cisco/agents/u-1/account', body: { account: null } };
  },
  'GET /api/integrations/inbound/{provider}/{token}': async (world) => ({ path: await addressOf(world) }),
  'GET /api/integrations/crm': () => ({ path: '/api/integrations/crm' }),
  'PUT /api/integrations/crm': () => ({
    path: '/api/integrations/crm',
    body: { provider: 'hubspot', credentials: null },
  }),
  'POST /api/integrations/check': () => ({ path: '/api/integrations/check' }),
  'POST /api/integrations/crm/preview': () => ({
    path: '/api/integrations/crm/preview',
    body: { phone_number: knownPhone },
  }),
  'GET /api/integrations/crm/authorize/{provider}': async ({ gateway, ours }) => {
    const app = { provider: 'hubspot', credentials: { client_id: 'app', client_secret: 'secret' } };
    await gateway.api.put('/api/integrations/crm').set(bearer(ours.adminToken)).send(app).expect(200);
    return { path: '/api/integrations/crm/authorize/hubspot' };
  },
  'GET /api/integrations/crm/authorize/{provider}/callback': () => ({
    path: '/api/integrations/crm/authorize/hubspot/callback?code=a&state=b',
  }),
  'POST /api/integrations/crm/inbound': () => ({
    path: '/api/integrations/crm/inbound',
    body: { provider: 'freshdesk' },
  }),
  'PUT /api/integrations/crm/inbound/{provider}': async (world) => {
    await addressOf(world, 'hubspot');
    return { path: '/api/integrations/crm/inbound/hubspot', body: { signing_secret: 'secret' } };
  },
  'DELETE /api/integrations/crm/inbound/{provider}': async (world) => {
    await addressOf(world);
    return { path: '/api/integrations/crm/inbound/freshdesk' };
  },
  'GET /api/crm/contacts': () => ({ path: '/api/crm/contacts' }),
  'POST /api/crm/contacts': () => ({ path: '/api/crm/contacts', body: { name: 'Edsger Dijkstra' } }),
  'GET /api/crm/search': () => ({ path: '/api/crm/search?q=hopper' }),
  'GET /api/crm/contacts/{id}': async (world) => ({ path: `/api/crm/contacts/${await contactOf(world)}` }),
  'GET /api/crm/contacts/{id}/summary': async (world) => ({
    path: `/api/crm/contacts/${await contactOf(world)}/summary`,
  }),
  'PATCH /api/crm/contacts/{id}': async (world) => ({
    path: `/api/crm/contacts/${await contactOf(world)}`,
    body: { tier: fresh('tier') },
  }),
  'GET /api/me/may-dial': () => ({ path: '/api/me/may-dial?phone=%2B15551230001' }),
  'GET /api/me/speed-dials': () => ({ path: '/api/me/speed-dials' }),
  'PUT /api/me/speed-dials': () => ({ path: '/api/me/speed-dials', body: { entries: [] } }),
  'GET /api/me/missed-calls': () => ({ path: '/api/me/missed-calls' }),
  'PUT /api/me/missed-calls': () => ({ path: '/api/me/missed-calls', body: { seen_until: '2026-01-01T00:00:00Z' } }),
  'GET /api/do-not-dial': () => ({ path: '/api/do-not-dial' }),
  'POST /api/do-not-dial': () => ({ path: '/api/do-not-dial', body: newListed() }),
  'DELETE /api/do-not-dial/{id}': async (world) => ({
    path: `/api/do-not-dial/${(await made(world, '/api/do-not-dial', newListed()))['id']}`,
  }),
  'POST /api/do-not-dial/import': () => ({ path: '/api/do-not-dial/import', csv: `number\n${newListed().number}\n` }),
  'GET /api/do-not-dial.csv': () => ({ path: '/api/do-not-dial.csv' }),
  'GET /api/teams': () => ({ path: '/api/teams' }),
  'POST /api/teams': () => ({ path: '/api/teams', body: newTeam() }),
  'GET /api/teams/{id}': async (world) => ({
    path: `/api/teams/${(await made(world, '/api/teams', newTeam()))['id']}`,
  }),
  'PATCH /api/teams/{id}': async (world) => ({
    path: `/api/teams/${(await made(world, '/api/teams', newTeam()))['id']}`,
    body: { name: 'Service' },
  }),
  'DELETE /api/teams/{id}': async (world) => ({
    path: `/api/teams/${(await made(world, '/api/teams', newTeam()))['id']}`,
  }),
  'GET /api/crm/pipelines': () => ({ path: '/api/crm/pipelines' }),
  'POST /api/crm/pipelines': () => ({ path: '/api/crm/pipelines', body: newPipeline() }),
  'GET /api/crm/pipelines/{id}': async (world) => ({ path: `/api/crm/pipelines/${(await pipelineOf(world)).id}` }),
  'PATCH /api/crm/pipelines/{id}': async (world) => ({
    path: `/api/crm/pipelines/${(await pipelineOf(world)).id}`,
    body: { name: fresh('pipeline') },
  }),
  'DELETE /api/crm/pipelines/{id}': async (world) => ({
    path: `/api/crm/pipelines/${(await made(world, '/api/crm/pipelines', newPipeline()))['id']}`,
  }),
  'GET /api/crm/pipelines/{id}/board': async (world) => ({
    path: `/api/crm/pipelines/${(await pipelineOf(world)).id}/board`,
  }),
  'GET /api/crm/deals': () => ({ path: '/api/crm/deals' }),
  'POST /api/crm/deals': async (world) => ({ path: '/api/crm/deals', body: await dealBody(world) }),
  'GET /api/crm/deals/{id}': async (world) => ({ path: `/api/crm/deals/${await dealOf(world)}` }),
  'PATCH /api/crm/deals/{id}': async (world) => ({
    path: `/api/crm/deals/${await dealOf(world)}`,
    body: { name: fresh('deal') },
  }),
  'GET /api/crm/deals/{id}/moves': async (world) => ({ path: `/api/crm/deals/${await dealOf(world)}/moves` }),
  'GET /api/crm/tasks': () => ({ path: '/api/crm/tasks' }),
  'POST /api/crm/tasks': () => ({ path: '/api/crm/tasks', body: due }),
  'GET /api/crm/tasks/{id}': async (world) => ({ path: `/api/crm/tasks/${await taskOf(world)}` }),
  'PATCH /api/crm/tasks/{id}': async (world) => ({
    path: `/api/crm/tasks/${await taskOf(world)}`,
    body: { title: fresh('title') },
  }),
  'POST /api/crm/tasks/{id}/skip': async (world) => ({
    path: `/api/crm/tasks/${await taskOf(world)}/skip`,
    body: { reason: 'not_now' },
  }),
  'POST /api/crm/tasks/{id}/take': async (world) => ({ path: `/api/crm/tasks/${await taskOf(world)}/take` }),
  'GET /api/colleagues': () => ({ path: '/api/colleagues?q=a' }),
  'POST /api/crm/contacts/{id}/erase': async (world) => ({
    path: `/api/crm/contacts/${await contactOf(world)}/erase`,
    body: { version: 1 },
  }),
  'POST /api/crm/contacts/{id}/merge': async (world) => ({
    path: `/api/crm/contacts/${await contactOf(world)}/merge`,
    body: { contact_id: await contactOf(world), version: 1, other_version: 1 },
  }),
  'GET /api/crm/audit': () => ({ path: '/api/crm/audit' }),
  'GET /api/crm/duplicates': () => ({ path: '/api/crm/duplicates' }),
  'DELETE /api/crm/duplicates/{id}': async (world) => ({ path: `/api/crm/duplicates/${await duplicateOf(world)}` }),
  'GET /api/crm/activities': async (world) => ({ path: `/api/crm/activities?contact=${await contactOf(world)}` }),
  'POST /api/crm/activities': async (world) => ({
    path: '/api/crm/activities',
    body: { contact_id: await contactOf(world), text: 'A note' },
  }),
  'GET /api/crm/organisations': () => ({ path: '/api/crm/organisations' }),
  'POST /api/crm/organisations': () => ({ path: '/api/crm/organisations', body: { name: 'Navy Computing' } }),
  'GET /api/crm/organisations/{id}': async (world) => ({
    path: `/api/crm/organisations/${await organisationOf(world)}`,
  }),
  'PATCH /api/crm/organisations/{id}': async (world) => ({
    path: `/api/crm/organisations/${await organisationOf(world)}`,
    body: { name: fresh('name') },
  }),
  'POST /api/crm/imports': () => ({ path: '/api/crm/imports', csv: 'name\nGrace Hopper\n' }),
  'GET /api/crm/imports': () => ({ path: '/api/crm/imports' }),
  'POST /api/crm/imports/from-cache': async (world) => {
    await importOf(world);
    return { path: '/api/crm/imports/from-cache' };
  },
  'GET /api/crm/exports/contacts.csv': () => ({ path: '/api/crm/exports/contacts.csv' }),
  'GET /api/me/today': () => ({ path: '/api/me/today' }),
  'GET /api/reports/calls': () => ({ path: '/api/reports/calls' }),
  'GET /api/reports/trends': () => ({ path: '/api/reports/trends' }),
  'GET /api/messages': () => ({ path: '/api/messages' }),
  'POST /api/messages': () => ({ path: '/api/messages', body: { text: 'At noon we meet.', to: 'everybody' } }),
  'DELETE /api/messages/{id}': async (world) => ({ path: `/api/messages/${await messageOf(world)}` }),
  'GET /api/messages/{id}/readers': async (world) => ({ path: `/api/messages/${await messageOf(world)}/readers` }),
  'GET /api/reports/calls.csv': () => ({ path: '/api/reports/calls.csv' }),
  'GET /api/reports/files/{token}': () => ({ path: '/api/reports/files/nobodys' }),
  'GET /api/reports/views': () => ({ path: '/api/reports/views' }),
  'POST /api/reports/views': async (world) => {
    await forgetViews(world);
    return { path: '/api/reports/views', body: newView() };
  },
  'PATCH /api/reports/views/{id}': async (world) => ({
    path: `/api/reports/views/${await viewOf(world)}`,
    body: { name: 'Renamed' },
  }),
  'DELETE /api/reports/views/{id}': async (world) => ({ path: `/api/reports/views/${await viewOf(world)}` }),
  'PUT /api/reports/views/{id}/schedule': async (world) => ({
    path: `/api/reports/views/${await viewOf(world)}/schedule`,
    body: daily,
  }),
  'DELETE /api/reports/views/{id}/schedule': async (world) => ({
    path: `/api/reports/views/${await scheduledView(world)}/schedule`,
  }),
  'POST /api/reports/views/{id}/runs': async (world) => ({
    path: `/api/reports/views/${await scheduledView(world)}/runs`,
  }),
  'GET /api/crm/exports/calls.csv': () => ({ path: '/api/crm/exports/calls.csv' }),
  'GET /api/crm/exports/deals.csv': () => ({ path: '/api/crm/exports/deals.csv' }),
  'GET /api/crm/imports/{id}': async (world) => ({ path: `/api/crm/imports/${await importOf(world)}` }),
  'PATCH /api/crm/imports/{id}': async (world) => ({
    path: `/api/crm/imports/${await importOf(world)}`,
    body: { has_header: true },
  }),
  'DELETE /api/crm/imports/{id}': async (world) => ({ path: `/api/crm/imports/${await importOf(world)}` }),
  'GET /api/crm/imports/{id}/preview': async (world) => ({ path: `/api/crm/imports/${await importOf(world)}/preview` }),
  'POST /api/crm/imports/{id}/runs': async (world) => ({
    path: `/api/crm/imports/${await importOf(world)}/runs`,
    body: { dry_run: true },
  }),
  'POST /api/crm/imports/{id}/cancel': async (world) => ({
    path: `/api/crm/imports/${await importUnderWay(world)}/cancel`,
  }),
  'POST /api/crm/imports/{id}/undo': async (world) => ({ path: `/api/crm/imports/${await importDone(world)}/undo` }),
  'GET /api/crm/imports/{id}/rows': async (world) => ({ path: `/api/crm/imports/${await importOf(world)}/rows` }),
  'GET /api/crm/imports/{id}/refused.csv': async (world) => ({
    path: `/api/crm/imports/${await importOf(world)}/refused.csv`,
  }),
  'GET /api/crm/imports/{id}/remarks.csv': async (world) => ({
    path: `/api/crm/imports/${await importOf(world)}/remarks.csv`,
  }),
  'GET /api/crm/fields': () => ({ path: '/api/crm/fields' }),
  'POST /api/crm/fields': () => ({
    path: '/api/crm/fields',
    body: { key: fresh('key').replace('-', '_'), label: 'Plan', kind: 'text' },
  }),
  'PATCH /api/crm/fields/{key}': async (world) => ({
    path: `/api/crm/fields/${await fieldOf(world)}`,
    body: { label: 'Plan' },
  }),
  'DELETE /api/crm/fields/{key}': async (world) => ({ path: `/api/crm/fields/${await fieldOf(world)}` }),
  'GET /api/integrations/webhook-deliveries': () => ({ path: '/api/integrations/webhook-deliveries' }),
  'POST /api/integrations/webhook-deliveries/recover': ({ clock }) => ({
    path: '/api/integrations/webhook-deliveries/recover',
    body: { since: new Date(clock.now()).toISOString() },
  }),
  'GET /api/integrations/webhook-deliveries/{id}': ({ deliveryId }) => ({
    path: `/api/integrations/webhook-deliveries/${deliveryId}`,
  }),
  'POST /api/integrations/webhook-deliveries/{id}/redeliver': async ({ gateway, ours, deliveryId }) => {
    const path = `/api/integrations/webhook-deliveries/${deliveryId}`;
    // One that is on its way cannot be sent again.
    await eventually(async () => {
      const read = await gateway.api.get(path).set(bearer(ours.adminToken)).expect(200);
      return read.body.state === 'delivered';
    });
    return { path: `${path}/redeliver` };
  },
  'GET /api/calls': () => ({ path: '/api/calls' }),
  'GET /api/calls/{id}': ({ callId }) => ({ path: `/api/calls/${callId}` }),
  'GET /api/calls/{id}/previous': ({ callId }) => ({ path: `/api/calls/${callId}/previous` }),
  'PATCH /api/calls/{id}': ({ callId }) => ({
    path: `/api/calls/${callId}`,
    body: { recording_url: 'https://pbx.example.com/1.mp3' },
  }),
  'PATCH /api/calls': () => ({
    path: `/api/calls?sip_call_id=${sipCallId}`,
    body: { recording_url: 'https://pbx.example.com/1.mp3' },
  }),
  'PUT /api/calls/{id}/notes': async ({ gateway, agent }) => ({
    path: `/api/calls/${await makeDeclinedCall(gateway, agent)}/notes`,
    body: { notes: 'Wants a price list' },
  }),
  'GET /api/calls/{id}/conversation': ({ callId }) => ({ path: `/api/calls/${callId}/conversation` }),
  'GET /api/calls/{id}/steps': ({ callId }) => ({ path: `/api/calls/${callId}/steps` }),
  'GET /api/calls/{id}/deliveries': ({ callId }) => ({ path: `/api/calls/${callId}/deliveries` }),
  'GET /api/calls/{id}/corrections': ({ callId }) => ({ path: `/api/calls/${callId}/corrections` }),
  'POST /api/calls/{id}/disposition': ({ callId }) => ({
    path: `/api/calls/${callId}/disposition`,
    body: { code: 'resolved' },
  }),
  'POST /api/calls/{id}/left': async (world) => {
    const { callId, session } = await callOfSoftphone(world);
    return { path: `/api/calls/${callId}/left`, body: { session } };
  },
  'POST /api/calls/{id}/record': ({ callId }) => ({
    path: `/api/calls/${callId}/record`,
    body: { object: candidate.object, id: candidate.id },
  }),
  'GET /api/me': () => ({ path: '/api/me' }),
  'PUT /api/me/password': async ({ gateway, ours, changer }) => {
    const { agentCode: agent_code, password } = changer;
    changer.token = await gateway.logIn({ agent_code, company_slug: ours.slug, password });
    return { path: '/api/me/password', body: { current_password: password, new_password: password } };
  },
  'POST /api/agents': () => ({
    path: '/api/agents',
    body: { agent_code: fresh('new'), name: 'New', password: 'a-password' },
  }),
  'GET /api/agents': () => ({ path: '/api/agents' }),
  'GET /api/agents/{id}': ({ agent }) => ({ path: `/api/agents/${agent.id}` }),
  'PATCH /api/agents/{id}': ({ agent }) => ({ path: `/api/agents/${agent.id}`, body: {} }),
  'GET /api/agents/{id}/state': ({ agent }) => ({ path: `/api/agents/${agent.id}/state` }),
  'GET /api/agents/{id}/timeline': ({ agent }) => ({ path: `/api/agents/${agent.id}/timeline` }),
  'PUT /api/agents/{id}/state': ({ agent }) => ({ path: `/api/agents/${agent.id}/state`, body: { state: 'offline' } }),
  'POST /api/auth/login': ({ agent, ours }) => ({
    path: '/api/auth/login',
    body: { agent_code: agent.agentCode, company_slug: ours.slug, password: agent.password },
  }),
  'GET /api/telephony': () => ({ path: '/api/telephony' }),
  'PUT /api/telephony': () => ({ path: '/api/telephony', body: {} }),
  'GET /api/company': () => ({ path: '/api/company' }),
  'PATCH /api/company': () => ({ path: '/api/company', body: {} }),
  'POST /api/companies': () => {
    const slug = fresh('company');
    const admin = { email: `admin@${slug}.example`, password: 'a-password' };
    return { path: '/api/companies', body: { name: slug, slug, admin } };
  },
  'GET /api/companies': () => ({ path: '/api/companies' }),
  'GET /api/health': () => ({ path: '/api/health' }),
  'GET /api/health/live': () => ({ path: '/api/health/live' }),
  'GET /api/public/platform': () => ({ path: '/api/public/platform' }),
};

const ofSoftphones = new WeakMap<PopulatedGateway, Promise<{ callId: string; session: string }>>();

/** A call that is over, of the agent's softphone, which stays connected and Not Ready; the same each time. */
function callOfSoftphone(world: PopulatedGateway): Promise<{ callId: string; session: string }> {
  const known = ofSoftphones.get(world);
  if (known !== undefined) return known;
  const made = (async () => {
    const softphone = await world.gateway.readySoftphone(world.agent);
    const { call } = await softphone.incomingCall('+15551230099');
    await softphone.reportProgress(call.id, 'ended', { end_reason: 'rejected' });
    return { callId: call.id, session: softphone.session! };
  })();
  ofSoftphones.set(world, made);
  return made;
}

/**
 * Credentials with which every route takes its request: our admin's, the operator's, or those of whose password it is.
 */
export function fittingCredentials(
  name: RouteName,
  { agent, ours, changer }: PopulatedGateway,
): Record<string, string> {
  // Nobody else has that softphone.
  if (name === 'POST /api/calls/{id}/left') return bearer(agent.token);
  if (name === 'PUT /api/me/password') return bearer(changer.token);
  return bearer(name.endsWith(' /api/companies') ? platformToken : ours.adminToken);
}

export type RouteAnswer = {
  status: number;
  /** The media type without parameters. */
  type: string;
  headers: Headers;
  text: string;
  /** Parsed, where it is JSON. */
  body: Record<string, unknown>;
};

/** A connection for each request: a kept one may be closed by the server just as it is used again. */
const connectingAnew = new Agent({ keepAlive: false });

/** Sends a request as it is, over real HTTP. `raw` replaces the body, byte for byte. */
export async function send(
  baseUrl: string,
  name: RouteName,
  request: RouteRequest & { raw?: string | Uint8Array<ArrayBuffer> },
  headers: Record<string, string> = {},
): Promise<RouteAnswer> {
  const [method] = name.split(' ');
  const { path, body, ndjson, csv, raw } = request;
  const content = raw ?? ndjson ?? csv ?? (body === undefined ? undefined : JSON.stringify(body));
  const json = ndjson === undefined ? 'application/json' : 'application/x-ndjson';
  const type = csv === undefined ? json : 'text/csv';
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = httpRequest(
      baseUrl + path,
      {
        agent: connectingAnew,
        ...(method === undefined ? {} : { method }),
        headers: { ...(content === undefined ? {} : { 'content-type': type }), ...headers },
      },
      resolve,
    );
    asked.on('error', reject).end(content);
  });
  const answered = new Headers(Object.entries(response.headers).map(([field, value]) => [field, String(value)]));
  const text = await textOf(response);
  const mediaType = answered.get('content-type')?.split(';')[0] ?? '';
  return {
    status: response.statusCode ?? 0,
    type: mediaType,
    headers: answered,
    text,
    body: mediaType.endsWith('json') && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
