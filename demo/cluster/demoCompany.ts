import { randomBytes } from 'node:crypto';
import type { DemoCredentials } from '../../src/app/firstCompany.ts';
import { agentView } from '../../src/contract/agents.ts';
import { createdCompany } from '../../src/contract/companies.ts';
import { GatewayApi } from '../gatewayApi.ts';

const agents = [
  { agent_code: 'a100', name: 'Ada Lindqvist' },
  { agent_code: 'a101', name: 'Ben Okafor' },
  { agent_code: 'a102', name: 'Chiara Rossi' },
];

/** Creates the company `demo` with an admin and three agents, over REST. */
export async function createDemoCompany(url: string, platformToken: string): Promise<DemoCredentials> {
  const api = new GatewayApi(url);
  const admin = { email: 'admin@demo.example', password: randomPassword(), name: 'Demo Admin' };
  const company = { name: 'Demo Company', slug: 'demo', admin };
  await api.ask({
    method: 'POST',
    path: '/api/companies',
    answer: createdCompany,
    as: { token: platformToken },
    body: company,
  });
  const { token } = await api.logIn({ email: admin.email, password: admin.password });
  const logins = [{ name: admin.name, login: admin.email, password: admin.password }];
  for (const agent of agents) {
    const password = randomPassword();
    await api.ask({
      method: 'POST',
      path: '/api/agents',
      answer: agentView,
      as: { token },
      body: { ...agent, password },
    });
    logins.push({ name: agent.name, login: agent.agent_code, password });
  }
  return { slug: company.slug, logins };
}

/** 120 bits that no shell and no command line would take for its own. */
function randomPassword(): string {
  return randomBytes(15).toString('hex');
}
