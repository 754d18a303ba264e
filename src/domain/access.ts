import type { Role } from '../contract/vocabulary.ts';
import type { AgentId, CompanyId } from './ids.ts';

/** Who calls: the company itself by its API key, or one of its agents by a token. */
export type Principal =
  | { kind: 'company_key'; companyId: CompanyId; keyPrefix: string }
  | { kind: 'agent'; companyId: CompanyId; agentId: AgentId; agentCode: string; role: Role };

/** Who may use a route. `anyRole`: every signed-in agent. */
export type Access =
  | { kind: 'open' }
  | { kind: 'platform' }
  | { kind: 'company'; key: boolean; roles: readonly Role[] };

export const anyRole = ['admin', 'supervisor', 'agent', 'dialer'] as const satisfies readonly Role[];
export const supervisors = ['admin', 'supervisor'] as const satisfies readonly Role[];
export const admins = ['admin'] as const satisfies readonly Role[];
/** Roles that may open a softphone; a dialer is a machine. */
export const softphoneRoles = ['admin', 'supervisor', 'agent'] as const satisfies readonly Role[];

export function isSupervisor(role: Role): boolean {
  return role === 'admin' || role === 'supervisor';
}

/** An agent's own token may dial for that agent alone. */
export function mayDialFor(principal: Principal, agentId: AgentId): boolean {
  return principal.kind === 'company_key' || principal.role !== 'agent' || principal.agentId === agentId;
}

/** Agents see their own calls; everyone else in the company sees all. */
export function maySeeCallOf(principal: Principal, agentId: AgentId): boolean {
  return principal.kind === 'company_key' || principal.role !== 'agent' || principal.agentId === agentId;
}

// The access rules that routes name beside their path.

export const open = { kind: 'open' } as const satisfies Access;
/** The operator's PLATFORM_TOKEN. */
export const platformOnly = { kind: 'platform' } as const satisfies Access;
/** The company's key, or any of its agents' tokens. */
export const keyOrToken = { kind: 'company', key: true, roles: anyRole } as const satisfies Access;
export const anyToken = { kind: 'company', key: false, roles: anyRole } as const satisfies Access;
export const supervisorToken = { kind: 'company', key: false, roles: supervisors } as const satisfies Access;
/** The company's key, or a token of those who supervise. */
export const keyOrSupervisor = { kind: 'company', key: true, roles: supervisors } as const satisfies Access;
export const adminToken = { kind: 'company', key: false, roles: admins } as const satisfies Access;
