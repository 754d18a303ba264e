import { expect, it } from 'vitest';
import type { SoftphoneSocket } from '../../src/realtime/io.ts';
import { watchToken } from '../../src/realtime/socketAuthentication.ts';
import type { TokenHolder } from '../../src/usecases/auth/authenticate.ts';
import { createManualClock } from '../support/time/manualClock.ts';

it('checks the tokens of connections that were made at different times together, each within 30 s', async () => {
  const clock = createManualClock(1_000_007);
  const checked: Record<string, number[]> = { one: [], two: [] };
  const watch = (token: string) => {
    const socket = { handshake: { auth: { token } }, disconnect: () => undefined } as unknown as SoftphoneSocket;
    const holder = { expiresAt: clock.now() + 3_600_000 } as TokenHolder;
    const byToken = async (asked: string) => {
      checked[asked]!.push(clock.now());
      return { kind: 'ok', value: holder } as const;
    };
    return watchToken(socket, holder, { clock, byToken, onValid: () => undefined });
  };
  const first = watch('one');
  await clock.advance(612);
  const second = watch('two');
  await clock.advance(65_000);
  for (const watched of [first, second]) watched.stop();
  // At once, and then at the same times.
  expect(checked).toEqual({ one: [1_000_007, 1_030_000, 1_060_000], two: [1_000_619, 1_030_000, 1_060_000] });
});
