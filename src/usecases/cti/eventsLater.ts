import type { CallEvent } from '../../connectors/connector.ts';
import { connectors } from '../../connectors/registry.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import type { WaitingEvent } from '../../ports/platformNews.ts';
import { createKeyedMutex } from '../concurrency/keyedMutex.ts';
import type { Services } from '../services.ts';
import type { TakeNeeds } from './beginCall.ts';
import { takeCallEvent } from './takeCallEvent.ts';

/** A click's dial that a platform makes is decided within this. Milliseconds. */
const dialWithinMs = 7_000;
/** Between two looks whether it is. Milliseconds. */
const lookAgainMs = 50;
/** What waits for longer than this was left by a gateway that is gone. Milliseconds. */
const leftAfterMs = 2 * dialWithinMs;
/** What could not be taken for so long is dropped. Milliseconds. */
const dropAfterMs = 3_600_000;
const batch = 500;

export interface EventsLater {
  /**
   * Keeps what a platform tells while a dial is being decided; it counts once that is, in the order told of each call.
   * Resolves when it is kept.
   */
  take(connection: CtiConnection, event: CallEvent): Promise<void>;
  /**
   * Takes nothing more: what waits is taken by the next gateway. Waits for what is being taken. May be called twice.
   */
  stop(): Promise<void>;
}

type Needs = TakeNeeds & Pick<Services, 'ctiConnections' | 'waitingEvents'>;

/**
 * Has events wait for the dials of clicks, so that neither the platform nor what it tells of others waits with them.
 */
export function createEventsLater(services: Needs): EventsLater {
  const { clock, newId, observer, waitingEvents } = services;
  const calls = createKeyedMutex();
  const underWay = new Set<Promise<void>>();
  /** What ends the pauses under way. */
  const pauses = new Set<() => void>();
  let isStopped = false;

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        pauses.delete(end);
        cancel();
        resolve();
      };
      const cancel = clock.after(lookAgainMs, end);
      pauses.add(end);
    });
  }

  async function takeWhenDecided(connection: CtiConnection, one: WaitingEvent): Promise<void> {
    const until = one.heardAt.getTime() + dialWithinMs;
    while (!isStopped) {
      if (await takeOne(services, connection, one, clock.now() >= until)) return;
      await pause();
    }
  }

  return {
    async take(connection, event) {
      const { companyId, connector } = connection;
      const now = clock.now();
      const one: WaitingEvent = { companyId, id: newId(), connector, event, heardAt: new Date(now) };
      await waitingEvents.keep(one);
      const taking = calls
        .run(`${companyId} ${connector} ${event.callId}`, () => takeWhenDecided(connection, one))
        .catch((error: unknown) =>
          observer.problem('what a telephony platform told of a dial could not be taken', error, {
            company_id: companyId,
          }),
        )
        .finally(() => void underWay.delete(taking));
      underWay.add(taking);
    },

    async stop() {
      isStopped = true;
      for (const end of pauses) end();
      await Promise.all(underWay);
    },
  };
}

/** Takes what gateways left that are gone. */
export async function takeLeftEvents(services: Needs): Promise<void> {
  const { clock, ctiConnections, observer, waitingEvents } = services;
  const now = clock.now();
  for (const one of await waitingEvents.left(new Date(now - leftAfterMs), batch)) {
    const { companyId, connector, heardAt, id } = one;
    const connection = await ctiConnections.find(companyId, connector);
    if (connection === null) continue;
    await takeOne(services, connection, one, true).catch(async (error: unknown) => {
      observer.problem('what a telephony platform told of a dial could not be taken', error, { company_id: companyId });
      if (heardAt.getTime() < now - dropAfterMs) await waitingEvents.drop(companyId, id);
    });
  }
}

/** It happened when it was told, however late it counts. @returns false: it waits on */
async function takeOne(
  services: Needs,
  connection: CtiConnection,
  { companyId, event, heardAt, id }: WaitingEvent,
  counts: boolean,
): Promise<boolean> {
  const connector = connectors.get(connection.connector);
  if (
    connector !== undefined &&
    (await takeCallEvent(services, connection, connector, event, { counts, heardAt })) === 'waits'
  )
    return false;
  await services.waitingEvents.drop(companyId, id);
  return true;
}
