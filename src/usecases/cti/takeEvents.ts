import { connectors } from '../../connectors/registry.ts';
import {
  type CallEvent,
  type Connector,
  type PlatformDelivery,
  type PlatformEvent,
  UnreadableEvent,
  type Verdict,
} from '../../connectors/connector.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import type { Services } from '../services.ts';
import { accountSettings } from './companyAccount.ts';
import { signingSecret } from './connections.ts';
import { takeAgentState } from './platformAgents.ts';
import type { TakeNeeds } from './beginCall.ts';
import { takeCallEvent } from './takeCallEvent.ts';

/** Events of one connection in a minute; a delivery counts as at least one, and one for each so many bytes. */
const perMinute = 6_000;
const bytesOfEvent = 5 * 1_024;
/** Wrong addresses from one network address in a minute. */
const wrongPerMinute = 60;
/** As tokens are issued. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/;
/** An event is known again for so long. Seconds. */
const knownForSeconds = 600;

/** What a platform has told, as it came. */
type Told = Omit<PlatformDelivery, 'receivedAt'>;
type ReadEvents = { connector: Connector; events: PlatformEvent[] };

export type TakeEventsNeeds = TakeNeeds &
  Pick<Services, 'apiKeys' | 'cipher' | 'counters' | 'ctiConnections' | 'takeEventLater' | 'turns'>;

/**
 * Whose address that is, before anything of a request is read. Refuses with `not_found` where it is nobody's, and with
 * `rate_limited`. Wrong addresses count against whoever asks for them; a right one is taken from everywhere.
 * @param caller the network address that it came from
 */
export async function findCtiAddress(
  services: TakeEventsNeeds,
  { connector, token }: { connector: string; token: string },
  caller: string,
): Promise<Outcome<CtiConnection>> {
  const { apiKeys, counters, ctiConnections } = services;
  const found = tokenForm.test(token) ? await ctiConnections.findByTokenHash(apiKeys.hash(token)) : null;
  if (found === null || found.connector !== connector || !connectors.has(found.connector)) {
    const { points, endsInMs } = await counters.add(`wrong cti addresses from ${caller}`, 1, 60);
    return points > wrongPerMinute
      ? tooMany(wrongPerMinute, endsInMs)
      : refuse('not_found', 'There is nothing at this address.');
  }
  const refusal = await countEvents(services, found, 1);
  return refusal ?? ok(found);
}

/** Null: they are not too many. */
async function countEvents(
  { counters }: TakeEventsNeeds,
  { companyId, connector }: CtiConnection,
  count: number,
): Promise<Refused | null> {
  const { points, endsInMs } = await counters.add(`cti events ${companyId} ${connector}`, count, 60);
  return points > perMinute ? tooMany(perMinute, endsInMs) : null;
}

/**
 * Takes a request of a platform, whose address was found and has counted as one event.
 * Refuses with `rate_limited` where it holds too many, and as `takePlatformEvents` does.
 */
export async function takePlatformRequest(
  services: TakeEventsNeeds,
  connection: CtiConnection,
  given: Told,
): Promise<Outcome<null>> {
  const byBytes = Math.max(1, Math.ceil(given.body.length / bytesOfEvent));
  // Before it is read: what cannot be read counts, too.
  const tooLong = byBytes > 1 ? await countEvents(services, connection, byBytes - 1) : null;
  if (tooLong !== null) return tooLong;
  const read = readEvents(services, connection, given);
  if (read.kind === 'refused') return read;
  const more = read.value.events.length - byBytes;
  const tooMuch = more > 0 ? await countEvents(services, connection, more) : null;
  return tooMuch ?? takeAll(services, connection, read.value);
}

/**
 * Takes what a platform tells: proves that it is the platform's, and brings calls and agents in line with it, in the
 * order told. An event that came before is answered as if it were new, and changes nothing. What has to wait for the
 * dial of a click is kept, and nobody waits with it. Refuses with `invalid_signature` or `invalid_request`, and nothing
 * was changed then.
 */
