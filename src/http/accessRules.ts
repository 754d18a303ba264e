import { admins, anyRole, supervisors, type Access } from '../domain/access.ts';

/** The access rules that routes name beside their path. */

export const open = { kind: 'open' } as const satisfies Access;
/** The operator's PLATFORM_TOKEN. */
export const platformOnly = { kind: 'platform' } as const satisfies Access;
/** The company's key, or any of its agents' tokens. */
export const keyOrToken = { kind: 'company', key: true, roles: anyRole } as const satisfies Access;
export const anyToken = { kind: 'company', key: false, roles: anyRole } as const satisfies Access;
export const supervisorToken = { kind: 'company', key: false, roles: supervisors } as const satisfies Access;
export const adminToken = { kind: 'company', key: false, roles: admins } as const satisfies Access;
