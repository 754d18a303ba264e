import { expect, it } from 'vitest';
import type { DemoDelivery } from '../../../src/contract/demo.ts';
import { createInbox } from '../../../src/demo/inspector/inbox.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import { createManualClock } from '../../support/time/manualClock.ts';

it('counts on after a restart, so that a page that stayed open misses nothing and takes nothing for what it has', async () => {
  const clock = createManualClock(Date.UTC(2026, 10, 21));
  const company = '0190a000-0000-7000-8000-000000000001' as CompanyId;
  const arrived: Omit<DemoDelivery, 'sequence'> = {
    received_at: new Date(clock.now()).toISOString(),
    event: 'integration_test',
    delivery_id: null,
    attempt: 1,
    signature: { verdict: 'unsigned', reason: 'unsigned', detail: '' },
    status_code: 204,
    headers: {},
    body: '{}',
  };
  const seen: number[] = [];
  const watch = (inbox: ReturnType<typeof createInbox>) =>
    inbox.watch(company, seen.at(-1) ?? 0, ({ sequence }) => void seen.push(sequence));

  const before = createInbox(clock);
  watch(before);
  before.add(company, arrived);
  before.add(company, arrived);
  await clock.leap(1_000);
  const restarted = createInbox(clock);
  restarted.add(company, arrived);
  watch(restarted);
  restarted.add(company, arrived);

  expect(seen).toHaveLength(4);
  expect(new Set(seen).size).toBe(4);
});
