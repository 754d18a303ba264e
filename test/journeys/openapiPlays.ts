import { randomUUID } from 'node:crypto';
import { Agent, fetch as fetchFrom } from 'undici';
import { expect } from 'vitest';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { type CompanyId, toId } from '../../src/domain/ids.ts';
import { refuse } from '../../src/domain/outcome.ts';
import { linkOf } from '../../src/usecases/reports/reportLinks.ts';
import type { Services } from '../../src/usecases/services.ts';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { gate } from '../support/time/gate.ts';
import { platformToken, startGateway } from '../support/gateway/gateway.ts';
import { bearer, keyed, knownPhone, makeCall, type PopulatedGateway } from '../support/gateway/populatedGateway.ts';
import {
  fittingCredentials,
  routeRequests,
  send,
  type RouteAnswer,
  type RouteName,
} from '../support/http/routeRequests.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

/** A way to get a certain answer. */
export type Play = (world: World) => Promise<RouteAnswer>;
export type World = PopulatedGateway & { expiredToken: string };

const nobodys = '00000000-0000-4000-8000-000000000000';

/** The usual request of a route, changed. */
export const ask =
  (
    name: RouteName,
    change: { path?: string; body?: Record<string, unknown>; raw?: string } = {},
    headers?: (world: World) => Record<string, string>,
  ): Play =>
  async (world) => {
    const request = await routeRequests[name]?.(world);
    if (request === undefined) throw new Error(`${name} has no request`);
    const sent = headers === undefined ? fittingCredentials(name, world) : headers(world);
    return send(world.gateway.url, name, { ...request, ...change }, sent);
  };
export const pathOf = (name: RouteName) => name.slice(name.indexOf('/'));
const asAdminWith = (more: (world: World) => Record<string, string>) => (world: World) => ({
  ...bearer(world.ours.adminToken),
  ...more(world),
});

const isBulk = (name: RouteName) => name.endsWith('/bulk');

/** How to get a refusal that many routes have in common. */
export const commonPlays: Partial<Record<ErrorCode, (name: RouteName) => Play>> = {
  unauthenticated: (name) => ask(name, {}, () => ({})),
  invalid_token: (name) => ask(name, {}, () => bearer('nonsense')),
  token_expired: (name) => ask(name, {}, ({ expiredToken }) => bearer(expiredToken)),
  invalid_api_key: (name) =>
    ask(
      name,
      {},
      asAdminWith(() => keyed('nonsense')),
    ),
  wrong_company: (name) =>
    ask(
      name,
      {},
      asAdminWith(({ strangers }) => keyed(strangers.key)),
    ),
  role_required: (name) => ask(name, {}, ({ dialer }) => bearer(dialer.token)),
  malformed_json: (name) => ask(name, { raw: isBulk(name) ? '{"a":\n' : '{' }),
  payload_too_large: (name) => ask(name, { raw: ' '.repeat(1024 * 1024 + 1) }),
  unsupported_media_type: (name) =>
    ask(name, { raw: '{}' }, (world) => ({ ...fittingCredentials(name, world), 'content-type': 'text/plain' })),
  not_found: (name) => ask(name, { path: pathOf(name).replace('{id}', nobodys) }),
  unknown_agent: (name) => ask(name, { path: pathOf(name).replace('{id}', nobodys) }),
  invalid_request(name) {
    if (name.includes('{id}')) return ask(name, { path: pathOf(name).replace('{id}', '17') });
    if (/^(GET|DELETE)/.test(name)) return ask(name, { path: `${pathOf(name)}?colour=red` });
    return ask(name, { raw: isBulk(name) ? '' : '[]' });
  },
  invalid_phone(name) {
    if (/^(GET|DELETE)/.test(name)) return ask(name, { path: `${pathOf(name)}?phone=anonymous` });
    return ask(name, { body: { phone_number: 'anonymous', data: {} } });
  },
  unknown_phone: (name) => ask(name, { path: `${pathOf(name)}?phone=%2B15559999999` }),
  rate_limited: (name) =>
    ask(name, {}, (world) => {
      overloadOnce(world);
      return fittingCredentials(name, world);
    }),
};

/** The next request meets a gateway that has more to do for its company than it can. */
function overloadOnce({ services: { door } }: World): void {
  const { enter } = door;
  door.enter = () => {
    door.enter = enter;
    return Promise.resolve(refuse('rate_limited', 'Too much at once.', { retryAfterSeconds: 1, limit: 1 }));
  };
}

/** How a call is wrapped up is to be corrected while it lasts. */
function ofLastingCall(name: RouteName, pathOfCall: (id: string) => string): Play {
  return async (world) => {
    const softphone = await world.gateway.readySoftphone(
      await world.gateway.agent(world.ours, `talks-${randomUUID()}`),
    );
    const { id } = await softphone.startCall(knownPhone);
    await softphone.reportProgress(id, 'connected', { sip_call_id: 'still-talks' });
    const answer = await ask(name, { path: pathOfCall(id), body: { disposition: { code: 'resolved' } } })(world);
    await softphone.reportProgress(id, 'ended');
    softphone.close();
    return answer;
  };
}

/** While so many reports are made for the company as may be at once. */
function whileBusy(play: Play): Play {
  return async (world) => {
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    const others = Array.from({ length: 10 }, () =>
      world.services.shares.reports.use(toId<CompanyId>(world.ours.id), () => over),
    );
    try {
      return await play(world);
    } finally {
      end();
      await Promise.all(others);
    }
  };
}

/** The file of yesterday's report. */
const readReportFile: Play = async (world) => {
  const day = new Date(world.clock.now() - 86_400_000).toISOString();
  const report = {
    since: day,
    until: new Date(world.clock.now()).toISOString(),
    time_zone: 'UTC',
    group_by: 'day' as const,
  };
  return ask('GET /api/reports/files/{token}', {
    path: linkOf(world.services, toId<CompanyId>(world.ours.id), report, null, new Date(world.clock.now() + 60_000)),
  })(world);
};

/** What a new link to the pop page holds. */
async function popLinkOf({ gateway, ours }: World): Promise<string> {
  const { body } = await gateway.api
    .post('/api/integrations/cti/pop-links')
    .set(keyed(ours.key))
    .send({ phone: knownPhone })
    .expect(201);
  return new URL(body.url, 'http://gateway').hash.replace('#link=', '');
}

const click: RouteName = 'POST /api/integrations/cti/click-to-dial';
const clickBody = { phone_number: knownPhone };
const clickWith = (body: Record<string, unknown>, key?: string) =>
  ask(click, { body: { ...clickBody, ...body } }, ({ ours }) => ({
    ...keyed(ours.key),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }));

