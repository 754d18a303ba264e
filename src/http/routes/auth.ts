import { loginAnswer, loginRequest } from '../../contract/auth.ts';
import { logIn } from '../../usecases/auth/logIn.ts';
import { open } from '../accessRules.ts';
import { rateLimitKey } from '../rateLimitKey.ts';
import { replyWith, route } from '../route.ts';

export const authRoutes = [
  route({
    method: 'post',
    path: '/api/auth/login',
    id: 'logIn',
    summary: 'Log in and get a token',
    description:
      'Takes `agent_code` or `email`. `company_slug` decides between companies; without it the credentials must validate exactly one. Tries that fail are slowed down per account and address, per account and per address; an address from which the account logged in lately is not locked out by what others try.',
    tag: 'Log-in',
    access: open,
    body: loginRequest,
    answers: { 200: loginAnswer },
    refusals: ['invalid_credentials', 'rate_limited'],
    handler: async ({ services, body, request }) =>
      replyWith(200, await logIn(services, body, rateLimitKey(request.ip))),
  }),
];
