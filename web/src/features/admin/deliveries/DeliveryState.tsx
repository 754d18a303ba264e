import type { DeliveryState as State } from '../../../../../src/contract/vocabulary.ts';
import { StateBadge } from '../components/StateBadge.tsx';

/** Each state in words. */
export const deliveryLooks: Record<State, { label: string; color: 'blue' | 'teal' | 'red' }> = {
  pending: { label: 'Waiting', color: 'blue' },
  in_flight: { label: 'Being sent', color: 'blue' },
  delivered: { label: 'Delivered', color: 'teal' },
  dead: { label: 'Given up', color: 'red' },
};

type Props = { state: State };

/** What became of a delivery. */
export function DeliveryState({ state }: Props) {
  const { label, color } = deliveryLooks[state];
  return <StateBadge color={color}>{label}</StateBadge>;
}