export async function takePlatformEvents(
  services: TakeEventsNeeds,
  connection: CtiConnection,
  given: Told,
): Promise<Outcome<null>> {
  const read = readEvents(services, connection, given);
  return read.kind === 'refused' ? read : takeAll(services, connection, read.value);
}

function readEvents(services: TakeEventsNeeds, connection: CtiConnection, given: Told): Outcome<ReadEvents> {
  const connector = connectors.get(connection.connector);
  if (connector === undefined) return refuse('not_found', 'There is nothing at this address.');
  const delivery = { ...given, receivedAt: services.clock.now() };
  const secret = signingSecret(services.cipher, connector, connection);
  const verdict = connector.verify === null || secret === null ? 'ok' : connector.verify(delivery, secret);
  if (verdict !== 'ok') return refusals[verdict];
  const events = read(connector, delivery);
  return events.kind === 'refused' ? events : ok({ connector, events: events.value });
}

async function takeAll(
  services: TakeEventsNeeds,
  connection: CtiConnection,
  { connector, events }: ReadEvents,
): Promise<Outcome<null>> {
  const strangers = connector.strangers?.(accountSettings(services.cipher, connection) ?? {});
  for (const event of events) if (!isOf(event, strangers)) await takeOnce(services, connection, connector, event);
  await services.ctiConnections.noteReceived(connection.companyId, connector.id);
  return ok(null);
}

/** Whether that is told of somebody who is no agent, e.g. of a trunk. */
function isOf({ agent }: PlatformEvent, strangers: ReadonlySet<string> | undefined): boolean {
  return agent !== null && agent.id !== null && strangers?.has(agent.id) === true;
}

/** One that fails is not known: the platform sends it again, and then it must count. */
async function takeOnce(
  services: TakeEventsNeeds,
  connection: CtiConnection,
  connector: Connector,
  event: PlatformEvent,
): Promise<void> {
  const { companyId } = connection;
  const key = event.eventId === null ? null : `cti event ${companyId} ${connector.id} ${event.eventId}`;
  if (key !== null && (await services.counters.add(key, 1, knownForSeconds)).points > 1) return;
  try {
    if (event.kind === 'agent_state') {
      await takeAgentState(services, connection, event);
    } else {
      await services.turns.run(`call at a platform ${companyId} ${connector.id} ${event.callId}`, () =>
        takeCall(services, connection, connector, event),
      );
    }
  } catch (error) {
    if (key !== null) await services.counters.clear(key);
    throw error;
  }
}

async function takeCall(
  services: TakeEventsNeeds,
  connection: CtiConnection,
  connector: Connector,
  event: CallEvent,
): Promise<void> {
  if ((await takeCallEvent(services, connection, connector, event)) === 'waits')
    await services.takeEventLater(connection, event);
}

const refusals: Record<Exclude<Verdict, 'ok'>, Refused> = {
  missing: refuse('invalid_signature', 'The signature or secret is missing.', { cause: { code: 'signature_missing' } }),
  mismatch: refuse('invalid_signature', 'The signature or secret is not the one of this address.', {
    cause: { code: 'signature_wrong' },
  }),
  stale: refuse('invalid_signature', 'The time of the event is missing, or more than five minutes off.', {
    cause: { code: 'signature_stale' },
  }),
};

function read(connector: Connector, delivery: PlatformDelivery): Outcome<PlatformEvent[]> {
  try {
    return ok(connector.read(delivery));
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    return refuse('invalid_request', `That is no event of ${connector.name}: ${error.message}`, {
      cause: { code: 'unreadable' },
    });
  }
}

function tooMany(limit: number, endsInMs: number): Refused {
  return refuse('rate_limited', 'Too many requests for this address. Send them again later.', {
    retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1_000)),
    limit,
  });
}
