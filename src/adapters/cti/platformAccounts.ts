import { LRUCache } from 'lru-cache';
import { connectors } from '../../connectors/registry.ts';
import type {
  AccountAgent,
  AccountLine,
  AccountRequest,
  AccountResponse,
  AccountSettings,
  PlatformAccount,
} from '../../connectors/accounts/platformAccount.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  CtiConnection,
  DialedFor,
  LineEvents,
  PlatformDialer,
  PlatformLines,
  PlatformStates,
} from '../../ports/cti.ts';
import type { CrmAnswer } from '../../ports/crm.ts';
import type { OpenSocket } from './webSocket.ts';

type Needs = {
  /** Sends one request, to nothing but what the network policy allows, and reads the whole answer within that time. */
  exchange: (request: AccountRequest, withinMs: number) => Promise<CrmAnswer>;
  clock: Clock;
  /** What was sealed of a connection; null: nothing is set. */
  settingsOf: (connection: CtiConnection) => AccountSettings | null;
  /** What was sealed of an agent's own log-in there; null: nothing is set. */
  agentSettingsOf: (agent: DialedFor) => AccountSettings | null;
  /** By the ids of connectors: where their clouds are in place of their own addresses. */
  baseUrls: ReadonlyMap<string, string>;
  /** Opens a WebSocket, and resolves when it is open. */
  openSocket: OpenSocket;
};

/** For a check: an admin waits for it. Milliseconds. */
const checkWithinMs = 8_000;
/** For all that it takes to open a line. Milliseconds. */
const openWithinMs = 30_000;
/** A token is replaced so long before it ends. Milliseconds. */
const earlyMs = 60_000;
const maxTokens = 10_000;

type HeldToken = { token: string; until: number };

const notSet = { kind: 'unavailable', said: 'The account is not set.' } as const;

/**
 * Dials and sets states through the interfaces of telephony platforms, and listens to them,
 * by the accounts of companies. A token is kept by each gateway for itself, for the settings that it was got with.
 */
