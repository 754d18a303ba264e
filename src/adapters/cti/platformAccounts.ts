import { readToken } from '../../providers/oauth.ts';
import type { CrmRequest } from '../../providers/provider.ts';
import { connectors } from '../../connectors/registry.ts';
import type {
  AccountAgent,
  AccountLine,
  AccountRequest,
  AccountResponse,
  AccountSettings,
  PlatformGrant,
  Trouble,
} from '../../connectors/accounts/platformAccount.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  AgentLogin,
  CtiConnection,
  DialedFor,
  LineEvents,
  PlatformDialer,
  PlatformLines,
  PlatformStates,
} from '../../ports/cti.ts';
import type { CrmAnswer } from '../../ports/crm.ts';
import type { TokenKeeper } from '../../ports/tokens.ts';
import type { OpenSocket } from './webSocket.ts';

type Needs = {
  /** Sends one request, to nothing but what the network policy allows, and reads the whole answer within that time. */
  exchange: (request: CrmRequest, withinMs: number) => Promise<CrmAnswer>;
  clock: Clock;
  /** What was sealed of a connection; null: nothing is set. */
  settingsOf: (connection: CtiConnection) => AccountSettings | null;
  /** What was sealed of an agent's own log-in there; null: nothing is set. */
  agentSettingsOf: (agent: DialedFor) => AccountSettings | null;
  /** By the ids of connectors: where their clouds are in place of their own addresses. */
  baseUrls: ReadonlyMap<string, string>;
  /** Opens a WebSocket, and resolves when it is open. */
  openSocket: OpenSocket;
  /** Of this gateway for itself, named by what they were got with. */
  ownTokens: TokenKeeper<string, NoToken>;
  /** Of agents, which all gateways share. */
  agentTokens: TokenKeeper<AgentLogin, NoToken>;
};

type NoToken = { kind: 'failed'; trouble: Trouble };

/** For a check: an admin waits for it. Milliseconds. */
const checkWithinMs = 8_000;
/** For all that it takes to open a line. Milliseconds. */
const openWithinMs = 30_000;
/** Nothing is dialed without a token. */
const unreadable = { kind: 'none', message: 'The token could not be read from the database.' } as const;
const notSet = { kind: 'unavailable', said: 'The account is not set.' } as const;

/**
 * Dials and sets states through the interfaces of telephony platforms, and listens to them,
 * by the accounts of companies.
 */
export function createPlatformAccounts({
  exchange,
  clock,
  settingsOf,
  agentSettingsOf,
  baseUrls,
  openSocket,
  ownTokens,
  agentTokens,
}: Needs): {
  dialer: PlatformDialer;
  lines: PlatformLines;
  states: PlatformStates;
} {
  function lineOf(
    { companyId, connector, accountEncrypted }: CtiConnection,
    agent: DialedFor | null,
    withinMs: number,
  ): AccountLine {
    const until = clock.now() + withinMs;
    const name = [companyId, connector, accountEncrypted, agent?.platformId, agent?.accountEncrypted]
      .map((part) => part ?? '')
      .join(' ');
    return {
      send: (request) => send(request, until - clock.now()),
      async token(grant, refused = null) {
        const wish = { refused, until, ask: askFor(grant) };
        const got = await (grant.isShared && agent !== null
          ? agentTokens.get({ ...agent, companyId, connector }, wish).catch(() => unreadable)
          : ownTokens.get(name, wish));
        if (got.kind === 'none') return { kind: 'unavailable', said: got.message };
        return got.kind === 'failed'
          ? got.trouble
          : { kind: 'token', token: got.token.accessToken, version: got.version };
      },
    };
  }

  function askFor(grant: PlatformGrant) {
    const no = (trouble: Trouble): NoToken => ({ kind: 'failed', trouble });
    return async (refreshToken: string | null, withinMs: number) => {
      const answer = await exchange(grant.tokenRequest(refreshToken), withinMs);
      if (answer.kind === 'failed') return no({ kind: 'unavailable', said: answer.trouble.message });
      const { status } = answer.response;
      if (status < 200 || status >= 300) return no(grant.refused(answer.response));
      const read = readToken(answer.response, grant);
      return read.kind === 'token' ? read : no({ kind: 'unavailable', said: read.message });
    };
  }

  async function send(request: AccountRequest, withinMs: number): Promise<AccountResponse> {
    const answer = await exchange(request, withinMs);
    if (answer.kind === 'answer') return { kind: 'answer', status: answer.response.status, body: answer.response.body };
    const { trouble } = answer;
    return { kind: 'failed', isUnknown: trouble.kind === 'no_answer' && trouble.isUnknown, message: trouble.message };
  }

  /**
   * What it takes to ask a platform. Null: the gateway asks nothing there, or no account is set.
   * @param agent whose own log-in it is where each has one; null: nobody's
   */
  function partsOf(connection: CtiConnection, agent: DialedFor | null, withinMs: number) {
    const account = connectors.get(connection.connector)?.account ?? null;
    const settings = settingsOf(connection);
    if (account === null || settings === null) return null;
    const line = lineOf(connection, account.agentFields.length > 0 ? agent : null, withinMs);
    return { account, settings, base: baseUrls.get(connection.connector) ?? null, line };
  }

  function agentOf(through: DialedFor): AccountAgent {
    return { id: through.platformId, settings: agentSettingsOf(through) };
  }

  const dialer: PlatformDialer = {
    async dial({ through, phone, callId }, withinMs) {
      const parts = partsOf(through.connection, through, withinMs);
      if (parts === null) return notSet;
      const { account, base, line, settings } = parts;
      return account.dial(line, settings, { agent: agentOf(through), phone, callId }, base);
    },
    async check(connection, through) {
      const parts = partsOf(connection, through, checkWithinMs);
      if (parts === null) return notSet;
      const { account, base, line, settings } = parts;
      const trouble = await account.check(line, settings, base, through === null ? null : agentOf(through));
      return trouble === null ? { kind: 'ok' } : notDone(trouble);
    },
  };

  const states: PlatformStates = {
    takes(agent) {
      const account = connectors.get(agent.connection.connector)?.account ?? null;
      return (
        account !== null &&
        account.setState !== null &&
        settingsOf(agent.connection) !== null &&
        (account.agentFields.length === 0 || agentSettingsOf(agent) !== null)
      );
    },
    async ask(agent, { reason, state }, withinMs) {
      const parts = partsOf(agent.connection, agent, withinMs);
      if (parts?.account.setState == null) return notSet;
      const { base, line, settings } = parts;
      const order = state === 'ready' ? ({ state, reason: null } as const) : { state, reason };
      const trouble = await parts.account.setState(line, settings, { agent: agentOf(agent), ...order }, base);
      return trouble === null ? { kind: 'taken' } : notDone(trouble);
    },
  };

  const lines: PlatformLines = {
    async open(connection, events) {
      const parts = partsOf(connection, null, openWithinMs);
      if (parts === null) return { kind: 'failed', said: notSet.said };
      const { base, line, settings } = parts;
      const { listening } = parts.account;
      if (listening === null) return { kind: 'failed', said: 'The gateway does not listen at this platform.' };
      const at = await listening.begin(line, settings, base);
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

/** What is not known to be refused is not to be had at the moment. */
function notDone({ kind, said }: Trouble): { kind: 'refused' | 'unavailable'; said: string } {
  return { kind: kind === 'refused' ? 'refused' : 'unavailable', said };
}
