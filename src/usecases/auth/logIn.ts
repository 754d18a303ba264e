import type { LoginAnswer, LoginRequest } from '../../contract/auth.ts';
import { loginLimits } from '../../domain/loginLimits.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { AgentCredentials } from '../../ports/agents.ts';
import type { Services } from '../services.ts';
import { isoTime } from '../views/agentStateView.ts';
import { signedInAgent } from '../views/agentView.ts';
import { inTurn } from '../inTurn.ts';

/** A shift. */
const tokenSeconds = 8 * 3600;

/** Accounts and addresses whose log-ins are being checked or wait; some seconds' work of the password hasher. */
const maxUnderWay = 300;

type Needs = Pick<Services, 'agents' | 'loginThrottle' | 'logInsUnderWay' | 'passwords' | 'tokens'>;

/**
 * Issues a token for a code or e-mail address with its password. Without a company the credentials must fit
 * exactly one. A wrong password, an unknown name and an inactive account answer alike, and take alike.
 * @param address where the request came from, for the throttle
 */
export async function logIn(services: Needs, login: LoginRequest, address: string): Promise<Outcome<LoginAnswer>> {
  const account = [login.company_slug ?? '', login.email?.toLowerCase() ?? '', login.agent_code ?? ''].join('|');
  const underWay = services.logInsUnderWay;
  if (underWay.size >= maxUnderWay) {
    return refuse('rate_limited', 'Too many log-ins at this moment; try again shortly.', {
      retryAfterSeconds: 5,
      limit: maxUnderWay,
    });
  }
  // Guesses that arrive together, at one account or from one address, would all pass the throttle before the first
  // is counted. Whoever works under an address waits for nobody, so no two can wait for each other.
  return inTurn(underWay, `account ${account}`, () =>
    inTurn(underWay, `address ${address}`, () => tryCredentials(services, login, account, address)),
  );
}

async function tryCredentials(
  services: Needs,
  login: LoginRequest,
  account: string,
  address: string,
): Promise<Outcome<LoginAnswer>> {
  const wait = await services.loginThrottle.blockedFor(account, address);
  if (wait !== null) {
    return refuse('rate_limited', 'Too many failed log-ins; wait before the next.', {
      retryAfterSeconds: wait,
      limit: loginLimits.perAccount,
    });
  }
  const fitting = await fittingCredentials(services, login);
  const [only] = fitting;
  if (only === undefined) {
    await services.loginThrottle.failed(account, address);
    return refuse('invalid_credentials', 'No account has this name and password.');
  }
  if (fitting.length > 1) {
    return refuse('invalid_credentials', 'These credentials fit accounts of several companies: add company_slug.');
  }
  await services.loginThrottle.succeeded(account);
  const { agent, companySlug } = only;
  const claims = { sub: agent.id, company_id: agent.companyId, role: agent.role, ver: agent.tokenVersion };
  const { token, expiresAt } = services.tokens.issue(claims, tokenSeconds);
  return ok({ token, expires_at: isoTime(expiresAt), agent: signedInAgent(agent, companySlug) });
}

async function fittingCredentials(services: Needs, login: LoginRequest): Promise<AgentCredentials[]> {
  const candidates = await services.agents.findForLogin({
    ...(login.agent_code === undefined ? {} : { agentCode: login.agent_code }),
    ...(login.email === undefined ? {} : { email: login.email.toLowerCase() }),
    ...(login.company_slug === undefined ? {} : { companySlug: login.company_slug }),
  });
  if (candidates.length === 0) {
    await services.passwords.verifyAgainstNobody(login.password);
    return [];
  }
  const fitting: AgentCredentials[] = [];
  for (const candidate of candidates) {
    if (await services.passwords.verify(candidate.passwordHash, login.password)) fitting.push(candidate);
  }
  return fitting;
}
