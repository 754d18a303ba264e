import { z } from 'zod';
import { demoBehaviours, demoRingRequest, demoRingResults, demoWebhooks } from '../contract/demo.ts';
import { adminToken, supervisorToken } from '../domain/access.ts';
import { refuse, type Refused } from '../domain/outcome.ts';
import { reply, replyWith, route, type Route } from '../http/route.ts';
import { readPhone } from '../usecases/screenPops/lookUp.ts';
import type { Carrier } from './carrier/carrier.ts';
import { startDemo } from './start.ts';

const started = z.object({
  customers: z.array(
    z.object({
      phone_number: z.string(),
      name: z.string(),
      tier: z.string().nullable(),
      company: z.string(),
      behaviour: z.enum(demoBehaviours),
    }),
  ),
  webhooks: z.enum(demoWebhooks),
  webhook_url: z.string().nullable(),
  carrier: z.boolean(),
  api_key: z.string().optional(),
  webhook_secret: z.string().optional(),
});

/** Who calls where nobody says. */
const usualCaller = { phone: '+15551230001', name: 'Grace Hopper' };

/**
 * The demo's own routes; they are no part of the interface, and so not documented with it.
 * @param url of this gateway, as this machine reaches it
 */
export function demoRoutes({ carrier, url }: { carrier: Carrier | null; url: () => string }): Route[] {
  return [
    route({
      method: 'post',
      path: '/demo/start',
      id: 'startDemo',
      summary: 'Make the company ready for the demo',
      tag: 'Platform',
      access: adminToken,
      answers: { 200: started },
      handler: async ({ services, principal }) =>
        replyWith(200, await startDemo(services, principal.companyId, { url: url(), hasCarrier: carrier !== null })),
    }),
    route({
      method: 'post',
      path: '/demo/ring',
      id: 'ringAgent',
      summary: 'Let a customer call an agent',
      tag: 'Platform',
      access: supervisorToken,
      body: demoRingRequest,
      answers: { 200: z.object({ result: z.enum(demoRingResults) }) },
      handler: async ({ services, principal, body, request }) => {
        if (carrier === null) return noCarrier;
        const agent = await services.agents.findByCode(principal.companyId, body.agent_code);
        if (agent === null || !agent.active)
          return refuse('unknown_agent', `The company has no agent ${body.agent_code}.`);
        const phone = await readPhone(services, principal.companyId, body.from ?? usualCaller.phone);
        if (phone.kind === 'refused') return phone;
        const name = body.name ?? (body.from === undefined ? usualCaller.name : null);
        const ringing = carrier.ring(agent.id, { from: phone.value, name });
        // Whoever waits no more for the answer hangs up.
        request.socket.once('close', ringing.cancel);
        const result = await ringing.result;
        request.socket.off('close', ringing.cancel);
        return reply(200, { result });
      },
    }),
  ];
}

const noCarrier: Refused = refuse('conflict', 'There is no carrier: the optional package werift is not installed.', {
  cause: { code: 'no_carrier' },
});
