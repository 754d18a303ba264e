import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { CrmCheck, CrmConnectionView, CrmPreview, LoggedCalls } from '../../../../../src/contract/crm.ts';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { integrationQuery } from '../connect/integrationQueries.ts';
import type { FieldsSchema } from './schemaFields.ts';

const base = '/api/integrations/crm';

/** An address to which a CRM sends its own webhooks. */
export type InboundAddress = {
  provider: string;
  url: string;
  issued_at: string;
  last_received_at: string | null;
  signing_secret_set: boolean;
};

/** What is shown once of a new address. `secret`: null where the CRM signs with one of its own. */
export type NewAddress = { url: string; secret: string | null };

/** What the gateway has of the company's CRM. */
export type CrmView = { connection: CrmConnectionView | null; inbound?: readonly InboundAddress[] };

/** A CRM of the catalog that the gateway can connect to. */
export type ConnectableCrm = Omit<IntegrationOverview['providers'][number], 'credentials' | 'options'> & {
  credentials: FieldsSchema;
  options: FieldsSchema;
  /** Whether an admin can log in there. */
  authorization?: boolean;
  /** Null: it has no webhooks that the gateway takes. */
  inbound?: { signs: 'provider' | 'gateway' | 'none' } | null;
};

/** The CRM systems that the gateway can connect to. */
export function connectable({ providers }: IntegrationOverview): ConnectableCrm[] {
  return providers.flatMap((one) =>
    one.credentials === null ? [] : [{ ...one, credentials: one.credentials, options: one.options ?? {} }],
  );
}

/** The connection to the CRM: who the gateway is there, and whether it works. */
export const crmQuery = queryOptions({
  queryKey: ['crm'],
  queryFn: ({ signal }) => api.get<CrmView>(base, {}, signal),
});

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

/** Where the browser goes to log in at the provider. */
export function useLogIn() {
  return useAction((provider: string) => api.get<{ url: string }>(`${base}/authorize/${provider}`));
}

/** Makes an address for the CRM's own webhooks; the one before ends at once. */
export function useNewAddress() {
  const queries = useQueryClient();
  return useAction(async (provider: string) => {
    const made = await api.post<NewAddress>(`${base}/inbound`, { provider });
    await readAgain(queries);
    return made;
  });
}

/** Keeps the secret with which the CRM signs; null forgets it. */
export function useSigningSecret(provider: string) {
  const queries = useQueryClient();
  return useAction(async (secret: string | null) => {
    await api.put(`${base}/inbound/${provider}`, { signing_secret: secret });
    await readAgain(queries);
  });
}

/** Takes no webhooks of the CRM any more. */
export function useRemoveAddress() {
  const queries = useQueryClient();
  return useAction(async (provider: string) => {
    await api.delete(`${base}/inbound/${provider}`);
    await readAgain(queries);
  });
}

async function readAgain(queries: QueryClient): Promise<void> {
  await Promise.all(
    [crmQuery.queryKey, integrationQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
  );
}
