import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { CrmCheck, CrmConnectionView, CrmPreview, LoggedCalls } from '../../../../../src/contract/crm.ts';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { integrationQuery } from '../connect/integrationQueries.ts';
import type { FieldsSchema } from './schemaFields.ts';

const base = '/api/integrations/crm';

/** What the gateway has of the company's CRM. */
export type CrmView = { connection: CrmConnectionView | null };

/** A CRM of the catalog that the gateway can connect to. */
export type ConnectableCrm = Omit<IntegrationOverview['providers'][number], 'credentials' | 'options'> & { credentials: FieldsSchema; options: FieldsSchema };

/** The CRM systems that the gateway can connect to. */
export function connectable({ providers }: IntegrationOverview): ConnectableCrm[] {
  return providers.flatMap((one) => (one.credentials === null ? [] : [{ ...one, credentials: one.credentials, options: one.options ?? {} }]));
}

/** The connection to the CRM: who the gateway is there, and whether it works. */
export const crmQuery = queryOptions({ queryKey: ['crm'], queryFn: ({ signal }) => api.get<CrmView>(base, {}, signal) });

export type ConnectCrm = {
  provider: string;
  /** Null disconnects; left out: those that are stored stay. */
  credentials?: Record<string, string> | null;
  options?: Record<string, string>;
  keep_seconds?: number;
  log_calls?: LoggedCalls;
  dispositions?: Record<string, string>;
};

/** Connects, changes settings or disconnects. */
export function useConnectCrm() {
  const queries = useQueryClient();
  return useAction(async (body: ConnectCrm) => {
    const view = await api.put<CrmView>(base, body);
    // The page shows it from here on, whatever becomes of the requests that follow.
    queries.setQueryData(crmQuery.queryKey, (before) => ({ ...before, ...view }));
    void readAgain(queries);
    return view;
  });
}

/** Asks the CRM what the gateway may do there. */
export function useCheckCrm() {
  const queries = useQueryClient();
  // Whether it answers is news for the page in either case.
  return useAction(() => api.post<CrmCheck>('/api/integrations/check').finally(() => void readAgain(queries)));
}

/** Asks the CRM who has a number. */
export function usePreviewCrm() {
  return useAction((phone: string) => api.post<CrmPreview>(`${base}/preview`, { phone_number: phone }));
}

async function readAgain(queries: QueryClient): Promise<void> {
  await Promise.all([crmQuery.queryKey, integrationQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
}
