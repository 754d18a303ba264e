import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookData } from '../../src/contract/webhooks.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const customer = {
  phone_number: '+1 (555) 123-0001',
  data: { name: 'Grace Hopper', email: 'grace@navy.example', account_number: 'A-1', open_tickets: 2, ship: 'UNIVAC' },
  external_system: 'acme-crm',
  external_id: 'rec-77',
  tier: 'gold',
};

describe.each(['embedded', 'redis'] as const)('the main job (%s)', (storage) => {
  let gateway: Gateway;
  let receiver: WebhookReceiver;
  let company: TestCompany;
  let secret: string;

  beforeAll(async () => {
    [gateway, receiver] = await Promise.all([startGateway(storage), startWebhookReceiver()]);
    company = await gateway.company({ slug: 'acme', agents: 1 });
    const saved = await gateway.as(company).put('/api/integrations').send({ webhook_url: receiver.url }).expect(200);
    secret = saved.body.webhook_secret;
  });

  afterAll(async () => {
    await gateway.close();
    await receiver.close();
  });

  it('pops a pushed customer on the softphone of a Ready agent, dials, and sends every step as a signed webhook', async () => {
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has one agent');
    await gateway.api
      .post('/api/integrations/inbound')
      .set('X-Service-Api-Key', company.key)
      .send(customer)
      .expect(200);

    const softphone = await gateway.readySoftphone(agent);
    const popped = nextEvent(softphone, 'pop');
    const dialing = nextEvent(softphone, 'dial');
    const clicked = await gateway.click(company, {
      phone_number: '+15551230001',
      contact_id: 'not-a-uuid',
      screen_pop: { name: 'Rear Admiral Hopper' },
      metadata: { campaign: 'autumn' },
    });
    expect(clicked.status).toBe(201);
    expect(clicked.body).toMatchObject({
      status: 'dialing',
      phone_number: '+15551230001',
      agent: { id: agent.id, agent_code: agent.agentCode },
    });
    const callId: string = clicked.body.call_id;

    const [pop] = await popped;
    expect(pop).toMatchObject({
      call_id: callId,
      trigger: 'click_to_dial',
      direction: 'outbound',
      phone_number: '+15551230001',
      found: true,
      external_id: 'not-a-uuid',
      metadata: { campaign: 'autumn' },
      screen_pop: {
        name: 'Rear Admiral Hopper',
        email: 'grace@navy.example',
        phone: '+15551230001',
        vip_tier: 'gold',
        external_system: 'acme-crm',
        external_id: 'rec-77',
        crm: { account_number: 'A-1', open_tickets: 2, ship: 'UNIVAC' },
      },
    });
    const [dial] = await dialing;
    expect(dial).toMatchObject({ call_id: callId, phone_number: '+15551230001' });

    await softphone.reportProgress(callId, 'ringing');
    await softphone.reportProgress(callId, 'connected');
    await softphone.reportProgress(callId, 'ended', { end_reason: 'completed', ended_by: 'customer' });
    await inState(softphone, 'wrap_up');
    await softphone.submitDisposition(callId, { code: 'resolved', notes: 'All well.' });
    await inState(softphone, 'ready');

    const webhooks = await receiver.waitFor(() => true, 4);
    expect(webhooks.map(({ body }) => [body.event, body.data['sequence']])).toEqual([
      ['cti_click_to_dial', 1],
      ['call_started', 2],
      ['call_answered', 3],
      ['disposition', 4],
    ]);
    for (const { headers, raw, body } of webhooks) {
      expect(body).toMatchObject({ company_id: company.id, crm_provider: 'custom', cti_connector: 'none' });
      expect(body.occurred_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(webhookData[body.event as keyof typeof webhookData].safeParse(body.data).success).toBe(true);
      expect(body.data).toMatchObject({ call_id: callId, external_id: 'not-a-uuid', metadata: { campaign: 'autumn' } });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-service-event': body.event,
        'x-service-company': company.id,
        'x-service-key-prefix': company.key.slice(0, 12),
        'x-service-attempt': '1',
      });
      expect(await verify(secret, raw, String(headers['x-service-signature']))).toBe(true);
      expect(new Webhook(secret).verify(raw, headers as Record<string, string>)).toEqual(body);
    }
    expect(webhooks[3]?.body.data).toMatchObject({ code: 'resolved', notes: 'All well.', end_reason: 'completed' });
  });

  it('keeps the call for whoever asks later', async () => {
    const listed = await gateway.as(company).get('/api/calls').expect(200);
    expect(listed.body.calls).toHaveLength(1);
    expect(listed.body.calls[0]).toMatchObject({
      state: 'ended',
      end_reason: 'completed',
      ended_by: 'customer',
      disposition: { code: 'resolved', label: 'Resolved' },
    });
  });
});
