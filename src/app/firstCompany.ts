import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { bootstrapCompany, slugOf, type FirstCompany } from '../usecases/companies/manageCompanies.ts';
import type { Services } from '../usecases/services.ts';

/** Log-ins that exist in clear only until they are printed. */
export type DemoCredentials = { slug: string; logins: { name: string; login: string; password: string }[] };

/** Whether the demo company is there, whose log-ins an earlier start has shown. */
export async function hasDemoCompany(
  { bootstrap, mode }: Pick<Config, 'bootstrap' | 'mode'>,
  { companies }: Pick<Services, 'companies'>,
): Promise<boolean> {
  return bootstrap === null && mode === 'embedded' && (await companies.list()).some(({ slug }) => slug === demoSlug);
}

/**
 * Creates the first company where none exists: the configured one, or in embedded mode a demo company with one
 * admin and three agents, whose credentials are returned to be printed once.
 */
export async function createFirstCompany(
  config: Pick<Config, 'bootstrap' | 'mode'>,
  services: Pick<Services, 'companies' | 'passwords' | 'newId'>,
): Promise<DemoCredentials | null> {
  const { bootstrap } = config;
  if (bootstrap !== null) {
    const { company: name, adminEmail: email, adminPassword: password } = bootstrap;
    const admin = {
      agentCode: 'admin',
      name: 'Administrator',
      email: email.toLowerCase(),
      role: 'admin',
      password,
    } as const;
    await bootstrapCompany(services, { slug: slugOf(name), name, agents: [admin] });
    return null;
  }
  if (config.mode !== 'embedded') return null;
  const demo = demoCompany();
  if (!(await bootstrapCompany(services, demo))) return null;
  return {
    slug: demo.slug,
    logins: demo.agents.map(({ name, email, agentCode, password }) => ({ name, login: email ?? agentCode, password })),
  };
}

const demoSlug = 'demo';

function demoCompany(): FirstCompany {
  const agent = (agentCode: string, name: string) =>
    ({ agentCode, name, email: null, role: 'agent', password: randomPassword() }) as const;
  return {
    slug: demoSlug,
    name: 'Demo Company',
    agents: [
      {
        agentCode: 'admin',
        name: 'Demo Admin',
        email: 'admin@demo.example',
        role: 'admin',
        password: randomPassword(),
      },
      agent('a100', 'Ada Lindqvist'),
      agent('a101', 'Ben Okafor'),
      agent('a102', 'Chiara Rossi'),
    ],
  };
}

/** 20 lower-case letters and digits, 100 bits; safe to paste into a shell. */
function randomPassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join('');
}
