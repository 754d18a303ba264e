import { Loader, Paper, Text } from '@mantine/core';
import { Boundary } from '../../shared/Boundary.tsx';
import { CallPanel } from '../calls/CallPanel.tsx';
import { lasts } from '../calls/callWords.ts';
import { PreviewDial } from '../calls/PreviewDial.tsx';
import { CustomerCard } from '../customer/CustomerCard.tsx';
import { IncomingCall } from '../calls/IncomingCall.tsx';
import type { WrapUpCall } from '../wrapUp/useWrapUpCall.ts';
import { WrapUp } from '../wrapUp/WrapUp.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Props = { wrapUp: WrapUpCall; onWrappedUp: () => void };

/** What is going on now: the call, or its wrap-up, and the customer. */
export function WorkArea({ wrapUp, onWrappedUp }: Props) {
  const { view } = useWorkplace();
  const { agent, call, pop, caller } = view;
  const isOfCall = lasts(call) || agent?.state === 'reserved' || caller !== null;
  const toWrapUp = isOfCall ? null : wrapUp.call;
  // Each has its own place, so that nobody loses the field they type in when something beside it comes or goes.
  return (
    <>
      {isOfCall && <CurrentCall />}
      {toWrapUp !== null && <WrapUp key={`wrap-up ${toWrapUp.id}`} call={toWrapUp} isLate={wrapUp.isLate} leave={wrapUp.leave} onDone={onWrappedUp} />}
      {(isOfCall || pop !== null) && (
        <Boundary name="Customer" key={`customer ${pop?.pop_id ?? ''}`}>
          <CustomerCard />
        </Boundary>
      )}
      {!isOfCall && toWrapUp === null && pop === null && <Idle />}
    </>
  );
}

function CurrentCall() {
  const { agent, call, caller } = useWorkplace().view;
  const isInboundRing = lasts(call) && call.direction === 'inbound' && call.answered_at === null;
  if (caller !== null || isInboundRing) return <IncomingCall />;
  if (lasts(call)) return <CallPanel call={call} />;
  return agent?.state === 'reserved' ? <PreviewDial /> : null;
}

function Idle() {
  const { agent } = useWorkplace().view;
  return (
    <Paper withBorder p="md">
      {agent === null ? (
        <Text size="sm">
          <Loader size={14} mr="xs" aria-hidden />
          Waiting for the gateway …
        </Text>
      ) : (
        <Text size="sm">No call. As soon as there is one, what is known about the customer appears here.</Text>
      )}
    </Paper>
  );
}
