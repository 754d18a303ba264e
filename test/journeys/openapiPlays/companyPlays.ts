import { platformToken, startGateway } from '../../support/gateway/gateway.ts';
import { bearer } from '../../support/gateway/populatedGateway.ts';
import { routeRequests, send, type RouteName } from '../../support/http/routeRequests.ts';
import { type OwnPlays, type Play, nobodys, ask, pathOf, tooMany, underOneKey, whileUnderWay } from './play.ts';

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
    return tooMany(times, () => set(world));
  };
}

const newMessage: RouteName = 'POST /api/messages';

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

/** Of a company, its agents, teams and messages, and of logging in. */
export const companyPlays: OwnPlays = {
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
      return tooMany(100, () => ask(newMessage, {}, () => bearer(busy.adminToken))(world));
    },
    idempotency_mismatch: underOneKey(newMessage, { text: 'Hello', to: 'everybody' }, { text: 'Good-bye' }),
    idempotency_in_progress: whileUnderWay(newMessage, { body: { text: 'Hello', to: 'everybody' } }, 'messages'),
  },
  'GET /api/colleagues': { unknown_team: ask('GET /api/colleagues', { path: '/api/colleagues?team_code=nobody' }) },
  'POST /api/teams': {
    async conflict(world) {
      const body = { code: 'twice', name: 'Twice' };
      await ask('POST /api/teams', { body })(world);
      return ask('POST /api/teams', { body })(world);
    },
  },
  'PATCH /api/teams/{id}': { conflict: ask('PATCH /api/teams/{id}', { body: { version: 7 } }) },
  'GET /api/companies': { not_found: unconfigured('GET /api/companies') },
  'POST /api/companies': {
    not_found: unconfigured('POST /api/companies'),
    conflict: ask('POST /api/companies', {
      body: { name: 'Again', slug: 'ours', admin: { email: 'a@b.example', password: 'a-password' } },
    }),
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
};
