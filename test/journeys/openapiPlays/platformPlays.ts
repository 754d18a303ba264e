import { bearer, keyed, knownPhone } from '../../support/gateway/populatedGateway.ts';
import { type OwnPlays, type Play, type World, nobodys, ask, guessing } from './play.ts';

/** What a new link to the pop page holds. */
async function popLinkOf({ gateway, ours }: World): Promise<string> {
  const { body } = await gateway.api
    .post('/api/integrations/cti/pop-links')
    .set(keyed(ours.key))
    .send({ phone: knownPhone })
    .expect(201);
  return new URL(body.url, 'http://gateway').hash.replace('#link=', '');
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

/** Of telephony platforms and the pop page. */
export const platformPlays: OwnPlays = {
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
  'GET /api/integrations/cti/screen-pop': {
    '200 with format=flat': ask('GET /api/integrations/cti/screen-pop', {
      path: `/api/integrations/cti/screen-pop?phone=%2B${knownPhone.slice(1)}&format=flat`,
    }),
  },
};
