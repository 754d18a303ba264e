import type { CompanyId } from '../../domain/ids.ts';
import type { CtiConnection, OpenLine } from '../../ports/cti.ts';
import { backgroundLooks } from '../concurrency/backgroundLooks.ts';
import type { Services } from '../services.ts';
import { takePlatformEvents, type TakeEventsNeeds } from './takeEvents.ts';

/** How often to look for connections at which nobody listens. Milliseconds. */
const lookMs = 5_000;
/** A gateway that died gives its connections back after this. Milliseconds. */
const leaseMs = 20_000;
/** One gateway listens at so many connections at most. */
const most = 500;
/** After a failure it is tried again after this, then after twice as long, and so on. Milliseconds. */
const againAfterMs = { first: 5_000, last: 120_000 };
/** A line that has told nothing for so long is asked whether the platform is still there. Milliseconds. */
const quietMs = 60_000;
/** What waits to be taken of one line; a line that tells more is opened anew. Bytes. */
const longestQueue = 4 * 1024 * 1024;

export interface PlatformListener {
  start(): void;
  /** A connection was changed. */
  wake(): void;
  /** Closes all lines, and waits for what they told last. May be called twice. */
  stop(): Promise<void>;
}

type Needs = TakeEventsNeeds & Pick<Services, 'nodeId' | 'platformDialer' | 'platformLines'>;

/** A connection at which this gateway listens, or tries to. */
type Listened = {
  connection: CtiConnection;
  line: OpenLine | null;
  isOpening: boolean;
  failures: number;
  /** When to open it, or to open it anew. Milliseconds since the epoch. */
  nextAt: number;
  /** When it told something last, or was found to be there. */
  heardAt: number;
  /** When to ask who has come since. Milliseconds since the epoch. */
  againAt: number;
  waitingBytes: number;
  taking: Promise<void>;
};

/**
 * Listens at the platforms that tell by a WebSocket: of each connection one gateway at a time, which another follows
 * when it dies. What is told while nobody listens is lost; the states and calls that come next, and the silence of
 * calls, make up for it.
 */
