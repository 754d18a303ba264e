import { Loader, Paper, Text } from '@mantine/core';
import { Boundary } from '../shared/Boundary.tsx';
import { CallPanel } from './CallPanel.tsx';
import { lasts } from './callWords.ts';
import { ComingCall } from './ComingCall.tsx';
import { CustomerCard } from './CustomerCard.tsx';
import { IncomingCall } from './IncomingCall.tsx';
import type { WrapUpCall } from './useWrapUpCall.ts';
import { WrapUp } from './WrapUp.tsx';
import { useDesk } from './workplaceContext.ts';

type Props = { wrapUp: WrapUpCall; onWrappedUp: () => void };

/** What is going on now: the call, or its wrap-up, and the customer. */
export function WorkArea({ wrapUp, onWrappedUp }: Props) {
  const { view } = useDesk();
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
  const { agent, call, caller } = useDesk().view;
  const isInboundRing = lasts(call) && call.direction === 'inbound' && call.answered_at === null;
  if (caller !== null || isInboundRing) return <IncomingCall />;
  if (lasts(call)) return <CallPanel call={call} />;
  return agent?.state === 'reserved' ? <ComingCall /> : null;
}

function Idle() {
  const { agent } = useDesk().view;
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
