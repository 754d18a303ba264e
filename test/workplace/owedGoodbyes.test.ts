import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OwedGoodbyes } from '../../web/src/phone/owedGoodbyes.ts';
import type { PhoneDialog } from '../../web/src/phone/phone.ts';
import { Debts } from '../../web/src/phone/sip/debts.ts';
import { newTab } from '../support/workplaces.ts';

const dialog = { callId: 'sip-call' } as PhoneDialog;

/** A telephone of that agent, what it has said, and its line. */
function telephone(store = newTab().store, agentId = 'ada') {
  const line = { isUp: false, loses: false };
  const said: unknown[] = [];
  const debts = new Debts({
    owed: new OwedGoodbyes(store, agentId),
    isReachable: () => line.isUp,
    say: (goodbye, onUnsent) => {
      said.push('bye' in goodbye ? { bye: goodbye.bye } : { cancel: goodbye.cancel });
      if (line.loses) onUnsent();
    },
  });
  return { store, line, said, debts };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('that a call is over', () => {
  it('is said at once where the network can be reached, and once', () => {
    const { line, said, debts } = telephone();
    line.isUp = true;
    debts.owe({ bye: dialog });
    debts.settle();
    expect(said).toEqual([{ bye: dialog }]);
  });

  it('is said again where it did not arrive', () => {
    const { line, said, debts } = telephone();
    Object.assign(line, { isUp: true, loses: true });
    debts.owe({ cancel: 'CANCEL sip:there' });
    line.loses = false;
    debts.settle();
    debts.settle();
    expect(said).toEqual([{ cancel: 'CANCEL sip:there' }, { cancel: 'CANCEL sip:there' }]);
  });

  it('is said by the telephone of the agent’s next page where this one’s never reached the network', () => {
    const { store, debts } = telephone();
    debts.owe({ bye: dialog });
    debts.owe({ cancel: 'CANCEL sip:there' });
    const [others, next] = [telephone(store, 'bob'), telephone(store)];
    for (const { line } of [others, next]) line.isUp = true;
    others.debts.settle();
    next.debts.settle();
    expect(others.said).toEqual([]);
    expect(next.said).toEqual([{ bye: dialog }, { cancel: 'CANCEL sip:there' }]);
  });

  it('is said within two minutes or never', () => {
    const { line, said, debts } = telephone();
    debts.owe({ bye: dialog });
    vi.advanceTimersByTime(60_001);
    debts.owe({ cancel: 'CANCEL sip:there' });
    vi.advanceTimersByTime(60_000);
    line.isUp = true;
    debts.settle();
    expect(said).toEqual([{ cancel: 'CANCEL sip:there' }]);
  });
});
