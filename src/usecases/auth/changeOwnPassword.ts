import type { ChangePasswordRequest, LoginAnswer } from '../../contract/auth.ts';
import type { Principal } from '../../domain/access.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import { findAgent } from '../agents/findAgent.ts';
import type { Services } from '../services.ts';
import type { LoginCaller } from './loginQueue.ts';
import { accountKey, signIn, tooManyFailed, tooManyLogins } from './logIn.ts';

type Needs = Pick<
  Services,
  'agents' | 'forget' | 'loginQueue' | 'loginThrottle' | 'passwords' | 'companyOf' | 'tokens'
>;

/**
 * Changes the password of whoever holds the token, who has to give the current one: wrong ones count like failed
 * log-ins. Every token of that agent ends; the answer brings a fresh one. Connections end with their tokens, at most
 * half a minute later, unless they are given the fresh one.
 * @param address where the request came from, for the throttle
 */
export async function changeOwnPassword(
  services: Needs,
  principal: Principal,
  body: ChangePasswordRequest,
  address: string,
): Promise<Outcome<LoginAnswer>> {
  if (principal.kind !== 'agent') return refuse('unauthenticated', 'This needs the token of an agent.');
  const caller = { way: 'anybody', who: address } as const;
  const answer = await services.loginQueue.enter(caller, () => change(services, principal, body, caller));
  return answer ?? tooManyLogins(caller.way);
}

async function change(
  services: Needs,
  { companyId, agentId }: Extract<Principal, { kind: 'agent' }>,
  body: ChangePasswordRequest,
  caller: LoginCaller,
): Promise<Outcome<LoginAnswer>> {
  const { agents, loginQueue, loginThrottle, passwords } = services;
  const account = accountKey(agentId);
  const attempt = { accounts: [account], name: account, address: caller.who, device: null };
  const leave = await loginThrottle.ask(attempt);
  if (leave.allowed.size === 0) return tooManyFailed(leave);
  return loginQueue.oneByOne(caller, async () => {
    const begun = await loginThrottle.begin(attempt);
    if (begun.allowed.size === 0) return tooManyFailed(begun);
    const found = await findAgent(services, companyId, agentId);
    if (found.kind === 'refused') return found;
    const company = await services.companyOf(companyId);
    const candidates = await agents.findForLogin({ agentCode: found.value.agentCode, companySlug: company.slug });
    const stored = candidates.find(({ agent }) => agent.id === agentId);
    if (stored === undefined || !(await passwords.verify(stored.passwordHash, body.current_password))) {
      return refuse('invalid_credentials', 'The current password is wrong.', {
        errors: [{ path: 'current_password', message: 'is wrong', code: 'wrong_password' }],
      });
    }
    await loginThrottle.succeeded(attempt, account);
    const passwordHash = await passwords.hash(body.new_password);
    const changed = await agents.replacePassword(companyId, agentId, stored.agent.tokenVersion, passwordHash);
    // An admin has changed the account meanwhile; that change must stand.
    if (changed === null) return refuse('invalid_token', 'The token has been revoked; log in again.');
    services.forget(companyId);
    return ok(signIn(services, changed, company));
  });
}
