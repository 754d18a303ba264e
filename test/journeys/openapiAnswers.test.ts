import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes, type ErrorCode } from '../../src/contract/errors.ts';
import { platformToken, startGateway } from '../support/gateway/gateway.ts';
import { bearer, makeCall, startPopulatedGateway } from '../support/gateway/populatedGateway.ts';
import { expectProblem } from '../support/http/problems.ts';
import { routeRequests, send, type RouteAnswer, type RouteName } from '../support/http/routeRequests.ts';
import { eventually, passTime } from '../support/time/waiting.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { routes } from '../../src/http/routes.ts';
import { schemaFaults } from '../support/http/jsonSchema.ts';
import { commonPlays } from './openapiPlays/commonPlays.ts';
import { ownPlays } from './openapiPlays/ownPlays.ts';
import { ask, pathOf, type Play, type World } from './openapiPlays/play.ts';

type Described = {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: unknown }>;
};
type Operation = { responses: Record<string, Described>; parameters?: { name: string; in: string }[] };
type Webhook = {
  post: {
    parameters: { name: string; required: boolean }[];
    requestBody: { content: Record<string, { schema: unknown }> };
  };
};
type Document = { paths: Record<string, Record<string, Operation>>; webhooks: Record<string, Webhook> };

/** What is planned follows the document; what is checked against is the one that the gateway serves. */
const planned = openApiDocument(routes, {
  version: '0',
  mode: 'scaled',
  publicUrl: null,
  embedOrigins: [],
  isLocal: false,
  hasDemo: false,
}) as unknown as Document;
const names = Object.keys(routeRequests) as RouteName[];

