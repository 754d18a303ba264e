import { useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { CompanyView } from '../../../../src/contract/companies.ts';
import { companyQuery } from '../../shared/sharedQueries.ts';

/** From when on what takes long is marked. */
export type Limits = CompanyView['wallboard_limits'];

const never: Limits = {
  wrap_up_seconds: null,
  on_call_seconds: null,
  not_ready_seconds: null,
  nobody_ready_seconds: null,
};

/** The company's limits; none until they are read, and at a gateway of before, which has none. */
export function useLimits(): Limits {
  return useQuery(companyQuery).data?.wallboard_limits ?? never;
}

const LimitsContext = createContext<Limits>(never);
export const LimitsProvider = LimitsContext.Provider;

/**
 * Whether an agent has been in the state for longer than the company wants.
 * @param now milliseconds since the epoch by the gateway's clock
 */
export function isTooLong(
  { state, since }: Pick<AgentStateView, 'state' | 'since'>,
  limits: Limits,
  now: number,
): boolean {
  const limit = state === 'wrap_up' || state === 'on_call' || state === 'not_ready' ? limits[`${state}_seconds`] : null;
  return limit !== null && since !== null && now - Date.parse(since) > limit * 1_000;
}

/**
 * Whether nobody has been Ready for longer than the company wants.
 * @param since
 * @param now milliseconds since the epoch by the gateway's clock
 */
export function isNobodyTooLong(since: number | null, { nobody_ready_seconds: limit }: Limits, now: number): boolean {
  return limit !== null && since !== null && now - since > limit * 1_000;
}

/** The company's limits, within the wallboard. */
export function useCompanyLimits(): Limits {
  return use(LimitsContext);
}
