import { changePasswordRequest, loginAnswer, loginRequest, signedInAgent } from '../../contract/auth.ts';
import { anyToken, open } from '../../domain/access.ts';
import { readMe } from '../../usecases/agents/manageAgents.ts';
import { changeOwnPassword } from '../../usecases/auth/changeOwnPassword.ts';
import { logIn } from '../../usecases/auth/logIn.ts';
import { rateLimitKey } from '../rateLimitKey.ts';
import { replyWith, route } from '../route.ts';

export const authRoutes = [
  route({
    method: 'post',
    path: '/api/auth/login',
    id: 'logIn',
    summary: 'Log in and get a token',
    description:
      'Takes `agent_code` or `email`. `company_slug` decides between companies; without it the credentials must fit exactly one. Tries that fail are slowed down per account and address, per account and per address; an address from which the account logged in lately is not locked out by what others try.',
    tag: 'Log-in',
    access: open,
    body: loginRequest,
    answers: { 200: loginAnswer },
    refusals: ['invalid_credentials', 'rate_limited'],
    handler: async ({ services, body, request }) =>
      replyWith(200, await logIn(services, body, rateLimitKey(request.ip))),
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
      'Ends every token of the agent, also the one that asks, and answers with a fresh one as log-in does. Connections of the softphone end within 30 s unless they are given it (`renew_token`). Wrong current passwords are slowed down like failed log-ins.',
    tag: 'Log-in',
    access: anyToken,
    body: changePasswordRequest,
    answers: { 200: loginAnswer },
    refusals: ['invalid_credentials', 'rate_limited'],
    handler: async ({ services, principal, body, request }) =>
      replyWith(200, await changeOwnPassword(services, principal, body, rateLimitKey(request.ip))),
  }),
];
