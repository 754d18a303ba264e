import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HangUpStorage, PendingHangUps } from '../../../../web/src/lib/sip/pendingHangUps.ts';
import type { PhoneDialog } from '../../../../web/src/lib/sip/phoneCall.ts';
import { newTab } from '../../../support/workplace/workplaces.ts';

const dialog = { callId: 'sip-call' } as PhoneDialog;

/** A telephone of that agent, what it has said, and its line. */
function telephone(store = newTab().store, agentId = 'ada') {
  const line = { isUp: false, loses: false };
  const said: unknown[] = [];
  const hangUps = new PendingHangUps({
    storage: new HangUpStorage(store, agentId),
    isReachable: () => line.isUp,
    send: (hangUp, onUnsent) => {
      said.push('bye' in hangUp ? { bye: hangUp.bye } : { cancel: hangUp.cancel });
      if (line.loses) onUnsent();
    },
  });
  return { store, line, said, hangUps };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('that a call is over', () => {
  it('is said at once where the network can be reached, and once', () => {
    const { line, said, hangUps } = telephone();
    line.isUp = true;
    hangUps.add({ bye: dialog });
    hangUps.sendAll();
    expect(said).toEqual([{ bye: dialog }]);
  });

  it('is said again where it did not arrive', () => {
    const { line, said, hangUps } = telephone();
    Object.assign(line, { isUp: true, loses: true });
    hangUps.add({ cancel: 'CANCEL sip:there' });
    line.loses = false;
    hangUps.sendAll();
    hangUps.sendAll();
    expect(said).toEqual([{ cancel: 'CANCEL sip:there' }, { cancel: 'CANCEL sip:there' }]);
  });

  it('is said by the telephone of the agent’s next page where this one’s never reached the network', () => {
    const { store, hangUps } = telephone();
    hangUps.add({ bye: dialog });
    hangUps.add({ cancel: 'CANCEL sip:there' });
    const [others, next] = [telephone(store, 'bob'), telephone(store)];
    for (const { line } of [others, next]) line.isUp = true;
    others.hangUps.sendAll();
    next.hangUps.sendAll();
    expect(others.said).toEqual([]);
    expect(next.said).toEqual([{ bye: dialog }, { cancel: 'CANCEL sip:there' }]);
  });

  it('is said within two minutes or never', () => {
    const { line, said, hangUps } = telephone();
    hangUps.add({ bye: dialog });
    vi.advanceTimersByTime(60_001);
    hangUps.add({ cancel: 'CANCEL sip:there' });
    vi.advanceTimersByTime(60_000);
    line.isUp = true;
    hangUps.sendAll();
    expect(said).toEqual([{ cancel: 'CANCEL sip:there' }]);
  });
});
