import { signedInAgent } from '../../contract/auth.ts';
import { readMe } from '../../usecases/agents/readMe.ts';
import { anyToken } from '../accessRules.ts';
import { replyWith, route } from '../route.ts';

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
];
