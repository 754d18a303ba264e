import type { LoginAnswer, LoginRequest } from '../../contract/auth.ts';
import { type Company, foldName } from '../../domain/company.ts';
import type { AgentId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { Agent, AgentCredentials } from '../../ports/agents.ts';
import type { Services } from '../services.ts';
import { isoTime, signedInAgent } from '../views/agentViews.ts';
import { companyKnownTo, type KnownDevice, openDevice, sealDevice } from './knownDevice.ts';
import { type LoginCaller, loginPlaces, type LoginWay } from './loginQueue.ts';
import { type LoginLeave, loginLimits } from './loginThrottle.ts';

/** A shift. */
const tokenSeconds = 8 * 3600;

type Needs = Pick<
  Services,
  'agents' | 'cipher' | 'clock' | 'loginQueue' | 'loginThrottle' | 'newId' | 'passwords' | 'companyOf' | 'tokens'
>;

/** Where a log-in comes from. `cookie`: what the browser brought; null: nothing. */
export type LoginFrom = { address: string; cookie: string | null };

/** `cookie`: what the browser is to bring with its next log-in. */
export type LoggedIn = { answer: LoginAnswer; cookie: string };

/**
 * Issues a token for a code or e-mail address with its password. Without a company the credentials must fit exactly
 * one. A wrong password, an unknown name and an inactive account get the same answer after the same time.
 */
export async function logIn(
  services: Needs,
  login: LoginRequest,
  { address, cookie }: LoginFrom,
): Promise<Outcome<LoggedIn>> {
  const device = openDevice(services, cookie);
  const company = companyKnownTo(device, login);
  const anybody: LoginCaller = { way: 'anybody', who: address };
  // Where the way of known devices is full, as when a shift begins, they stand in line with everybody.
  const callers: LoginCaller[] = company === null ? [anybody] : [{ way: 'known', who: company }, anybody];
  for (const caller of callers) {
    const answer = await services.loginQueue.enter(caller, () =>
      tryCredentials(services, login, { address, device, caller }),
    );
    if (answer !== null) return answer;
  }
  return tooManyLogins(anybody.way);
}

/** The refusal when the log-in queue is full. */
export function tooManyLogins(way: LoginWay): Refused {
  return refuse('rate_limited', 'Too many log-ins at this moment; try again shortly.', {
    retryAfterSeconds: 5,
    limit: loginPlaces[way],
  });
}

/** A fresh token, with the agent it belongs to. */
export function signIn(
  { tokens }: Pick<Services, 'tokens'>,
  agent: Agent,
  company: Pick<Company, 'slug' | 'settings'>,
): LoginAnswer {
  const claims = { sub: agent.id, company_id: agent.companyId, role: agent.role, ver: agent.tokenVersion };
  const { token, expiresAt } = tokens.issue(claims, tokenSeconds);
  return { token, expires_at: isoTime(expiresAt), agent: signedInAgent(agent, company) };
}

async function tryCredentials(
  services: Needs,
  login: LoginRequest,
  { address, device, caller }: { address: string; device: KnownDevice | null; caller: LoginCaller },
): Promise<Outcome<LoggedIn>> {
  const { loginQueue, loginThrottle, passwords } = services;
  const candidates = await findCandidates(services, login);
  const name = nameOf(login);
  const accounts = candidates.size === 0 ? [`nobody ${name}`] : [...candidates.keys()];
  const attempt = { accounts, name, address, device: device?.id ?? null };
  // A throttled caller is refused at once, without a place in the queue.
  const leave = await loginThrottle.ask(attempt);
  if (leave.allowed.size === 0) return tooManyFailed(leave);
  return loginQueue.oneByOne(caller, async () => {
    const { allowed, waitSeconds } = await loginThrottle.begin(attempt);
    if (allowed.size === 0) return tooManyFailed({ waitSeconds });
    if (candidates.size === 0) await passwords.verifyAgainstNobody(login.password, caller.way);
    const fitting: [string, AgentCredentials][] = [];
    for (const [account, candidate] of candidates) {
      if (!allowed.has(account)) continue;
      if (await passwords.verify(candidate.passwordHash, login.password, caller.way))
        fitting.push([account, candidate]);
    }
    const [only] = fitting;
    if (only === undefined) return refuse('invalid_credentials', 'No account has this name and password.');
    if (fitting.length > 1) {
      return refuse('invalid_credentials', 'These credentials fit accounts of several companies: add company_slug.', {
        errors: [{ path: 'company_slug', message: 'is needed', code: 'required' }],
      });
    }
    const [account, { agent }] = only;
    const known = device ?? { id: services.newId(), logins: [] };
    await loginThrottle.succeeded({ ...attempt, device: known.id }, account);
    const signedIn = signIn(services, agent, await services.companyOf(agent.companyId));
    return ok({ answer: signedIn, cookie: sealDevice(services, known, login, agent.companyId) });
  });
}

/** The refusal after too many failed log-ins. */
export function tooManyFailed({ waitSeconds }: Pick<LoginLeave, 'waitSeconds'>): Refused {
  return refuse('rate_limited', 'Too many failed log-ins; wait before the next.', {
    retryAfterSeconds: waitSeconds,
    limit: loginLimits.perAccountAndAddress,
  });
}

/** The agents that the log-in may mean, each with the account that failures are counted for. */
async function findCandidates({ agents }: Needs, login: LoginRequest): Promise<Map<string, AgentCredentials>> {
  const found = await agents.findForLogin({
    ...(login.agent_code === undefined ? {} : { agentCode: login.agent_code }),
    ...(login.email === undefined ? {} : { email: login.email }),
    ...(login.company_slug === undefined ? {} : { companySlug: login.company_slug }),
  });
  return new Map(found.map((candidate) => [accountKey(candidate.agent.id), candidate]));
}

/** The key under which failures at an agent's account are counted, however the agent was named. */
export function accountKey(agentId: AgentId): string {
  return `agent ${agentId}`;
}

/** The name given, without the company: leaving the company out must not double the guesses. */
function nameOf({ agent_code: code = '', email = '' }: LoginRequest): string {
  return `${foldName(email)}|${foldName(code)}`;
}