function operationOf(document: Document, name: RouteName): Operation {
  const [method = '', path = ''] = name.split(' ');
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${name} is not described`);
  return operation;
}

/** The codes that the document names for a status. */
function codesOf({ description }: Described): ErrorCode[] {
  const named = [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code ?? '');
  return named.filter((code): code is ErrorCode => Object.hasOwn(errorCodes, code));
}

/** Shown apart, since something must break for them: below, and in refusedClicks.test.ts. */
const ofBreakdowns = ['internal_error', 'dependency_unavailable', 'outcome_unknown'];

/** Every answer that the document describes for a route, and those that this file adds, with the way to get it. */
function playsOf(name: RouteName): { name: RouteName; answer: string; play: Play | null }[] {
  const own = ownPlays[name] ?? {};
  const described = Object.entries(operationOf(planned, name).responses).flatMap(([status, response]) => {
    const codes = codesOf(response);
    return codes.length === 0 ? [status] : codes.filter((code) => !ofBreakdowns.includes(code));
  });
  // A part of the service is down: shown apart.
  const wanted = described.filter((answer) => !(name === 'GET /api/health' && answer === '503'));
  return [...new Set([...wanted, ...Object.keys(own)])].map((answer) => ({
    ...{ name, answer },
    play: own[answer] ?? (/^\d/.test(answer) ? ask(name) : (commonPlays[answer as ErrorCode]?.(name) ?? null)),
  }));
}

/** The task of `workInCrm` falls due after this. Milliseconds. */
const dueInMs = 1_000;
const aMinuteMs = 60_000;

/** A contact, a deal with it and a task: what the webhooks of the built-in CRM tell of. */
async function workInCrm({ clock, gateway, ours }: World): Promise<void> {
  const make = async (path: string, body: object) => (await gateway.as(ours).post(path).send(body).expect(201)).body;
  const { id: contact_id } = await make('/api/crm/contacts', { name: 'Grace Hopper' });
  const { stages } = await make('/api/crm/pipelines', { name: 'Licences', stages: [{ name: 'New' }] });
  await make('/api/crm/deals', { name: '50 licences', stage_id: stages[0].id, contact_id });
  await make('/api/crm/tasks', { title: 'Send the offer', due_at: new Date(clock.now() + dueInMs).toISOString() });
}

/** A report that is sent within a minute. */
async function scheduleReport({ clock, gateway, ours }: World): Promise<void> {
  const { body: view } = await gateway
    .as(ours)
    .post('/api/reports/views')
    .send({ name: 'Yesterday', shared: true, filter: { range: 'yesterday' } })
    .expect(201);
  const time = new Date(clock.now() + aMinuteMs).toISOString().slice(11, 16);
  await gateway
    .as(ours)
    .put(`/api/reports/views/${view.id}/schedule`)
    .send({ every: 'day', time, time_zone: 'UTC' })
    .expect(200);
}

describe('the OpenAPI document', () => {
  let world: World;
  let document: Document;

  beforeAll(async () => {
    const populated = await startPopulatedGateway();
    const { gateway, clock, jwtSecret, ours } = populated;
    const claims = jwt.verify(ours.adminToken, jwtSecret) as jwt.JwtPayload;
    const nowSeconds = Math.floor(clock.now() / 1000);
    world = {
      ...populated,
      expiredToken: jwt.sign({ ...claims, iat: nowSeconds - 2, exp: nowSeconds - 1 }, jwtSecret),
    };
    document = (await gateway.api.get('/openapi.json').expect(200)).body as Document;
  });
  afterAll(() => world.close());

  /** That an answer is one of those described for the route: status, media type, shape, headers and code. */
  function expectDescribed(name: RouteName, answer: RouteAnswer): void {
    const described = operationOf(document, name).responses[answer.status];
    if (described === undefined)
      return expect.fail(`${name} answered ${answer.status}, which is not described: ${answer.text}`);
    const contents = Object.entries(described.content ?? {});
    const [contentType, schema] = contents.find(([type]) => type === answer.type) ?? ['', undefined];
    expect({ type: answer.type, text: contents.length === 0 ? answer.text : '' }).toEqual({
      type: contentType,
      text: '',
    });
    if (schema !== undefined) expect(schemaFaults(document, schema.schema, answer.body)).toEqual([]);
    if (answer.status < 400 || answer.type === 'application/json') return;
    expect(codesOf(described)).toContain(answer.body['code']);
    for (const header of Object.keys(described.headers ?? {}))
      expect([header, answer.headers.has(header)]).toEqual([header, true]);
  }

  it('is the one whose answers are played here', () => {
    expect(Object.keys(document.paths)).toEqual(Object.keys(planned.paths));
    expect(names.length).toBe(routes.length);
  });

  describe.each(names)('for %s', (route) => {
    it.each(playsOf(route))('tells the truth about $answer', async ({ name, answer, play }) => {
      if (play === null) return expect.fail(`${name} is said to answer ${answer}; how is not known here`);
      const got = await play(world);
      if (/^\d/.test(answer)) expect([got.status, got.text]).toEqual([Number.parseInt(answer, 10), got.text]);
      else expectProblem(got, errorCodes[answer as ErrorCode].status, answer as ErrorCode);
      expectDescribed(name, got);
    });
  });

  it('describes what arrives at a webhook', async () => {
    const { clock, gateway, receiver, ours } = world;
    // Some are sent to those alone who ask for them.
    const wanted = { webhook_events: Object.keys(document.webhooks) };
    await gateway.api.put('/api/integrations').set(bearer(ours.adminToken)).send(wanted).expect(200);
    const callId = await makeCall(gateway, ours, await gateway.agent(ours, 'talks'));
    const softphone = await gateway.readySoftphone(await gateway.agent(ours, 'hands-on'));
    const { id } = await softphone.startCall('+15551230001');
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended', { end_reason: 'transferred', transferred_to: '+15551230002' });
    softphone.close();
    await workInCrm(world);
    await scheduleReport(world);
    await eventually(() =>
      receiver.received.some(({ body }) => body.event === 'disposition' && body.data.call_id === callId),
    );
    await gateway.api.post('/api/integrations/test-webhook').set(bearer(ours.adminToken)).expect(200);
    await passTime(clock, dueInMs, () => receiver.received.some(({ body }) => body.event === 'task_due'));
    await passTime(clock, aMinuteMs, () => receiver.received.some(({ body }) => body.event === 'report_ready'));
    const events = new Set(receiver.received.map(({ body }) => body.event));
    expect([...events].sort()).toEqual(Object.keys(document.webhooks).sort());
    for (const { body, headers } of receiver.received) {
      const { parameters, requestBody } = document.webhooks[body.event]?.post ?? {
        parameters: [],
        requestBody: { content: {} },
      };
      expect(schemaFaults(document, requestBody.content['application/json']?.schema, body)).toEqual([]);
      for (const { name, required } of parameters) {
        if (required) expect([name, headers[name.toLowerCase()]]).toEqual([name, expect.any(String)]);
      }
    }
  });

  it('tells the truth about a service of which a part is down, and of one with a fault', async () => {
    let failure: Error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const fail = () => Promise.reject(failure);
    const broken = await startGateway('memory', {
      config: { logLevel: 'silent' },
      wrap: (services) => ({ ...services, companies: { ...services.companies, works: fail, list: fail } }),
    });
    const askBroken = (name: RouteName) => send(broken.url, name, { path: pathOf(name) }, bearer(platformToken));
    const health = await askBroken('GET /api/health');
    expect(health).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'down', presence: 'ok' } },
    });
    expectDescribed('GET /api/health', health);
    const unavailable = await askBroken('GET /api/companies');
    expectProblem(unavailable, 503, 'dependency_unavailable');
    expectDescribed('GET /api/companies', unavailable);
    failure = new TypeError('secret is not a function');
    const fault = await askBroken('GET /api/companies');
    expect(expectProblem(fault, 500, 'internal_error').detail).not.toContain('secret');
    expectDescribed('GET /api/companies', fault);
    await broken.close();
  });
});
