import type { CompanyId } from '../domain/ids.ts';

/**
 * The supervisors of a company. These are the only rooms: each costs a Redis subscription on every gateway that has
 * a member.
 */
export const supervisorsRoom = (companyId: CompanyId): string => `supervisors:${companyId}`;
