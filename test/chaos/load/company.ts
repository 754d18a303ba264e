import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { GatewayApi } from '../../../demo/gatewayApi.ts';
import { agentView } from '../../../src/contract/agents.ts';
import { createdCompany } from '../../../src/contract/companies.ts';
import { savedIntegration } from '../../../src/contract/integrations.ts';

export type ChaosAgent = { id: string; code: string; token: string };
/** A company under load. `secret`: what its webhooks are signed with; '' without webhooks. */
export type ChaosCompany = {
  id: string;
  slug: string;
  adminToken: string;
  key: string;
  secret: string;
  agents: ChaosAgent[];
};

/** Creates a company with agents who are logged in, over REST. */
export async function createCompany(options: {
  url: string;
  platformToken: string;
  agents: number;
  wrapUpSeconds: number;
  /** Unset: nobody is told anything. */
  webhookUrl?: string;
}): Promise<ChaosCompany> {
  const { url, platformToken, agents, wrapUpSeconds, webhookUrl } = options;
  const api = new GatewayApi(url);
  const slug = `chaos-${randomBytes(4).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  const admin = { email: `admin@${slug}.example`, password, name: 'Admin' };
  const body = { name: slug, slug, admin };
  const created = await api.ask({
    method: 'POST',
    path: '/api/companies',
    answer: createdCompany,
    as: { token: platformToken },
    body,
  });
  const { token } = await api.logIn({ email: admin.email, password });
  const as = { token };
  const connect = { crm_provider: 'custom', ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }) };
  const { api_key: key, webhook_secret: secret = '' } = await api.ask({
    method: 'POST',
    path: '/api/integrations/connect',
    answer: savedIntegration,
    as,
    body: connect,
  });
  if (key === undefined) throw new Error('the first connecting shows the key');
  await api.ask({
    method: 'PATCH',
    path: '/api/company',
    answer: z.unknown(),
    as,
    body: { wrap_up_seconds: wrapUpSeconds },
  });
  const all: ChaosAgent[] = [];
  for (let index = 0; index < agents; index += 1) {
    const code = `a${100 + index}`;
    const account = { agent_code: code, name: `Agent ${code}`, password };
    const { id } = await api.ask({ method: 'POST', path: '/api/agents', answer: agentView, as, body: account });
    const login = await api.logIn({ agent_code: code, company_slug: slug, password });
    all.push({ id, code, token: login.token });
  }
  return { id: created.company.id, slug, adminToken: token, key, secret, agents: all };
}
