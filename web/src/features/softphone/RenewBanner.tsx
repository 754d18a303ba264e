import { Suspense } from 'react';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import type { SignIn } from '../../lib/gateway/signIn.ts';
import { useGatewayNow } from '../workplace/workplaceContext.ts';

/** Once in half a day. */
const RenewForm = lazyPart(async () => (await import('./RenewForm.tsx')).RenewForm);

/** How long before the end of the log-in the password is asked for. */
const askBeforeMs = 15 * 60_000;

type Props = { signIn: SignIn; hasEnded: boolean };

/**
 * Asks for the password before the log-in ends, or where it has ended in mid-call,
 * and renews it without touching the call.
 */
export function RenewBanner({ signIn, hasEnded }: Props) {
  const leftMs = Date.parse(signIn.expiresAt) - useGatewayNow();
  if (!hasEnded && leftMs > askBeforeMs) return null;
  return (
    <Suspense fallback={null}>
      <RenewForm signIn={signIn} hasEnded={hasEnded} leftMs={leftMs} />
    </Suspense>
  );
}
