import { expect, it } from 'vitest';
import type { GatewayBroadcast } from '../../src/realtime/gatewayBroadcast.ts';
import type { SoftphoneSocket } from '../../src/realtime/io.ts';
import { createSupervisorViews } from '../../src/realtime/supervisorViews.ts';
import type { Services } from '../../src/usecases/services.ts';
import { createManualClock } from '../support/time/manualClock.ts';

it.each([
  { what: 'does not answer', watched: () => new Promise<void>(() => undefined), beginsAfter: 2_000 },
  { what: 'cannot be asked', watched: () => Promise.reject(new Error('one did not answer')), beginsAfter: 0 },
])('shows the company again when every gateway tells of it, where one $what', async ({ watched, beginsAfter }) => {
  const clock = createManualClock(1_000);
  const begun = clock.now();
  const shownAt: number[] = [];
  const socket = {
    connected: true,
    conn: { readyState: 'open', transport: { writable: true } },
    data: { holder: { principal: { kind: 'agent', companyId: 'acme', agentId: 'boss', role: 'admin' } } },
    once: () => undefined,
    join: async () => undefined,
    emit: (event: string) => event === 'agents_snapshot' && shownAt.push(clock.now() - begun),
  } as unknown as SoftphoneSocket;
  const nothing = async () => [];
  const services = {
    clock,
    presence: { list: nothing, now: () => clock.now() },
    agentCards: async () => new Map(),
    calls: { listInProgress: nothing },
    clickTallies: { list: nothing },
  } as unknown as Services;
  const broadcast = { onRightsChanged: () => undefined, watched } as unknown as GatewayBroadcast;

  const showing = createSupervisorViews({ services, broadcast }).show(socket);
  await clock.advance(beginsAfter);
  await showing;
  expect(shownAt).toEqual([beginsAfter]);
  await clock.advance(60_000);
  expect(shownAt).toEqual([beginsAfter, beginsAfter + 10_000]);
});