/** A click under an Idempotency-Key that an agent of its own is looking at; `finish` lets the agent take it. */
async function beginClick(world: World, code: string) {
  const agent = await world.gateway.agent(world.ours, code);
  const held = gate();
  held.shut();
  const softphone = await world.gateway.readySoftphone(agent, { acceptOffer: () => held.pass(async () => true) });
  const offered = nextEvent(softphone, 'pop');
  const clickAgain = (more: Record<string, unknown> = {}) =>
    clickWith({ agent_id: agent.id, ...more }, `key-of-${code}`)(world);
  const clicking = clickAgain();
  await offered;
  return {
    clickAgain,
    async finish(): Promise<RouteAnswer> {
      held.open();
      const clicked = await clicking;
      softphone.close();
      return clicked;
    },
  };
}

/** A company of its own does it until that is too often. */
const tooOften =
  (name: RouteName, bodyOf: (index: number) => Record<string, unknown> = () => ({})): Play =>
  async (world) => {
    const slug = `often-${name.toLowerCase().replace(/[^a-z]+/g, '-')}`;
    const { adminToken } = await world.gateway.company({ slug, webhookUrl: world.receiver.url });
    for (let index = 0; index < 30; index++) {
      const answer = await ask(name, { body: bodyOf(index) }, () => bearer(adminToken))(world);
      if (answer.status === 429) return answer;
    }
    throw new Error(`${name} may be done as often as one likes`);
  };

/** Somebody on another machine tries addresses that nobody has until that is too often. */
function guessing(name: RouteName): Play {
  return async ({ gateway }) => {
    const elsewhere = new Agent({ localAddress: '127.0.0.9' });
    try {
      for (let index = 0; index < 200; index++) {
        const method = name.slice(0, name.indexOf(' '));
        const answer = await fetchFrom(`${gateway.url}/api/integrations/inbound/freshdesk/guess-${index}`, {
          method,
          dispatcher: elsewhere,
        });
        const text = await answer.text();
        if (answer.status !== 429) continue;
        const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
        return {
          status: answer.status,
          type,
          headers: answer.headers as unknown as Headers,
          text,
          body: JSON.parse(text),
        };
      }
      throw new Error('addresses may be guessed as often as one likes');
    } finally {
      await elsewhere.close();
    }
  };
}

/** A company of its own asks so often whether its PBX, which does not answer, takes the settings. */
function checkAccount(slug: string, times: number): Play {
  return async (world) => {
    const { adminToken } = await world.gateway.company({ slug });
    const asAdmin = () => bearer(adminToken);
    await ask('POST /api/integrations/cti/connections', { body: { connector: 'asterisk' } }, asAdmin)(world);
    const account = { url: 'http://127.0.0.1:9', user: 'readyline', password: 'secret', context: 'internal' };
    await ask(
      'PATCH /api/integrations/cti/connections/{connector}',
      { path: '/api/integrations/cti/connections/asterisk', body: { account } },
      asAdmin,
    )(world);
    const check = ask('POST /api/integrations/cti/connections/{connector}/account/check', {}, asAdmin);
    for (let count = 1; count < times; count += 1) await check(world);
    return check(world);
  };
}

/** A company of its own sets so often what an agent logs in with at a platform that does not answer. */
function setAgentAccount(slug: string, times: number): Play {
  return async (world) => {
    const { adminToken } = await world.gateway.company({ slug });
    const asAdmin = () => bearer(adminToken);
    const made = await ask('POST /api/integrations/cti/connections', { body: { connector: 'cisco' } }, asAdmin)(world);
    await ask(
      'PATCH /api/integrations/cti/connections/{connector}',
      { path: '/api/integrations/cti/connections/cisco', body: { account: { url: 'http://127.0.0.1:9' } } },
      asAdmin,
    )(world);
    const { url } = JSON.parse(made.text) as { url: string };
    const told = {
      path: new URL(url, world.gateway.url).pathname,
      body: { event: 'agent_state', agent_id: 'u-1', state: 'not_ready' },
    };
    await ask('POST /api/integrations/cti/events/{connector}/{token}', told)(world);
    const set = ask(
      'PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}/account',
      { body: { account: { extension: '1001', password: 'secret' } } },
      asAdmin,
    );
    for (let count = 1; count < times; count += 1) await set(world);
    return set(world);
  };
}

/** A supervisor asks so often for the state of an agent whose platform does not answer. */
function askPlatformForState(slug: string, times: number): Play {
  return async (world) => {
    const { adminToken, agents } = await world.gateway.company({ slug, agents: 1 });
    const asAdmin = () => bearer(adminToken);
    const at = '/api/integrations/cti/connections/cisco';
    const made = await ask('POST /api/integrations/cti/connections', { body: { connector: 'cisco' } }, asAdmin)(world);
    await ask(
      'PATCH /api/integrations/cti/connections/{connector}',
      { path: at, body: { account: { url: 'http://127.0.0.1:9' } } },
      asAdmin,
    )(world);
    await ask(
      'PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}',
      { path: `${at}/agents/u-1`, body: { agent_id: agents[0]?.id } },
      asAdmin,
    )(world);
    const { url } = JSON.parse(made.text) as { url: string };
    await ask('POST /api/integrations/cti/events/{connector}/{token}', {
      path: new URL(url, world.gateway.url).pathname,
      body: { event: 'agent_state', agent_id: 'u-1', state: 'not_ready' },
    })(world);
    await ask(
      'PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}/account',
      { path: `${at}/agents/u-1/account`, body: { account: { extension: '1001', password: 'secret' } } },
      asAdmin,
    )(world);
    const set = ask(
      'PUT /api/agents/{id}/state',
      { path: `/api/agents/${String(agents[0]?.id)}/state`, body: { state: 'ready' } },
      asAdmin,
    );
    for (let count = 1; count < times; count += 1) await set(world);
    return set(world);
  };
}

/** A company that is connected to its CRM does it. */
function whenConnected(name: RouteName): Play {
  return async (world) => {
    const crm = await HubspotFake.open();
    const gateway = await startGateway('memory', { config: { crmBaseUrls: new Map([['hubspot', crm.url]]) } });
    try {
      const { adminToken } = await gateway.company({ slug: 'connected' });
      const connection = { provider: 'hubspot', credentials: { access_token: crm.accessToken } };
      await gateway.api.put('/api/integrations/crm').set(bearer(adminToken)).send(connection).expect(200);
      const request = await routeRequests[name]?.(world);
      if (request === undefined) throw new Error(`${name} has no request`);
      return await send(gateway.url, name, request, bearer(adminToken));
    } finally {
      await gateway.close();
      await crm.close();
    }
  };
}

