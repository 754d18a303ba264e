import type { Role } from '../contract/vocabulary.ts';
import type { AgentId, CompanyId, TeamId } from './ids.ts';

/** Who calls: the company itself by its API key, or one of its agents by a token. */
export type Principal =
  | { kind: 'company_key'; companyId: CompanyId; keyPrefix: string }
  | {
      kind: 'agent';
      companyId: CompanyId;
      agentId: AgentId;
      agentCode: string;
      role: Role;
      /** Of a supervisor: the teams whose agents are seen. Null: all of the company. */
      ledTeamIds: readonly TeamId[] | null;
    };

/** Who may use a route. `anyRole`: every signed-in agent. */
export type Access =
  { kind: 'open' } | { kind: 'platform' } | { kind: 'company'; key: boolean; roles: readonly Role[] };

export const anyRole = ['admin', 'supervisor', 'agent', 'dialer'] as const satisfies readonly Role[];
export const supervisors = ['admin', 'supervisor'] as const satisfies readonly Role[];
export const admins = ['admin'] as const satisfies readonly Role[];
/** Roles that may open a softphone; a dialer is a machine. */
export const softphoneRoles = ['admin', 'supervisor', 'agent'] as const satisfies readonly Role[];

export function isSupervisor(role: Role): boolean {
  return role === 'admin' || role === 'supervisor';
}

/**
 * Whose states, calls, figures and tasks a caller sees and acts on: everybody's of the company,
 * or those of these agents. Made by `agentScopeOf` (src/usecases/agents/agentScope.ts).
 */
export type AgentScope = 'all' | ReadonlySet<AgentId>;

/** Whether the caller sees that agent. */
export function isWithin(scope: AgentScope, agentId: AgentId): boolean {
  return scope === 'all' || scope.has(agentId);
}

/** Those of them who are seen, for a store's statement; null: everybody. @param asked null: everybody is asked for */
export function agentsWithin(scope: AgentScope, asked: readonly AgentId[] | null): AgentId[] | null {
  if (asked === null) return scope === 'all' ? null : [...scope];
  return asked.filter((agentId) => isWithin(scope, agentId));
}

/** The teams that a supervisor is limited to; null: nobody is limited to any. */
export function ledTeamsOf(principal: Principal): readonly TeamId[] | null {
  return principal.kind === 'agent' && principal.role === 'supervisor' ? principal.ledTeamIds : null;
}

// The access rules that routes name beside their path.

export const open = { kind: 'open' } as const satisfies Access;
/** The operator's PLATFORM_TOKEN. */
export const platformOnly = { kind: 'platform' } as const satisfies Access;
/** The company's key, or any of its agents' tokens. */
export const keyOrToken = { kind: 'company', key: true, roles: anyRole } as const satisfies Access;
export const anyToken = { kind: 'company', key: false, roles: anyRole } as const satisfies Access;
/** Those who take calls, and those who supervise them. */
export const softphoneToken = { kind: 'company', key: false, roles: softphoneRoles } as const satisfies Access;
export const supervisorToken = { kind: 'company', key: false, roles: supervisors } as const satisfies Access;
/** The company's key, or a token of an admin. */
export const keyOrAdmin = { kind: 'company', key: true, roles: admins } as const satisfies Access;
/** The company's key, or a token of those who supervise. */
export const keyOrSupervisor = { kind: 'company', key: true, roles: supervisors } as const satisfies Access;
export const adminToken = { kind: 'company', key: false, roles: admins } as const satisfies Access;

/**
 * Whether a request's `Host` names this very machine.
 * A foreign page whose name resolves to this machine (DNS rebinding) would otherwise pass for one of the gateway's own.
 */
export function isLocalHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}
