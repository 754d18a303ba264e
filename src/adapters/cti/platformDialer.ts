import { connectors } from '../../connectors/registry.ts';
import type { Dialing, DialLine, DialRequest, DialResponse, DialSettings, GotToken } from '../../connectors/dialing/dialing.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CtiConnection, PlatformDialer } from '../../ports/cti.ts';
import type { CrmAnswer } from '../../ports/crm.ts';

type Needs = {
  /** Sends one request, to nothing but what the network policy allows, and reads the whole answer within that time. */
  exchange: (request: DialRequest, withinMs: number) => Promise<CrmAnswer>;
  clock: Clock;
  /** What was sealed of a connection; null: nothing is set. */
  settingsOf: (connection: CtiConnection) => DialSettings | null;
  /** By the ids of connectors: where their clouds are in place of their own addresses. */
  baseUrls: ReadonlyMap<string, string>;
};

/** For a check: an admin waits for it. Milliseconds. */
const checkWithinMs = 8_000;
/** A token is replaced so long before it ends. Milliseconds. */
const earlyMs = 60_000;
const maxTokens = 10_000;

type HeldToken = { token: string; until: number };

const notSet = { kind: 'unavailable', said: 'What dialing takes is not set.' } as const;

/** Dials through the interfaces of telephony platforms. A token is kept by each gateway for itself, for the settings that it was got with. */
export function createPlatformDialer({ exchange, clock, settingsOf, baseUrls }: Needs): PlatformDialer {
  const tokens = new Map<string, HeldToken>();

  function lineOf({ companyId, connector, dialingEncrypted }: CtiConnection, withinMs: number): DialLine {
    const until = clock.now() + withinMs;
    const key = `${companyId} ${connector} ${dialingEncrypted ?? ''}`;
    return {
      send: (request) => send(request, until - clock.now()),
      async token(get, renews = false) {
        const held = renews ? undefined : tokens.get(key);
        if (held !== undefined && held.until > clock.now()) return { kind: 'token', token: held.token, endsInMs: held.until - clock.now() };
        const got = await get();
        if (got.kind === 'token') keep(key, got);
        return got;
      },
    };
  }

  function keep(key: string, { token, endsInMs }: GotToken & { kind: 'token' }): void {
    tokens.delete(key);
    tokens.set(key, { token, until: clock.now() + endsInMs - earlyMs });
    const [oldest] = tokens.keys();
    if (tokens.size > maxTokens && oldest !== undefined) tokens.delete(oldest);
  }

  async function send(request: DialRequest, withinMs: number): Promise<DialResponse> {
    const answer = await exchange(request, withinMs);
    if (answer.kind === 'answer') return { kind: 'answer', status: answer.response.status, body: answer.response.body };
    const { trouble } = answer;
    return { kind: 'failed', isUnknown: trouble.kind === 'no_answer' && trouble.isUnknown, message: trouble.message };
  }

  /** Null: the gateway cannot dial through that platform, or nobody has said what it takes. */
  function partsOf(connection: CtiConnection): { dialing: Dialing; settings: DialSettings; base: string | null } | null {
    const dialing = connectors.get(connection.connector)?.dialing ?? null;
    const settings = settingsOf(connection);
    return dialing === null || settings === null ? null : { dialing, settings, base: baseUrls.get(connection.connector) ?? null };
  }

  return {
    async dial({ connection, platformId, phone, callId }, withinMs) {
      const parts = partsOf(connection);
      if (parts === null) return notSet;
      return parts.dialing.dial(lineOf(connection, withinMs), parts.settings, { agent: platformId, phone, callId }, parts.base);
    },
    async check(connection) {
      const parts = partsOf(connection);
      if (parts === null) return notSet;
      const trouble = await parts.dialing.check(lineOf(connection, checkWithinMs), parts.settings, parts.base);
      if (trouble === null) return { kind: 'ok' };
      return { kind: trouble.kind === 'refused' ? 'refused' : 'unavailable', said: trouble.said };
    },
  };
}
