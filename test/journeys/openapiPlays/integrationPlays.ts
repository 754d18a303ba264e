import { expect } from 'vitest';
import { HubspotFake } from '../../support/crm/hubspotFake.ts';
import { gate } from '../../support/time/gate.ts';
import { startGateway } from '../../support/gateway/gateway.ts';
import { bearer, keyed } from '../../support/gateway/populatedGateway.ts';
import { routeRequests, send, type RouteName } from '../../support/http/routeRequests.ts';
import { eventually } from '../../support/time/waiting.ts';
import { type OwnPlays, type Play, ask, pathOf, guessing } from './play.ts';

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

/** Of what is exchanged with a company’s CRM, and of webhooks. */
export const integrationPlays: OwnPlays = {
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
  'GET /api/integrations/lookup': {
    '200 with format=flat': ask('GET /api/integrations/lookup', {
      path: '/api/integrations/lookup?phone=&format=flat',
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
