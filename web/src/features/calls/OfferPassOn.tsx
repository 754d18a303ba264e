import { Suspense } from 'react';
import type { CallView } from '../../../../src/contract/calls.ts';
import type { CallKey } from '../../lib/sip/phoneCall.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { PassOn } from './lazyTransfer.ts';

/**
 * For who rings: passing them on, where the telephone is able to. Not for one whom a colleague hands on: that one would
 * hear of a refusal, and take the customer back.
 */
export function OfferPassOn({ callKey, call }: { callKey: CallKey | null; call: CallView | null }) {
  const { view } = useWorkplace();
  if (callKey === null || view.can.transfer === null || call?.transferred_from != null) return null;
  return (
    <Suspense fallback={null}>
      <PassOn key={callKey} callKey={callKey} />
    </Suspense>
  );
}
