import { expect, it } from 'vitest';
import type { GatewayBroadcast } from '../../src/realtime/gatewayBroadcast.ts';
import type { SoftphoneSocket } from '../../src/realtime/io.ts';
import { createSupervisorViews } from '../../src/realtime/supervisorViews.ts';
import type { Services } from '../../src/usecases/services.ts';
import { createManualClock } from '../support/time/manualClock.ts';

it.each([
  { what: 'all answer', watched: async () => undefined, beginsAfter: 0 },
  // By then it believes no more that nobody watches.
  { what: 'one does not answer', watched: () => new Promise<void>(() => undefined), beginsAfter: 5_100 },
  { what: 'one cannot be asked', watched: () => Promise.reject(new Error('it is away')), beginsAfter: 5_100 },
])(
  'shows a company once, when every gateway tells of it: where $what, after $beginsAfter ms',
  async ({ watched, beginsAfter }) => {
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
    await clock.advance(60_000);
    await showing;
    expect(shownAt).toEqual([beginsAfter]);
  },
);
