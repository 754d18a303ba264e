import type { CrmRequest, TokenGrant } from '../../providers/provider.ts';

/** A request to a platform, as plain data. */
export type AccountRequest = CrmRequest;

/** `failed`: no whole answer came; `isUnknown`: the request may have arrived, and been done. */
export type AccountResponse =
  { kind: 'answer'; status: number; body: string } | { kind: 'failed'; isUnknown: boolean; message: string };

/** How a platform gives the token by which it is asked. */
export type PlatformGrant = TokenGrant & {
  /**
   * Whether it is by a refresh token, which the platform may replace at every use: all gateways use one token of the
   * agent, and one of them at a time asks for the next. Elsewhere each gateway asks for itself, which spends nothing.
   */
  isShared: boolean;
  /** What an answer without success means. Nothing is dialed by asking for a token, whatever became of it. */
  refused: (answer: { status: number; body: string }) => Trouble;
};

/** What requests go through. */
export type AccountLine = {
  send(request: AccountRequest): Promise<AccountResponse>;
  /**
   * A token that is good, or may be; it is kept for this account of the company.
   * @param refused the version of one that was refused; `everyToken`: only a new one will do
   */
  token(grant: PlatformGrant, refused?: number | null): Promise<PlatformToken>;
};

/** To see whether the platform still gives one. */
export const everyToken = Number.POSITIVE_INFINITY;

export type PlatformToken = { kind: 'token'; token: string; version: number } | Trouble;

/**
 * What became of a dial. `refused`: not for this agent now, and nothing was dialed; `unavailable`: not at all
 * at the moment, and nothing was dialed; `unknown`: the platform may be calling. `said`: why, in English,
 * without anything secret.
 */
export type DialVerdict =
  | { kind: 'accepted'; /** What the platform calls the call; null: its answer does not say. */ callId: string | null }
  | { kind: 'refused' | 'unavailable' | 'unknown'; said: string };

/** A setting that an account takes. */
export type AccountField = {
  name: string;
  isSecret: boolean;
  isOptional: boolean;
  /** Null: any text. */
  choices: readonly string[] | null;
  /** Whether it is the address of the company's own server. */
  isUrl: boolean;
  example: string;
};

export type AccountSettings = Readonly<Record<string, string>>;

/** An agent as the platform names it. `settings`: what it logs in with there; null: nothing is set. */
export type AccountAgent = { id: string; settings: AccountSettings | null };

/** What is to be dialed: for whom, and the number in E.164. */
export type DialOrder = { agent: AccountAgent; phone: string; /** Ours, a UUID. */ callId: string };

/** Which state an agent is to have there. `reason`: why not Ready, by our code; null: none was chosen. */
export type StateOrder = { agent: AccountAgent } & (
  { state: 'ready'; reason: null } | { state: 'not_ready'; reason: string | null }
);

/** Why something does not work; nothing was dialed. */
export type Trouble = Extract<DialVerdict, { said: string }>;

/** An agent as the platform lists it. */
export type ListedAgent = { id: string; email: string | null; name: string | null };

/**
 * Whether those are heard who have come since: they are now; or another line takes their place (`renew`),
 * since these WebSockets cannot hear them; or the platform did not say who there is.
 */
export type HeardAgain =
  { kind: 'agents'; agents: ListedAgent[] } | { kind: 'renew' } | { kind: 'failed'; said: string };

/** What it takes to listen: the WebSockets at which the platform tells, and of whom, as far as it says so. */
export type ListeningAt =
  | {
      kind: 'sockets';
      sockets: { url: string; headers: Record<string, string> }[];
      agents: ListedAgent[];
      /** Has those heard who have come since. Null: everybody is. */
      again: ((line: AccountLine) => Promise<HeardAgain>) | null;
    }
  | { kind: 'failed'; said: string };

/**
 * What the gateway asks of a platform by the company's account: data,
 * and functions that send through what they are given.
 */
export type PlatformAccount = {
  fields: readonly AccountField[];
  /**
   * What each agent logs in with, where the platform dials for nobody else; none: the company's account serves for all.
   */
  agentFields: readonly AccountField[];
  /** @param base where the platform's cloud is in place of its own address; null: there */
  dial(line: AccountLine, settings: AccountSettings, order: DialOrder, base: string | null): Promise<DialVerdict>;
  /**
   * Whether the platform takes the account, of that agent where each has its own; changes nothing there. Null: it does.
   */
  check(
    line: AccountLine,
    settings: AccountSettings,
    base: string | null,
    agent: AccountAgent | null,
  ): Promise<Trouble | null>;
  /**
   * Has the platform set an agent's state. Null: it took that; whether the state changed, its events tell.
   * Asked twice, it is no harm. Null in place of the function: its interface does not take states.
   */
  setState:
    | ((
        line: AccountLine,
        settings: AccountSettings,
        order: StateOrder,
        base: string | null,
      ) => Promise<Trouble | null>)
    | null;
  /** Null: the gateway does not listen there. */
  listening: Listening | null;
};

