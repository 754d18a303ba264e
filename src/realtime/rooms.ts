import type { CompanyId } from '../domain/ids.ts';

/**
 * Those who watch the company's agents. The only rooms there are: each costs a subscription for every gateway that
 * has somebody in it.
 */
export const supervisorsRoom = (companyId: CompanyId): string => `supervisors:${companyId}`;
