import { clockText } from '../../shared/time.ts';
import { useGatewayNow } from './gatewayClock.ts';

type Props = {
  /** ISO 8601. */
  at: string;
  /** Down to that moment instead of up from it. */
  isCountdown?: boolean;
};

/** How long ago a moment was, or how long it is until then; ticks. */
export function Clock({ at, isCountdown = false }: Props) {
  const passed = useGatewayNow() - Date.parse(at);
  return <>{clockText(isCountdown ? -passed : passed)}</>;
}