export type Listening = {
  begin(line: AccountLine, settings: AccountSettings, base: string | null): Promise<ListeningAt>;
  /** After this long another line must take the place of the one that is open. Milliseconds. */
  renewMs: number;
  /** How often to ask who has come. Milliseconds. */
  againMs: number;
};

/** Of a platform that dials only for who is logged in there. */
export const agentNotSet = { kind: 'refused', said: 'No log-in of this agent is set.' } as const;

/** A number as a dialplan takes it. @param prefix what stands before the digits, in place of the plus */
export function digitsOf(phone: string, prefix: string | undefined): string {
  return phone.replace('+', prefix ?? '');
}

/**
 * What became of a state that was asked for; null: it was taken.
 * @param names where the platform says what went wrong
 */
export function readTaken(answer: AccountResponse, names: readonly string[]): Trouble | null {
  const read = readAccepted(answer, names);
  return read.kind === 'accepted' ? null : read;
}

/** What an answer without a word of the call's id means. @param names where the platform says what went wrong */
export function readAccepted(answer: AccountResponse, names: readonly string[]): DialVerdict {
  if (answer.kind === 'failed') return verdictOfSilence(answer);
  return answer.status >= 200 && answer.status < 300 ? { kind: 'accepted', callId: null } : verdictOf(answer, names);
}

/**
 * Sends a request by a token. A token that was refused has done nothing: once more, by another.
 * @param isRefused whether that status says that the token was
 */
export async function sendByToken(
  line: AccountLine,
  grant: PlatformGrant,
  request: (token: string) => AccountRequest,
  isRefused: (status: number) => boolean = (status) => status === 401,
): Promise<{ kind: 'sent'; answer: AccountResponse; token: string } | Trouble> {
  const sendBy = async (refused: number | null) => {
    const got = await line.token(grant, refused);
    return got.kind === 'token' ? { ...got, kind: 'sent' as const, answer: await line.send(request(got.token)) } : got;
  };
  const first = await sendBy(null);
  return first.kind === 'sent' && first.answer.kind === 'answer' && isRefused(first.answer.status)
    ? sendBy(first.version)
    : first;
}

/** Whether the platform gives a token; null: it does. */
export async function checkToken(line: AccountLine, grant: PlatformGrant): Promise<Trouble | null> {
  const got = await line.token(grant, everyToken);
  return got.kind === 'token' ? null : got;
}

/** What most fields are. */
export const anyText = { isSecret: false, isOptional: false, choices: null, isUrl: false } as const;

/** Of what the platform says of itself, so much is passed on. Characters. */
const longestSaid = 200;

/** What an answer says went wrong: the status, and the platform's own word where its body has one of these fields. */
export function saidIn({ status, body }: { status: number; body: string }, ...names: string[]): string {
  const fields = jsonIn(body);
  const word = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof word === 'string'
    ? `${status} ${word.replaceAll(/\s+/g, ' ').slice(0, longestSaid)}`
    : `status ${status}`;
}

/** The fields of a JSON object; none where it is no such thing. */
export function jsonIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * What an answer without success means for a dial that was asked for once. What a server says of its own failure may
 * have been said after the call was begun; that it takes nothing now (429, 503), or not from us, is said before.
 */
export function verdictOf(answer: { status: number; body: string }, names: readonly string[]): Trouble {
  return verdictOfStatus(answer.status, saidIn(answer, ...names));
}

/** The same, of an answer whose words were read already. */
export function verdictOfStatus(status: number, said: string): Trouble {
  if (status === 401 || status === 403 || status === 429 || status === 503) return { kind: 'unavailable', said };
  // A redirect is not followed, and no success that we know.
  if (status < 400 || status >= 500) return { kind: status < 300 || status >= 500 ? 'unknown' : 'unavailable', said };
  return { kind: 'refused', said };
}

/** What no answer means for a dial that was asked for once. */
export function verdictOfSilence({ isUnknown, message }: { isUnknown: boolean; message: string }): Trouble {
  return { kind: isUnknown ? 'unknown' : 'unavailable', said: message };
}