/** A body of bytes is never too long by its JSON. */
const noCsv = (name: RouteName, maxMiB: number): Partial<Record<ErrorCode, Play>> => {
  const headers = (world: World) => ({ ...fittingCredentials(name, world), 'content-type': 'text/csv' });
  return {
    payload_too_large: ask(name, { raw: `name\n${'x'.repeat(maxMiB * 1024 * 1024)}` }, headers),
    invalid_request: ask(name, { raw: '"' }, headers),
  };
};

/** The usual request of a route, at a gateway of which a test has changed a part. */
function atGatewayWith(wrap: (services: Services) => Services, name: RouteName): Play {
  return async (world) => {
    const gateway = await startGateway('memory', { wrap });
    try {
      const { adminToken } = await gateway.company({ slug: 'changed' });
      const request = await routeRequests[name]?.(world);
      if (request === undefined) throw new Error(`${name} has no request`);
      return await send(gateway.url, name, request, bearer(adminToken));
    } finally {
      await gateway.close();
    }
  };
}

/** A company whose do-not-dial list can hold no more. */
const atFullList = (name: RouteName) =>
  atGatewayWith(
    (services) => ({ ...services, doNotDial: { ...services.doNotDial, count: () => Promise.resolve(1_000_000) } }),
    name,
  );

/** Does with one import what another route was meant for. @param asFor of which route the import is */
function ofImport(name: RouteName, asFor: '/cancel' | '', end: '/runs' | '/cancel' | '/undo' | ''): Play {
  return async (world) => {
    const like: RouteName = asFor === '' ? 'GET /api/crm/imports/{id}' : 'POST /api/crm/imports/{id}/cancel';
    const { path } = (await routeRequests[like]?.(world)) ?? { path: '' };
    // Not by `ask`: the usual request of the route is made with another import, for which those under way are ended.
    return send(
      world.gateway.url,
      name,
      { path: path.replace(/\/cancel$/, '') + end, ...(end === '/runs' ? { body: { dry_run: true } } : {}) },
      fittingCredentials(name, world),
    );
  };
}

const newContact: RouteName = 'POST /api/crm/contacts';
const changedContact: RouteName = 'PATCH /api/crm/contacts/{id}';
const newDeal: RouteName = 'POST /api/crm/deals';
const newTask: RouteName = 'POST /api/crm/tasks';
const newPipeline: RouteName = 'POST /api/crm/pipelines';
const somePipeline = { name: 'Sales', stages: [{ name: 'New' }] };
const newNote: RouteName = 'POST /api/crm/activities';
const newOrganisation: RouteName = 'POST /api/crm/organisations';
const newImport: RouteName = 'POST /api/crm/imports';
const newMessage: RouteName = 'POST /api/messages';
const someTask = { title: 'Send the offer', due_at: '2030-01-01T10:00:00Z' };
const anonymous = { phones: [{ phone_number: 'anonymous' }] };

/** A request, twice under one key: with what the first got, and what the second brings. */
const underOneKey = (name: RouteName, body: Record<string, unknown>, more: Record<string, unknown>): Play => {
  const headers = ({ ours }: World) => ({
    ...bearer(ours.adminToken),
    'idempotency-key': `key-of-${JSON.stringify(more)}`,
  });
  return async (world) => {
    await ask(name, { body }, headers)(world);
    return ask(name, { body: { ...body, ...more } }, headers)(world);
  };
};

/** A second request under the key of one whose record is still being written, by a method of a store. */
const whileUnderWay =
  (
    name: RouteName,
    request: { body?: Record<string, unknown>; csv?: string },
    store: 'contacts' | 'deals' | 'imports' | 'messages' | 'organisations' | 'pipelines' | 'tasks',
    method = 'create',
  ): Play =>
  async () => {
    const held = gate();
    held.shut();
    const wrap = (services: Services): Services => {
      const methods = services[store] as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
      return {
        ...services,
        [store]: { ...methods, [method]: (...given: unknown[]) => held.pass(async () => methods[method]?.(...given)) },
      };
    };
    const gateway = await startGateway('memory', { wrap });
    try {
      const { adminToken } = await gateway.company({ slug: 'under-way', agents: 1 });
      if (store === 'deals')
        await send(gateway.url, newPipeline, { path: pathOf(newPipeline), body: somePipeline }, bearer(adminToken));
      const createOne = () =>
        send(
          gateway.url,
          name,
          { path: pathOf(name), ...request },
          { ...bearer(adminToken), 'idempotency-key': 'one' },
        );
      const first = createOne();
      await held.reached();
      const second = await createOne();
      held.open();
      await first;
      return second;
    } finally {
      held.open();
      await gateway.close();
    }
  };

