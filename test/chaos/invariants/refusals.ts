import { isRefused, storyOf, type Invariant } from './finding.ts';

/** A click that was refused, otherwise than with `outcome_unknown`, has done nothing: no call, no event, no dial. */
export const refusedDidNothing: Invariant = (aftermath) => {
  const { ledger, calls, deliveries } = aftermath;
  const violations: string[] = [];
  const refused = new Map(ledger.clicks.filter(isRefused).map((click) => [click.id, click]));
  const unknown = new Set(ledger.clicks.filter(({ tries }) => tries.some(isUnknown)).map(({ id }) => id));
  const announced = new Set(deliveries.map(({ callId }) => callId));
  const dialed = new Set(ledger.events.flatMap((event) => (event.kind === 'dial' ? [event.callId] : [])));
  let unknownRecorded = 0;
  for (const { id, clickId } of calls) {
    if (clickId !== null && unknown.has(clickId)) unknownRecorded += 1;
    const click = clickId === null ? undefined : refused.get(clickId);
    if (click === undefined) continue;
    const did = ['recorded', ...(announced.has(id) ? ['announced'] : []), ...(dialed.has(id) ? ['dialed'] : [])];
    violations.push(
      `click ${click.id} ${JSON.stringify(click.tries)} was ${did.join(', ')}: ${storyOf(id, aftermath)}`,
    );
  }
  return {
    invariant: 'refused clicks did nothing',
    figures: {
      'refused clicks': refused.size,
      'of unknown outcome': unknown.size,
      'recorded of these': unknownRecorded,
    },
    violations,
  };
};

function isUnknown({ answer }: { answer: { kind: string } | null }): boolean {
  return answer !== null && answer.kind === 'refused' && 'code' in answer && answer.code === 'outcome_unknown';
}
