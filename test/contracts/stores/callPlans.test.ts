import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCallStore } from '../../../src/adapters/postgres/calls/callStore.ts';
import { type DeliveryId, toId } from '../../../src/domain/ids.ts';
import type { NewCallback } from '../../../src/domain/tasks.ts';
import type { NewCorrection } from '../../../src/ports/calls.ts';
import { after, eventOf, newCall, makeCompany, openStores, type Stores } from './openStores.ts';

let stores: Stores;
beforeAll(async () => void (stores = await openStores()));
afterAll(() => stores.close());

/**
 * PostgreSQL plans a prepared statement anew for the first five values;
 * then it compares what that has cost with one plan for all.
 */
const tries = 5;

it.each([
  { url: 'https://example.com', has: 'a webhook' },
  { url: undefined, has: 'none' },
])('the statements that write a call are planned once for all calls, where the company has $has', async ({ url }) => {
  const company = await makeCompany(stores, url);
  const session = stores.openSession();
  const calls = createCallStore({ ...stores, pool: session, reserve: session });
  for (let n = 0; n < 2 * tries; n += 1) {
    const call = newCall(company, { sequence: 1 });
    const key = { key: `key-${String(n)}`, heldUntil: after(60) };
    await stores.idempotency.begin(company.companyId, key.key, 'hash', after(0), key.heldUntil);
    await calls.create(call, [eventOf(call, 1), eventOf(call, 2)], {
      remember: { key, status: 201, body: {}, expiresAt: after(600) },
      by: stores.clock.now() + 60_000,
    });
    const turnedAway = newCall(company, { state: 'ended', sequence: 2 });
    await calls.create(turnedAway, [eventOf(turnedAway, 1), eventOf(turnedAway, 2)], {
      log: { id: toId<DeliveryId>(newId()), dueAt: after(9) },
    });
    await calls.commit({ ...call, state: 'ringing', version: 2 }, []);
    await calls.commit({ ...call, state: 'connected', version: 3 }, [eventOf(call, 3)], {
      step: { at: after(1), step: 'held' },
    });
    const ended = { ...call, state: 'ended' as const, endedAt: after(3) };
    const log = () => ({ id: toId<DeliveryId>(newId()), dueAt: after(9) });
    await calls.commit({ ...ended, version: 4 }, [eventOf(call, 4)], { log: log() });
    const disposition = {
      code: 'callback',
      label: 'Callback',
      notes: null,
      callbackAt: after(99),
      submittedAt: after(4),
    };
    const callback: NewCallback = {
      id: newId() as NewCallback['id'],
      title: 'Call back',
      timeZone: null,
      assigneeId: null,
      createdBy: company.agentId,
    };
    await calls.commit({ ...ended, disposition, version: 5 }, [eventOf(call, 5)], { log: log(), callback });
    const wrappedUp = { code: 'resolved', label: 'Resolved', notes: null, tags: [] };
    const correction: NewCorrection = { id: newId(), by: company.agentId, before: null, after: wrappedUp };
    await calls.commit({ ...ended, disposition, version: 6 }, [eventOf(call, 6)], { log: log(), correction });
  }
  const { rows } = await session.query<{ name: string; custom: number; generic: number }>(
    `SELECT name, custom_plans AS custom, generic_plans AS generic FROM pg_prepared_statements
      WHERE name ~ '^(create|commit)_call' ORDER BY name`,
  );
  await session.end();
  expect(rows).toEqual(
    [
      'commit_call',
      'commit_call_1_events',
      'commit_call_1_events_log',
      'commit_call_1_events_log_callback',
      'commit_call_1_events_log_correction',
      'create_call_2_events_answer',
      'create_call_2_events_log',
    ].map((name) => ({ name, custom: tries, generic: tries })),
  );
});