export function createPlatformAccounts({ exchange, clock, settingsOf, agentSettingsOf, baseUrls, openSocket }: Needs): {
  dialer: PlatformDialer;
  lines: PlatformLines;
  states: PlatformStates;
} {
  const tokens = new LRUCache<string, HeldToken>({ max: maxTokens });

  /** @param agent whose own log-in it is; null: the company's account serves for all */
  function lineOf(
    { companyId, connector, accountEncrypted }: CtiConnection,
    agent: DialedFor | null,
    withinMs: number,
  ): AccountLine {
    const until = clock.now() + withinMs;
    const key = [companyId, connector, accountEncrypted, agent?.platformId, agent?.accountEncrypted]
      .map((part) => part ?? '')
      .join(' ');
    return {
      send: (request) => send(request, until - clock.now()),
      async token(get, renews = false) {
        const held = renews ? undefined : tokens.get(key);
        if (held !== undefined && held.until > clock.now())
          return { kind: 'token', token: held.token, endsInMs: held.until - clock.now() };
        const got = await get();
        if (got.kind === 'token') tokens.set(key, { token: got.token, until: clock.now() + got.endsInMs - earlyMs });
        return got;
      },
    };
  }

  async function send(request: AccountRequest, withinMs: number): Promise<AccountResponse> {
    const answer = await exchange(request, withinMs);
    if (answer.kind === 'answer') return { kind: 'answer', status: answer.response.status, body: answer.response.body };
    const { trouble } = answer;
    return { kind: 'failed', isUnknown: trouble.kind === 'no_answer' && trouble.isUnknown, message: trouble.message };
  }

  /** Null: the gateway asks nothing of that platform, or no account is set. */
  function partsOf(
    connection: CtiConnection,
  ): { account: PlatformAccount; settings: AccountSettings; base: string | null } | null {
    const account = connectors.get(connection.connector)?.account ?? null;
    const settings = settingsOf(connection);
    return account === null || settings === null
      ? null
      : { account, settings, base: baseUrls.get(connection.connector) ?? null };
  }

  function agentOf(through: DialedFor): AccountAgent {
    return { id: through.platformId, settings: agentSettingsOf(through) };
  }

  function ownLogin({ agentFields }: PlatformAccount, through: DialedFor): DialedFor | null {
    return agentFields.length > 0 ? through : null;
  }

  const dialer: PlatformDialer = {
    async dial({ through, phone, callId }, withinMs) {
      const parts = partsOf(through.connection);
      if (parts === null) return notSet;
      const { account, base, settings } = parts;
      return account.dial(
        lineOf(through.connection, ownLogin(account, through), withinMs),
        settings,
        { agent: agentOf(through), phone, callId },
        base,
      );
    },
    async check(connection, through) {
      const parts = partsOf(connection);
      if (parts === null) return notSet;
      const { account, base, settings } = parts;
      const line = lineOf(connection, through === null ? null : ownLogin(account, through), checkWithinMs);
      const trouble = await account.check(line, settings, base, through === null ? null : agentOf(through));
      if (trouble === null) return { kind: 'ok' };
      return { kind: trouble.kind === 'refused' ? 'refused' : 'unavailable', said: trouble.said };
    },
  };

  const states: PlatformStates = {
    takes(agent) {
      const account = partsOf(agent.connection)?.account ?? null;
      return (
        account !== null &&
        account.setState !== null &&
        (account.agentFields.length === 0 || agentSettingsOf(agent) !== null)
      );
    },
    async ask(agent, { reason, state }, withinMs) {
      const parts = partsOf(agent.connection);
      if (parts?.account.setState == null) return notSet;
      const { account, base, settings } = parts;
      const order = state === 'ready' ? ({ state, reason: null } as const) : { state, reason };
      const trouble = await parts.account.setState(
        lineOf(agent.connection, ownLogin(account, agent), withinMs),
        settings,
        { agent: agentOf(agent), ...order },
        base,
      );
      return trouble === null
        ? { kind: 'taken' }
        : { kind: trouble.kind === 'refused' ? 'refused' : 'unavailable', said: trouble.said };
    },
  };

  const lines: PlatformLines = {
    async open(connection, events) {
      const parts = partsOf(connection);
      if (parts === null) return { kind: 'failed', said: notSet.said };
      const {
        account: { listening },
        base,
        settings,
      } = parts;
      if (listening === null) return { kind: 'failed', said: 'The gateway does not listen at this platform.' };
      const at = await listening.begin(lineOf(connection, null, openWithinMs), settings, base);
      if (at.kind === 'failed') return at;
      const opened = await openAll(at.sockets, events);
      if (opened.kind === 'failed') return opened;
      const { again } = at;
      const { againMs, renewMs } = listening;
      return {
        kind: 'open',
        agents: at.agents,
        renewMs,
        again: again === null ? null : () => again(lineOf(connection, null, openWithinMs)),
        againMs,
        close: opened.close,
      };
    },
  };

  /** All of them are one line: it is over when one of them is. */
  async function openAll(
    sockets: { url: string; headers: Record<string, string> }[],
    { message, closed }: LineEvents,
  ): Promise<{ kind: 'open'; close: () => void } | { kind: 'failed'; said: string }> {
    let isOver = false;
    const open: { close: () => void }[] = [];
    const close = () => {
      isOver = true;
      for (const one of open) one.close();
    };
    const end = (said: string) => {
      if (isOver) return;
      close();
      closed(said);
    };
    for (const { url, headers } of sockets) {
      const one = await openSocket(url, headers, { message: (text) => isOver || message(text), closed: end });
      if (one.kind === 'failed') {
        close();
        return one;
      }
      open.push(one);
    }
    return { kind: 'open', close };
  }

  return { dialer, lines, states };
}
