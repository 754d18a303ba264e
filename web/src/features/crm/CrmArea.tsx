import './styles.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { RouterProvider } from 'react-router';
import { makeQueryClient } from '../../lib/gateway/queryClient.ts';
import { useSignIn } from '../../lib/gateway/signIn.ts';
import { addTexts } from '../../lib/i18n/texts.ts';
import crmArea from '../../locales/en/crmArea.json';
import { router } from './router.tsx';

// Before the first page is shown: this file is loaded when the area is.
await addTexts({ crmArea });

/** What agents do with contacts, beside their softphone. What one agent has read is nobody else's. */
export function CrmArea() {
  const token = useSignIn()?.token ?? null;
  const [queries] = useState(makeQueryClient);
  useEffect(() => {
    // What failed for want of a log-in is asked for again with the new one.
    if (token !== null) void queries.invalidateQueries();
  }, [queries, token]);
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