export function createPlatformListener(services: Needs): PlatformListener {
  const { clock, ctiConnections, nodeId, observer, platformAgents, platformDialer, platformLines } = services;
  const listened = new Map<string, Listened>();
  let leasedUntil = 0;
  const looks = backgroundLooks({
    clock,
    look,
    everyMs: lookMs,
    failed: (error) => observer.problem('connections with telephony platforms could not be listened at', error),
  });

  async function look(): Promise<void> {
    const now = clock.now();
    const leased = await lease(now);
    const mine = new Map(leased.map((connection) => [keyOf(connection), connection]));
    for (const [key, one] of listened) {
      const connection = mine.get(key);
      if (connection === undefined || connection.accountEncrypted !== one.connection.accountEncrypted) leave(key, one);
      else one.connection = connection;
    }
    for (const [key, connection] of mine) {
      const one = listened.get(key) ?? {
        connection,
        line: null,
        isOpening: false,
        failures: 0,
        nextAt: 0,
        heardAt: 0,
        againAt: 0,
        waitingBytes: 0,
        taking: Promise.resolve(),
      };
      listened.set(key, one);
      if (!looks.isRunning() || one.isOpening) continue;
      if (one.nextAt <= clock.now()) void open(key, one);
      else if (one.line !== null) askAgain(one, one.line);
    }
  }

  /** Whether the platform is still there, and who has come to be told of. */
  function askAgain(one: Listened, line: OpenLine): void {
    const now = clock.now();
    if (one.heardAt + quietMs <= now) void askWhetherThere(one, line);
    if (line.again === null || one.againAt > now) return;
    one.againAt = now + line.againMs;
    void hearOthers(one, line, line.again);
  }

  /** A gateway that cannot renew leaves its lines in time to another. */
  async function lease(now: number): Promise<CtiConnection[]> {
    try {
      const leased = await ctiConnections.leaseListening(
        nodeId,
        { now: new Date(now), until: new Date(now + leaseMs) },
        most,
      );
      leasedUntil = now + leaseMs;
      return leased;
    } catch (error) {
      if (clock.now() >= leasedUntil) for (const [key, one] of listened) leave(key, one);
      throw error;
    }
  }

  function leave(key: string, one: Listened): void {
    listened.delete(key);
    one.line?.close();
    one.line = null;
  }

  const isMine = (key: string, one: Listened) => listened.get(key) === one;

  /** The line that is open stays until the next one is. */
  async function open(key: string, one: Listened): Promise<void> {
    one.isOpening = true;
    const own: { line: OpenLine | null } = { line: null };
    const opened = await platformLines.open(one.connection, {
      message: (text) => take(one, text, () => own.line?.close()),
      closed: (said) => {
        if (isMine(key, one) && one.line === own.line) void fail(one, said);
      },
    });
    one.isOpening = false;
    if (opened.kind === 'failed') return fail(one, opened.said, one.line);
    own.line = opened;
    if (!isMine(key, one)) return opened.close();
    one.line?.close();
    const now = clock.now();
    Object.assign(one, {
      line: opened,
      failures: 0,
      nextAt: now + opened.renewMs,
      heardAt: now,
      againAt: now + opened.againMs,
    });
    await note(one, null);
    await meetAll(one, opened.agents);
  }

  async function meetAll(
    { connection: { companyId, connector } }: Listened,
    agents: OpenLine['agents'],
  ): Promise<void> {
    for (const { email, id, name } of agents)
      await platformAgents.meet(companyId, connector, { platformId: id, email, name }).catch(() => null);
  }

  /** Those who have come since the line was opened are told of from now on, by it or by the next. */
  async function hearOthers(one: Listened, line: OpenLine, again: NonNullable<OpenLine['again']>): Promise<void> {
    const found = await again();
    if (one.line !== line) return;
    if (found.kind === 'renew') one.nextAt = 0;
    else await note(one, found.kind === 'failed' ? `Who has come since is not known: ${found.said}` : null);
    if (found.kind === 'agents') await meetAll(one, found.agents);
  }

  /** A connection that broke without a word is known by this alone. */
  async function askWhetherThere(one: Listened, line: OpenLine): Promise<void> {
    one.heardAt = clock.now();
    const found = await platformDialer.check(one.connection, null);
    if (found.kind === 'ok' || one.line !== line) return;
    line.close();
    await fail(one, found.said);
  }

  /** @param line what stays open all the same */
  async function fail(one: Listened, said: string, line: OpenLine | null = null): Promise<void> {
    one.line = line;
    one.nextAt = clock.now() + Math.min(againAfterMs.last, againAfterMs.first * 2 ** one.failures);
    one.failures += 1;
    await note(one, said);
  }

  async function note({ connection: { companyId, connector } }: Listened, error: string | null): Promise<void> {
    await ctiConnections
      .noteListening(companyId, connector, nodeId, error)
      .catch((reason: unknown) => observer.problem('it could not be noted whether a platform is listened at', reason));
  }

  /** One after the other, as told. */
  function take(one: Listened, text: string, end: () => void): void {
    const bytes = Buffer.byteLength(text);
    one.heardAt = clock.now();
    if (one.waitingBytes + bytes > longestQueue) {
      end();
      void fail(one, 'The platform told more than could be taken.');
      return;
    }
    one.waitingBytes += bytes;
    one.taking = one.taking
      .then(() =>
        takePlatformEvents(services, one.connection, {
          headers: { 'content-type': 'application/json' },
          query: new URLSearchParams(),
          body: Buffer.from(text),
        }),
      )
      .then(
        () => undefined,
        (error: unknown) =>
          observer.problem('what a telephony platform told could not be taken', error, {
            company_id: one.connection.companyId,
          }),
      )
      .finally(() => void (one.waitingBytes -= bytes));
  }

  return {
    start: looks.start,
    wake: looks.wake,
    async stop() {
      await looks.stop();
      const all = [...listened];
      for (const [key, one] of all) leave(key, one);
      await Promise.all(all.map(([, { taking }]) => taking));
      await ctiConnections.releaseListening(nodeId).catch(() => undefined);
    },
  };
}

function keyOf({ companyId, connector }: { companyId: CompanyId; connector: string }): string {
  return `${companyId} ${connector}`;
}
