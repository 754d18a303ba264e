import type { AgentView, CreateAgentRequest, UpdateAgentRequest } from '../../../../../src/contract/agents.ts';
import type { Role } from '../../../../../src/contract/vocabulary.ts';

/** An account as a form has it; what is empty is not set. `password` and `sip_secret` are written, never read. */
export type AgentFields = {
  name: string;
  agent_code: string;
  email: string;
  role: Role;
  active: boolean;
  password: string;
  sip_user: string;
  sip_secret: string;
};

/** The fields that show their own faults. */
export const agentFields = ['name', 'agent_code', 'email', 'role', 'password', 'sip_user', 'sip_secret'];

/** What the form begins with. */
export function fieldsOf(agent: AgentView | null): AgentFields {
  return {
    name: agent?.name ?? '',
    agent_code: agent?.agent_code ?? '',
    email: agent?.email ?? '',
    role: agent?.role ?? 'agent',
    active: agent?.active ?? true,
    password: '',
    sip_user: agent?.sip_user ?? '',
    sip_secret: '',
  };
}

/** The request that makes an account of the form. */
export function toCreate(fields: AgentFields, password: string): CreateAgentRequest {
  const [email, sipUser] = [fields.email.trim(), fields.sip_user.trim()];
  return {
    name: fields.name.trim(),
    agent_code: fields.agent_code.trim(),
    role: fields.role,
    password,
    ...(email === '' ? {} : { email }),
    ...(sipUser === '' ? {} : { sip_user: sipUser }),
    ...(fields.sip_secret === '' ? {} : { sip_secret: fields.sip_secret }),
  };
}

/** The request that makes these changes. */
export function toUpdate(changes: Partial<AgentFields>): UpdateAgentRequest {
  const { name, agent_code: code, email, role, active, password, sip_user: sipUser, sip_secret: sipSecret } = changes;
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(code === undefined ? {} : { agent_code: code.trim() }),
    ...(email === undefined ? {} : { email: email.trim() === '' ? null : email.trim() }),
    ...(role === undefined ? {} : { role }),
    ...(active === undefined ? {} : { active }),
    ...(password === undefined ? {} : { password }),
    ...(sipUser === undefined ? {} : { sip_user: sipUser.trim() === '' ? null : sipUser.trim() }),
    ...(sipSecret === undefined ? {} : { sip_secret: sipSecret }),
  };
}
