import { changePasswordRequest, loginAnswer, loginRequest, signedInAgent } from '../../contract/auth.ts';
import { anyToken, open } from '../../domain/access.ts';
import { readMe } from '../../usecases/agents/manageAgents.ts';
import { changeOwnPassword } from '../../usecases/auth/changeOwnPassword.ts';
import { doorOf, openDevice } from '../../usecases/auth/knownDevice.ts';
import { logIn } from '../../usecases/auth/logIn.ts';
import { loginLimits } from '../../usecases/auth/loginThrottle.ts';
import { cookieIn, cookieToSet } from '../cookies.ts';
import { rateLimitKey } from '../rateLimitKey.ts';
import { reply, replyWith, route } from '../route.ts';

/** Tells, at the next log-in, who has logged in with this browser. */
const device = { name: 'readyline_device', path: '/api/auth/login' };

export const authRoutes = [
  route({
    method: 'post',
    path: '/api/auth/login',
    id: 'logIn',
    summary: 'Log in and get a token',
    description:
      'Takes `agent_code` or `email`. `company_slug` decides between companies; ' +
      'without it the credentials must fit exactly one. ' +
      'Tries that fail are slowed down per account and address, per account and per address; ' +
      'an address or browser from which the account logged in lately is not locked out by what others try. ' +
      'Browsers are told by a cookie that no script reads; callers without one are told by their address.',
    tag: 'Log-in',
    access: open,
    body: loginRequest,
    answers: { 200: loginAnswer },
    answerHeaders: { 'Set-Cookie': 'By which the browser is known at its next log-in' },
    refusals: ['invalid_credentials', 'rate_limited'],
    countsFor: (services, request) => doorOf(openDevice(services, cookieIn(request, device))),
    handler: async ({ services, platform, body, request }) => {
      const from = { address: rateLimitKey(request.ip), cookie: cookieIn(request, device) };
      const loggedIn = await logIn(services, body, from);
      if (loggedIn.kind === 'refused') return loggedIn;
      const { answer, cookie } = loggedIn.value;
      return reply(200, answer, {
        'Set-Cookie': cookieToSet(platform, device, cookie, loginLimits.knownForSeconds, true),
      });
    },
  }),
];

export const meRoutes = [
  route({
    method: 'get',
    path: '/api/me',
    id: 'readMe',
    summary: 'Who the token belongs to',
    tag: 'Log-in',
    access: anyToken,
    answers: { 200: signedInAgent },
    handler: async ({ services, principal }) => replyWith(200, await readMe(services, principal)),
  }),
  route({
    method: 'put',
    path: '/api/me/password',
    id: 'changeOwnPassword',
    summary: 'Change your own password',
    description:
      'Ends every token of the agent, also the one that asks, and answers with a fresh one as log-in does. ' +
      'Connections of the softphone end within 30 s unless they are given it (`renew_token`). ' +
      'Wrong current passwords are slowed down like failed log-ins.',
    tag: 'Log-in',
    access: anyToken,
    body: changePasswordRequest,
    answers: { 200: loginAnswer },
    refusals: ['invalid_credentials', 'rate_limited'],
    handler: async ({ services, principal, body, request }) =>
      replyWith(200, await changeOwnPassword(services, principal, body, rateLimitKey(request.ip))),
  }),
];
