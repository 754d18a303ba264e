import { randomUUID } from 'node:crypto';
import { type CompanyId, toId } from '../../../src/domain/ids.ts';
import type { Services } from '../../../src/usecases/services.ts';
import { gate } from '../../support/time/gate.ts';
import { startGateway } from '../../support/gateway/gateway.ts';
import { bearer, keyed, knownPhone, makeCall } from '../../support/gateway/populatedGateway.ts';
import { routeRequests, send, type RouteAnswer, type RouteName } from '../../support/http/routeRequests.ts';
import { nextEvent } from '../../support/gateway/softphoneEvents.ts';
import { type OwnPlays, type Play, type World, nobodys, ask, noCsv, newContact } from './play.ts';

/** How a call is wrapped up is to be corrected while it lasts. */
function ofLastingCall(name: RouteName, pathOfCall: (id: string, key: string) => string): Play {
  return async (world) => {
    const key = randomUUID();
    const softphone = await world.gateway.readySoftphone(await world.gateway.agent(world.ours, `talks-${key}`));
    const { id } = await softphone.startCall(knownPhone);
    await softphone.reportProgress(id, 'connected', { sip_call_id: key });
    const answer = await ask(name, { path: pathOfCall(id, key), body: { disposition: { code: 'resolved' } } })(world);
    await softphone.reportProgress(id, 'ended');
    softphone.close();
    return answer;
  };
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

/** Of clicks, calls and what may be dialed. */
export const callPlays: OwnPlays = {
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
    conflict: ofLastingCall('PATCH /api/calls', (_id, key) => `/api/calls?sip_call_id=${key}`),
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
};