/** How to get what only one route has, by route and code; numbers are successes. */
export const ownPlays: Partial<Record<RouteName, Record<string, Play>>> = {
  [click]: {
    '201': async (world) => (await beginClick(world, 't201')).finish(),
    invalid_phone: clickWith({ phone_number: 'anonymous' }),
    invalid_request: ask(click, {}, (world) => ({ ...keyed(world.ours.key), 'idempotency-key': 'two words' })),
    unknown_agent: clickWith({ agent_code: 'nobody' }),
    unknown_team: clickWith({ team_code: 'nobody' }),
    wrong_company: (world) =>
      ask(click, { body: { ...clickBody, agent_id: world.agent.id } }, ({ strangers }) => keyed(strangers.key))(world),
    role_required: ask(click, {}, ({ colleague }) => bearer(colleague.token)),
    async do_not_call(world) {
      const unwilling = { phones: [{ phone_number: '+15551230666' }], do_not_call: true };
      await ask(newContact, { body: unwilling })(world);
      return clickWith({ phone_number: '+15551230666' })(world);
    },
    no_ready_agent: clickWith({}),
    agent_not_ready: (world) => clickWith({ agent_id: world.colleague.id })(world),
    idempotency_in_progress: async (world) => {
      const { clickAgain, finish } = await beginClick(world, 't409');
      const answer = await clickAgain();
      await finish();
      return answer;
    },
    idempotency_mismatch: async (world) => {
      const { clickAgain, finish } = await beginClick(world, 't422');
      await finish();
      return clickAgain({ metadata: {} });
    },
  },
  'POST /api/integrations/inbound/{provider}/{token}': {
    not_found: ask('POST /api/integrations/inbound/{provider}/{token}', {
      path: '/api/integrations/inbound/freshdesk/nobodys',
    }),
    invalid_request: ask('POST /api/integrations/inbound/{provider}/{token}', { raw: '{' }),
    unsupported_media_type: ask('POST /api/integrations/inbound/{provider}/{token}', { raw: '{}' }, () => ({
      'content-encoding': 'gzip',
    })),
    invalid_signature: ask('POST /api/integrations/inbound/{provider}/{token}', {}, () => ({
      'x-readyline-secret': 'another',
    })),
    rate_limited: guessing('POST /api/integrations/inbound/{provider}/{token}'),
  },
  'GET /api/integrations/inbound/{provider}/{token}': {
    not_found: ask('GET /api/integrations/inbound/{provider}/{token}', {
      path: '/api/integrations/inbound/freshdesk/nobodys',
    }),
    invalid_request: ask('GET /api/integrations/inbound/{provider}/{token}', {
      path: '/api/integrations/inbound/%ff/nobodys',
    }),
    rate_limited: guessing('GET /api/integrations/inbound/{provider}/{token}'),
  },
  'POST /api/integrations/cti/events/{connector}/{token}': {
    not_found: ask('POST /api/integrations/cti/events/{connector}/{token}', {
      path: '/api/integrations/cti/events/genesys/nobodys',
    }),
    invalid_request: ask('POST /api/integrations/cti/events/{connector}/{token}', { raw: '{' }),
    unsupported_media_type: ask('POST /api/integrations/cti/events/{connector}/{token}', { raw: '{}' }, () => ({
      'content-encoding': 'gzip',
    })),
    invalid_signature: async (world) => {
      const { ours, gateway } = world;
      const { body } = await gateway.api
        .post('/api/integrations/cti/connections')
        .set(bearer(ours.adminToken))
        .send({ connector: 'webexcc' })
        .expect(201);
      return ask('POST /api/integrations/cti/events/{connector}/{token}', {
        path: new URL(body.url, 'http://gateway').pathname,
      })(world);
    },
    rate_limited: guessing('POST /api/integrations/cti/events/{connector}/{token}'),
  },
  'POST /api/integrations/cti/pop-links': {
    invalid_phone: ask('POST /api/integrations/cti/pop-links', { body: { phone: 'anonymous' } }),
  },
  'POST /api/integrations/cti/pop-sessions': {
    '201': async (world) =>
      ask('POST /api/integrations/cti/pop-sessions', { body: { link: await popLinkOf(world) } })(world),
    invalid_token: ask('POST /api/integrations/cti/pop-sessions', { body: { link: 'nobodys' } }),
    invalid_request: ask('POST /api/integrations/cti/pop-sessions', { body: {} }),
  },
  'GET /api/integrations/cti/pop-sessions': {
    '200': async (world) => {
      const opened = await world.gateway.api
        .post('/api/integrations/cti/pop-sessions')
        .send({ link: await popLinkOf(world) })
        .expect(201);
      return ask('GET /api/integrations/cti/pop-sessions', {}, () => ({ 'x-pop-token': opened.body.token }))(world);
    },
    invalid_token: ask('GET /api/integrations/cti/pop-sessions', {}, () => ({ 'x-pop-token': 'nobodys' })),
    invalid_request: ask('GET /api/integrations/cti/pop-sessions', {
      path: '/api/integrations/cti/pop-sessions?again=perhaps',
    }),
  },
  'GET /api/integrations/cti/pop': {
    invalid_phone: ask('GET /api/integrations/cti/pop', { path: '/api/integrations/cti/pop?phone=anonymous' }),
    invalid_request: ask('GET /api/integrations/cti/pop', { path: '/api/integrations/cti/pop' }),
  },
  'GET /api/integrations/cti/connectors/{connector}': {
    not_found: ask('GET /api/integrations/cti/connectors/{connector}', {
      path: '/api/integrations/cti/connectors/nobodys',
    }),
    invalid_request: ask('GET /api/integrations/cti/connectors/{connector}', {
      path: `/api/integrations/cti/connectors/${'x'.repeat(33)}`,
    }),
  },
  'GET /api/integrations/cti/connectors/{connector}/files/{file_name}': {
    not_found: ask('GET /api/integrations/cti/connectors/{connector}/files/{file_name}', {
      path: '/api/integrations/cti/connectors/cisco/files/nobodys.js',
    }),
    invalid_request: ask('GET /api/integrations/cti/connectors/{connector}/files/{file_name}', {
      path: `/api/integrations/cti/connectors/${'x'.repeat(33)}/files/a`,
    }),
  },
  'PATCH /api/integrations/cti/connections/{connector}': {
    not_found: ask('PATCH /api/integrations/cti/connections/{connector}', {
      path: '/api/integrations/cti/connections/avaya',
    }),
    conflict: ask('PATCH /api/integrations/cti/connections/{connector}', { body: { dial_via: 'platform' } }),
  },
  'POST /api/integrations/cti/connections/{connector}/account/check': {
    '200': checkAccount('account-once', 1),
    invalid_request: ask('POST /api/integrations/cti/connections/{connector}/account/check', {
      path: `/api/integrations/cti/connections/${'x'.repeat(33)}/account/check`,
    }),
    conflict: ask('POST /api/integrations/cti/connections/{connector}/account/check'),
    not_found: ask('POST /api/integrations/cti/connections/{connector}/account/check', {
      path: '/api/integrations/cti/connections/avaya/account/check',
    }),
    rate_limited: checkAccount('account-often', 21),
  },
  'DELETE /api/integrations/cti/connections/{connector}': {
    not_found: ask('DELETE /api/integrations/cti/connections/{connector}', {
      path: '/api/integrations/cti/connections/avaya',
    }),
    invalid_request: ask('DELETE /api/integrations/cti/connections/{connector}', {
      path: `/api/integrations/cti/connections/${'x'.repeat(33)}`,
    }),
  },
  'GET /api/integrations/cti/connections/{connector}/agents': {
    not_found: ask('GET /api/integrations/cti/connections/{connector}/agents', {
      path: '/api/integrations/cti/connections/avaya/agents',
    }),
  },
  'PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}': {
    not_found: ask('PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}', {
      path: '/api/integrations/cti/connections/genesys/agents/nobodys-id',
    }),
    unknown_agent: ask('PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}', {
      body: { agent_id: nobodys },
    }),
  },
  'PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}/account': {
    not_found: ask('PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}/account', {
      path: '/api/integrations/cti/connections/cisco/agents/nobodys-id/account',
    }),
    conflict: ask('PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}/account', {
      path: '/api/integrations/cti/connections/genesys/agents/u-1/account',
    }),
    rate_limited: setAgentAccount('agent-account-often', 21),
  },
  'POST /api/integrations/check': {
    '200': whenConnected('POST /api/integrations/check'),
    conflict: ask('POST /api/integrations/check'),
  },
  'POST /api/integrations/crm/preview': {
    '200': whenConnected('POST /api/integrations/crm/preview'),
    conflict: ask('POST /api/integrations/crm/preview'),
    invalid_phone: ask('POST /api/integrations/crm/preview', { body: { phone_number: 'anonymous' } }),
  },
  'GET /api/integrations/crm/authorize/{provider}': {
    not_found: ask('GET /api/integrations/crm/authorize/{provider}', {
      path: '/api/integrations/crm/authorize/nobodys',
    }),
    conflict: ask('GET /api/integrations/crm/authorize/{provider}', {
      path: '/api/integrations/crm/authorize/freshdesk',
    }),
    invalid_request: ask('GET /api/integrations/crm/authorize/{provider}', {
      path: `/api/integrations/crm/authorize/${'x'.repeat(33)}`,
    }),
  },
  'GET /api/integrations/crm/authorize/{provider}/callback': {
    invalid_request: ask('GET /api/integrations/crm/authorize/{provider}/callback', {
      path: '/api/integrations/crm/authorize/hubspot/callback?code=a&code=b',
    }),
  },
  'PUT /api/integrations/crm/inbound/{provider}': {
    not_found: ask('PUT /api/integrations/crm/inbound/{provider}', { path: '/api/integrations/crm/inbound/intercom' }),
    conflict: ask('PUT /api/integrations/crm/inbound/{provider}', { path: '/api/integrations/crm/inbound/zoho' }),
  },
  'DELETE /api/integrations/crm/inbound/{provider}': {
    not_found: ask('DELETE /api/integrations/crm/inbound/{provider}', {
      path: '/api/integrations/crm/inbound/intercom',
    }),
    invalid_request: ask('DELETE /api/integrations/crm/inbound/{provider}', {
      path: `/api/integrations/crm/inbound/${'x'.repeat(33)}`,
    }),
  },
  [newContact]: {
    invalid_phone: ask(newContact, { body: anonymous }),
    conflict: async (world) => {
      const taken = { external_id: 'taken', name: 'Edsger Dijkstra' };
      await ask(newContact, { body: taken })(world);
      return ask(newContact, { body: taken })(world);
    },
    idempotency_mismatch: underOneKey(newContact, { name: 'Edsger Dijkstra' }, { tier: 'gold' }),
    idempotency_in_progress: whileUnderWay(newContact, { body: { name: 'Edsger Dijkstra' } }, 'contacts'),
  },
  [changedContact]: {
    invalid_phone: ask(changedContact, { body: anonymous }),
    conflict: ask(changedContact, { body: { version: 7 } }),
  },
  'GET /api/me/may-dial': {
    async do_not_call(world) {
      await ask('POST /api/do-not-dial', { body: { number: '+15551230667' } })(world);
      return ask('GET /api/me/may-dial', { path: '/api/me/may-dial?phone=%2B15551230667' })(world);
    },
  },
  'PUT /api/me/speed-dials': {
    invalid_phone: ask('PUT /api/me/speed-dials', {
      body: { entries: [{ name: 'Nobody', phone_number: 'anonymous' }] },
    }),
    conflict: ask('PUT /api/me/speed-dials', { body: { entries: [], version: 7 } }),
  },
  'POST /api/do-not-dial': {
    invalid_phone: ask('POST /api/do-not-dial', { body: { number: 'anonymous' } }),
    conflict: atFullList('POST /api/do-not-dial'),
  },
  'POST /api/do-not-dial/import': {
    ...noCsv('POST /api/do-not-dial/import', 8),
    conflict: atFullList('POST /api/do-not-dial/import'),
    rate_limited: atGatewayWith(
      (services) => ({
        ...services,
        listFiles: new Set(Array.from({ length: 4 }, () => toId<CompanyId>(randomUUID()))),
      }),
      'POST /api/do-not-dial/import',
    ),
  },
  'POST /api/crm/tasks/{id}/skip': {
    conflict: ask('POST /api/crm/tasks/{id}/skip', { body: { reason: 'not_now', version: 7 } }),
  },
  [newMessage]: {
    unknown_agent: ask(newMessage, { body: { text: 'Hello', to: { agent_id: nobodys } } }),
    unknown_team: ask(newMessage, { body: { text: 'Hello', to: { team_id: nobodys } } }),
    wrong_company: ({ agent, strangers, gateway }) =>
      send(
        gateway.url,
        newMessage,
        { path: pathOf(newMessage), body: { text: 'Hello', to: { agent_id: agent.id } } },
        bearer(strangers.adminToken),
      ),
    conflict: async (world) => {
      const alone = await world.gateway.company({ slug: 'alone' });
      return ask(newMessage, {}, () => bearer(alone.adminToken))(world);
    },
    rate_limited: async (world) => {
      const busy = await world.gateway.company({ slug: 'busy', agents: 1 });
      for (let count = 0; count < 100; count += 1) {
        const answer = await ask(newMessage, {}, () => bearer(busy.adminToken))(world);
        if (answer.status === 429) return answer;
      }
      throw new Error('a company may write as often as it likes');
    },
    idempotency_mismatch: underOneKey(newMessage, { text: 'Hello', to: 'everybody' }, { text: 'Good-bye' }),
    idempotency_in_progress: whileUnderWay(newMessage, { body: { text: 'Hello', to: 'everybody' } }, 'messages'),
  },
  'GET /api/reports/trends': {
    unknown_team: ask('GET /api/reports/trends', { path: `/api/reports/trends?team_id=${nobodys}` }),
  },
  'GET /api/colleagues': { unknown_team: ask('GET /api/colleagues', { path: '/api/colleagues?team_code=nobody' }) },
  'POST /api/teams': {
    async conflict(world) {
      const body = { code: 'twice', name: 'Twice' };
      await ask('POST /api/teams', { body })(world);
      return ask('POST /api/teams', { body })(world);
    },
  },
  'GET /api/reports/files/{token}': {
    '200': readReportFile,
    rate_limited: whileBusy(readReportFile),
    invalid_token: ask('GET /api/reports/files/{token}'),
    invalid_request: ask('GET /api/reports/files/{token}', { path: `/api/reports/files/${'x'.repeat(2_001)}` }),
  },
  'POST /api/reports/views': {
    async conflict(world) {
      const owner = await world.gateway.agent(world.ours, 'collector', 'supervisor');
      const create = (): Promise<RouteAnswer> =>
        ask('POST /api/reports/views', { body: { name: 'Own', filter: {} } }, () => bearer(owner.token))(world);
      for (let n = 0; n < 100; n += 1) await create();
      return create();
    },
  },
  'PATCH /api/reports/views/{id}': { conflict: ask('PATCH /api/reports/views/{id}', { body: { version: 7 } }) },
  'DELETE /api/reports/views/{id}': {
    async conflict(world) {
      const { gateway, ours, supervisor } = world;
      const view = await gateway.api
        .post('/api/reports/views')
        .set(bearer(supervisor.token))
        .send({ name: 'Sent', shared: true, filter: { range: 'week' } })
        .expect(201);
      const when = { every: 'week', weekday: 1, time: '07:00', time_zone: 'UTC' };
      await gateway.api
        .put(`/api/reports/views/${view.body.id}/schedule`)
        .set(bearer(ours.adminToken))
        .send(when)
        .expect(200);
      return ask('DELETE /api/reports/views/{id}', { path: `/api/reports/views/${view.body.id}` }, () =>
        bearer(supervisor.token),
      )(world);
    },
  },
  'PUT /api/reports/views/{id}/schedule': {
    async conflict(world) {
      const { gateway, ours } = world;
      const own = await gateway.api
        .post('/api/reports/views')
        .set(bearer(ours.adminToken))
        .send({ name: 'Own', filter: { range: 'week' } })
        .expect(201);
      return ask('PUT /api/reports/views/{id}/schedule', { path: `/api/reports/views/${own.body.id}/schedule` })(world);
    },
  },
  'POST /api/reports/views/{id}/runs': {
    '202': async (world) => {
      const asAdmin = bearer(world.ours.adminToken);
      await world.gateway.api
        .put('/api/integrations')
        .set(asAdmin)
        .send({ webhook_events: ['report_ready'] })
        .expect(200);
      const answer = await ask('POST /api/reports/views/{id}/runs')(world);
      await world.gateway.api.put('/api/integrations').set(asAdmin).send({ webhook_events: null }).expect(200);
      return answer;
    },
    conflict: ask('POST /api/reports/views/{id}/runs'),
    async rate_limited(world) {
      for (let n = 0; n < 20; n += 1) await ask('POST /api/reports/views/{id}/runs')(world);
      return ask('POST /api/reports/views/{id}/runs')(world);
    },
  },
  'PATCH /api/teams/{id}': { conflict: ask('PATCH /api/teams/{id}', { body: { version: 7 } }) },
  [newPipeline]: {
    idempotency_mismatch: underOneKey(newPipeline, somePipeline, { name: 'Another' }),
    idempotency_in_progress: whileUnderWay(newPipeline, { body: somePipeline }, 'pipelines'),
    conflict: async () => {
      const gateway = await startGateway('memory');
      try {
        const { adminToken } = await gateway.company({ slug: 'full' });
        const another = (): Promise<RouteAnswer> =>
          send(
            gateway.url,
            'POST /api/crm/pipelines',
            { path: '/api/crm/pipelines', body: { name: 'Sales', stages: [{ name: 'New' }] } },
            bearer(adminToken),
          );
        for (let made = 0; made < 100; made += 1) await another();
        return await another();
      } finally {
        await gateway.close();
      }
    },
  },
  'PATCH /api/crm/pipelines/{id}': { conflict: ask('PATCH /api/crm/pipelines/{id}', { body: { version: 7 } }) },
  'DELETE /api/crm/pipelines/{id}': {
    async conflict(world) {
      const { pipeline_id } = (await ask(newDeal)(world)).body;
      return ask('DELETE /api/crm/pipelines/{id}', { path: `/api/crm/pipelines/${String(pipeline_id)}` })(world);
    },
  },
  [newDeal]: {
    conflict: async () => {
      const gateway = await startGateway('memory');
      try {
        const { adminToken } = await gateway.company({ slug: 'no-pipeline' });
        return await send(
          gateway.url,
          newDeal,
          { path: '/api/crm/deals', body: { name: '50 licences' } },
          bearer(adminToken),
        );
      } finally {
        await gateway.close();
      }
    },
    async idempotency_mismatch(world) {
      const headers = { ...bearer(world.ours.adminToken), 'idempotency-key': 'key-of-a-deal' };
      await ask(newDeal, {}, () => headers)(world);
      return ask(newDeal, { body: { name: 'Another' } }, () => headers)(world);
    },
    idempotency_in_progress: whileUnderWay(newDeal, { body: { name: '50 licences' } }, 'deals'),
  },
  'PATCH /api/crm/deals/{id}': { conflict: ask('PATCH /api/crm/deals/{id}', { body: { version: 7 } }) },
  [newTask]: {
    invalid_phone: ask(newTask, { body: { ...someTask, phone_number: 'anonymous' } }),
    idempotency_mismatch: underOneKey(newTask, someTask, { notes: 'another' }),
    idempotency_in_progress: whileUnderWay(newTask, { body: someTask }, 'tasks'),
  },
  'POST /api/crm/contacts/{id}/merge': {
    async conflict(world) {
      const { body } = await ask(newContact, { body: { name: 'Edsger Dijkstra' } })(world);
      const id = String(body['id']);
      return ask('POST /api/crm/contacts/{id}/merge', {
        path: `/api/crm/contacts/${id}/merge`,
        body: { contact_id: id, version: 1, other_version: 1 },
      })(world);
    },
  },
  'POST /api/crm/contacts/{id}/erase': { conflict: ask('POST /api/crm/contacts/{id}/erase', { body: { version: 7 } }) },
  'PATCH /api/crm/tasks/{id}': {
    conflict: ask('PATCH /api/crm/tasks/{id}', { body: { title: 'Another', version: 7 } }),
  },
  'POST /api/crm/tasks/{id}/take': {
    async conflict(world) {
      const path = `/api/crm/tasks/${String((await ask(newTask)(world)).body['id'])}`;
      await ask('PATCH /api/crm/tasks/{id}', { path, body: { state: 'done' } })(world);
      return ask('POST /api/crm/tasks/{id}/take', { path: `${path}/take` })(world);
    },
  },
  'GET /api/crm/activities': {
    not_found: ask('GET /api/crm/activities', { path: `/api/crm/activities?contact=${nobodys}` }),
  },
  [newNote]: {
    not_found: ask(newNote, { body: { contact_id: nobodys, text: 'A note' } }),
    async idempotency_mismatch(world) {
      const headers = (of: World) => ({ ...bearer(of.ours.adminToken), 'idempotency-key': 'key-of-a-note' });
      await ask(newNote, {}, headers)(world);
      return ask(newNote, {}, headers)(world);
    },
    idempotency_in_progress: whileUnderWay(
      newNote,
      { body: { contact_id: nobodys, text: 'A note' } },
      'contacts',
      'addNote',
    ),
  },
  [newOrganisation]: {
    idempotency_mismatch: underOneKey(newOrganisation, { name: 'Navy' }, { name: 'Army' }),
    idempotency_in_progress: whileUnderWay(newOrganisation, { body: { name: 'Navy' } }, 'organisations'),
  },
  'PATCH /api/crm/organisations/{id}': { conflict: ask('PATCH /api/crm/organisations/{id}', { body: { version: 7 } }) },
  'POST /api/crm/fields': {
    conflict: async (world) => {
      const body = { key: 'taken', label: 'Plan', kind: 'text' };
      await ask('POST /api/crm/fields', { body })(world);
      return ask('POST /api/crm/fields', { body })(world);
    },
  },
  'PATCH /api/crm/fields/{key}': {
    not_found: ask('PATCH /api/crm/fields/{key}', { path: '/api/crm/fields/nobodys' }),
    conflict: ask('PATCH /api/crm/fields/{key}', { body: { version: 7 } }),
  },
  'DELETE /api/crm/fields/{key}': {
    not_found: ask('DELETE /api/crm/fields/{key}', { path: '/api/crm/fields/nobodys' }),
  },
  [newImport]: {
    ...noCsv(newImport, 64),
    async idempotency_mismatch(world) {
      const headers = (of: World) => ({ ...bearer(of.ours.adminToken), 'idempotency-key': 'key-of-a-file' });
      await ask(newImport, {}, headers)(world);
      return ask(newImport, { raw: 'name,external id\nAnother,a-1\n' }, headers)(world);
    },
    idempotency_in_progress: whileUnderWay(newImport, { csv: 'name,external id\nGrace,g-1\n' }, 'imports', 'update'),
    conflict: async (world) => {
      const full = await world.gateway.company({ slug: 'full-of-imports' });
      for (let index = 0; index < 30; index += 1) {
        const answer = await ask('POST /api/crm/imports', {}, () => bearer(full.adminToken))(world);
        if (answer.status === 409) return answer;
      }
      throw new Error('a company may have as many imports as it likes');
    },
  },
  'POST /api/crm/imports/from-cache': {
    conflict: ask('POST /api/crm/imports/from-cache', {}, ({ strangers }) => bearer(strangers.adminToken)),
  },
  'PATCH /api/crm/imports/{id}': { conflict: ask('PATCH /api/crm/imports/{id}', { body: { version: 7 } }) },
  'DELETE /api/crm/imports/{id}': { conflict: ofImport('DELETE /api/crm/imports/{id}', '/cancel', '') },
  'POST /api/crm/imports/{id}/runs': { conflict: ofImport('POST /api/crm/imports/{id}/runs', '/cancel', '/runs') },
  'POST /api/crm/imports/{id}/cancel': { conflict: ofImport('POST /api/crm/imports/{id}/cancel', '', '/cancel') },
  'POST /api/crm/imports/{id}/undo': { conflict: ofImport('POST /api/crm/imports/{id}/undo', '', '/undo') },
  'GET /api/companies': { not_found: unconfigured('GET /api/companies') },
  'POST /api/companies': {
    not_found: unconfigured('POST /api/companies'),
    conflict: ask('POST /api/companies', {
      body: { name: 'Again', slug: 'ours', admin: { email: 'a@b.example', password: 'a-password' } },
    }),
  },
  'GET /api/calls': {
    role_required: (world) =>
      ask('GET /api/calls', { path: `/api/calls?agent_id=${world.adminId}` }, ({ agent }) => bearer(agent.token))(
        world,
      ),
  },
  'GET /api/calls/{id}/previous': {
    async role_required(world) {
      // It ended a minute ago, and is wrapped up.
      await world.clock.advance(60_000);
      return ask('GET /api/calls/{id}/previous', {}, ({ agent }) => bearer(agent.token))(world);
    },
  },
  'PATCH /api/calls/{id}': { conflict: ofLastingCall('PATCH /api/calls/{id}', (id) => `/api/calls/${id}`) },
  'PATCH /api/calls': {
    conflict: ofLastingCall('PATCH /api/calls', () => '/api/calls?sip_call_id=still-talks'),
    not_found: ask('PATCH /api/calls', { path: '/api/calls?sip_call_id=nobodys' }),
  },
  'PUT /api/calls/{id}/notes': {
    conflict: async (world) => ask('PUT /api/calls/{id}/notes', { path: `/api/calls/${world.callId}/notes` })(world),
  },
  'POST /api/calls/{id}/disposition': {
    conflict: ask('POST /api/calls/{id}/disposition', { body: { code: 'other' } }),
  },
  'POST /api/calls/{id}/left': { session_replaced: ask('POST /api/calls/{id}/left', { body: { session: nobodys } }) },
  'POST /api/calls/{id}/record': {
    conflict: async (world) => {
      const callId = await makeCall(world.gateway, world.ours, await world.gateway.agent(world.ours, 'knows-one'));
      return ask('POST /api/calls/{id}/record', { path: `/api/calls/${callId}/record` })(world);
    },
  },
  'PUT /api/integrations/pop-layout': {
    conflict: ask('PUT /api/integrations/pop-layout', { body: { fields: [], version: 700 } }),
    payload_too_large: ask('PUT /api/integrations/pop-layout', {
      body: {
        fields: Array.from({ length: 100 }, (_, index) => ({
          key: `${index}`.padEnd(200, 'x'),
          label: 'x'.repeat(200),
        })),
      },
    }),
  },
  'PUT /api/integrations': {
    rate_limited: tooOften('PUT /api/integrations', (index) => ({ webhook_url: `http://127.0.0.1:9/${index}` })),
    conflict: ask('PUT /api/integrations', { body: { webhook_secret: 'rotate', webhook_url: null } }),
  },
  'POST /api/agents': {
    conflict: ask('POST /api/agents', { body: { agent_code: 'a100', name: 'Again', password: 'a-password' } }),
  },
  'PATCH /api/agents/{id}': { conflict: ask('PATCH /api/agents/{id}', { body: { agent_code: 'a101' } }) },
  'GET /api/agents/{id}/state': {
    role_required: ask('GET /api/agents/{id}/state', {}, ({ dialer }) => bearer(dialer.token)),
  },
  'PUT /api/agents/{id}/state': {
    conflict: async (world) => {
      const path = `/api/agents/${world.colleague.id}/state`;
      return ask('PUT /api/agents/{id}/state', { path, body: { state: 'ready' } })(world);
    },
    rate_limited: askPlatformForState('state-often', 31),
  },
  'GET /api/integrations': {
    '200 with a notice': async (world) => {
      const enable = (webhook_enabled: boolean) => ask('PUT /api/integrations', { body: { webhook_enabled } })(world);
      await enable(false);
      const answer = await ask('GET /api/integrations')(world);
      await enable(true);
      expect(answer.body['status']).toMatchObject({ notices: [{ code: 'webhook_disabled' }] });
      return answer;
    },
  },
  'POST /api/integrations/webhook-deliveries/recover': {
    // They have no webhook endpoint.
    conflict: ask('POST /api/integrations/webhook-deliveries/recover', {}, ({ strangers }) =>
      bearer(strangers.adminToken),
    ),
  },
  'POST /api/integrations/webhook-deliveries/{id}/redeliver': {
    conflict: async (world) => {
      const redeliver = ask('POST /api/integrations/webhook-deliveries/{id}/redeliver');
      const held = gate();
      held.shut();
      world.receiver.answerWith(() => held.pass(async () => 204));
      await redeliver(world);
      await held.reached();
      const path = `/api/integrations/webhook-deliveries/${world.deliveryId}/redeliver`;
      const asAdmin = bearer(world.ours.adminToken);
      const answer = await send(world.gateway.url, 'POST /redeliver', { path }, asAdmin);
      held.open();
      world.receiver.answerWith(() => 204);
      return answer;
    },
  },
  'POST /api/auth/login': {
    invalid_credentials: ask('POST /api/auth/login', { body: { agent_code: 'nobody', password: 'wrong' } }),
    rate_limited: async (world) => {
      const guess = ask('POST /api/auth/login', { body: { agent_code: 'nobody-at-all', password: 'wrong' } });
      for (let index = 0; index < 10; index++) await guess(world);
      return guess(world);
    },
  },
  'PUT /api/me/password': {
    invalid_credentials: ask('PUT /api/me/password', {
      body: { current_password: 'wrong', new_password: 'a-password' },
    }),
    rate_limited: async (world) => {
      const agent = await world.gateway.agent(world.ours, 'guesses-own');
      const body = { current_password: 'wrong', new_password: 'a-password' };
      const guess = ask('PUT /api/me/password', { body }, () => bearer(agent.token));
      for (let index = 0; index < 30; index++) await guess(world);
      return guess(world);
    },
  },
  'GET /api/integrations/lookup': {
    '200 with format=flat': ask('GET /api/integrations/lookup', {
      path: '/api/integrations/lookup?phone=&format=flat',
    }),
  },
  'GET /api/integrations/cti/screen-pop': {
    '200 with format=flat': ask('GET /api/integrations/cti/screen-pop', {
      path: `/api/integrations/cti/screen-pop?phone=%2B${knownPhone.slice(1)}&format=flat`,
    }),
  },
  'POST /api/integrations/inbound/bulk': {
    '200 with refusals': ask('POST /api/integrations/inbound/bulk', { raw: '{\n{"phone_number":"x","data":{}}\n' }),
    rate_limited: async (world) => {
      const name = 'POST /api/integrations/inbound/bulk';
      const open: ReadableStreamDefaultController[] = [];
      const streams = Array.from({ length: 4 }, () => {
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(Buffer.from('\n'));
            open.push(controller);
          },
        });
        const headers = { ...keyed(world.ours.key), 'content-type': 'application/x-ndjson' };
        return fetch(world.gateway.url + pathOf(name), {
          method: 'POST',
          headers,
          body,
          duplex: 'half',
        } as RequestInit);
      });
      let answer = await ask(name)(world);
      await eventually(async () => {
        if (answer.status !== 429) answer = await ask(name)(world);
        return answer.status === 429;
      });
      for (const controller of open) controller.close();
      await Promise.all(streams);
      return answer;
    },
    malformed_json: async (world) => {
      const raw = new Uint8Array([0xff, 0x0a]);
      const name = 'POST /api/integrations/inbound/bulk';
      return send(world.gateway.url, name, { path: pathOf(name), ndjson: '', raw }, keyed(world.ours.key));
    },
  },
  'POST /api/integrations/connect': {
    rate_limited: tooOften('POST /api/integrations/connect', (index) => ({
      webhook_url: `http://127.0.0.1:9/${index}`,
    })),
    '200 with a key and a secret': async (world) => {
      const { gateway } = world;
      const created = await ask('POST /api/companies')(world);
      const { email } = (created.body as { admin: { email: string } }).admin;
      const token = await gateway.logIn({ email, password: 'a-password' });
      const body = { crm_provider: 'hubspot', webhook_url: world.receiver.url };
      const answer = await ask('POST /api/integrations/connect', { body }, () => bearer(token))(world);
      expect(answer.body).toMatchObject({ api_key: expect.any(String), webhook_secret: expect.any(String) });
      return answer;
    },
  },
  'POST /api/integrations/test-webhook': {
    rate_limited: tooOften('POST /api/integrations/test-webhook'),
    conflict: async (world) => {
      const held = gate();
      held.shut();
      world.receiver.answerWith(() => held.pass(async () => 204));
      const first = ask('POST /api/integrations/test-webhook')(world);
      await held.reached();
      const answer = await ask('POST /api/integrations/test-webhook')(world);
      held.open();
      world.receiver.answerWith(() => 204);
      await first;
      return answer;
    },
    '200 when skipped': ask('POST /api/integrations/test-webhook', {}, ({ strangers }) => bearer(strangers.adminToken)),
    '200 when it fails': async (world) => {
      world.receiver.answerWith(() => 500);
      const answer = await ask('POST /api/integrations/test-webhook')(world);
      world.receiver.answerWith(() => 204);
      expect(answer.body['outcome']).toBe('fail');
      return answer;
    },
  },
};

function unconfigured(name: RouteName): Play {
  return async (world) => {
    const gateway = await startGateway('memory', { config: { platformToken: null } });
    const request = await routeRequests[name]?.(world);
    try {
      return await send(gateway.url, name, request ?? { path: '' }, bearer(platformToken));
    } finally {
      await gateway.close();
    }
  };
}
