import type { Request } from 'express';
import { crmLoginBegun, crmLoginPath, crmLoginReturn } from '../../contract/crmLogin.ts';
import { adminToken, open } from '../../domain/access.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { beginLogin, finishLogin, loginWithinMs } from '../../usecases/crm/login/logInAtCrm.ts';
import { cookieIn, cookieToSet } from '../cookies.ts';
import { type PlatformFacts, reply, route } from '../route.ts';

/** Sent by the browser that began, when the CRM leads it back. */
const cookie = { name: 'readyline_crm_login', path: '/' };
/** The console's page for the CRM. */
const consolePage = '/admin/connect/crm';

/** Logging in at a CRM with the browser (OAuth 2 with PKCE). */
export const crmLoginRoutes = [
  route({
    method: 'get',
    path: '/api/integrations/crm/authorize/{provider}',
    id: 'beginCrmLogin',
    summary: 'Begin to log in at the CRM',
    description:
      'Open `url` in the same browser within ten minutes; the CRM sends it back to the callback. ' +
      'Before, `PUT /api/integrations/crm` with `client_id` and `client_secret` prepares it. ' +
      'In the CRM, the redirect address of the app is PUBLIC_URL with the path of the callback. ' +
      '`conflict` where that CRM has no log-in, nothing was prepared, ' +
      'or the gateway does not know its public address.',
    tag: 'Integration',
    access: adminToken,
    params: crmLoginPath,
    answers: { 200: crmLoginBegun },
    answerHeaders: { 'Set-Cookie': 'Binds the log-in to this browser' },
    refusals: ['conflict', 'not_found'],
    handler: async ({ services, platform, principal, params, request }) => {
      const origin = originOf(platform, request);
      if (origin.kind === 'refused') return origin;
      const redirectUri = `${origin.value}/api/integrations/crm/authorize/${params.provider}/callback`;
      const begun = await beginLogin(services, principal.companyId, params.provider, redirectUri);
      if (begun.kind === 'refused') return begun;
      return reply(
        200,
        { url: begun.value.url },
        { 'Set-Cookie': cookieToSet(platform, cookie, begun.value.cookie, loginWithinMs / 1_000) },
      );
    },
  }),
  route({
    method: 'get',
    path: '/api/integrations/crm/authorize/{provider}/callback',
    id: 'finishCrmLogin',
    summary: 'Come back from the CRM',
    description:
      'For browsers that the CRM sends back. ' +
      'Proves the new credentials and connects the company, then leads to the console with `?crm=connected`, ' +
      'or with `?crm=refused&reason=` and a cause code; then nothing was changed.',
    tag: 'Integration',
    access: open,
    params: crmLoginPath,
    query: crmLoginReturn,
    answers: { 302: null },
    answerHeaders: { Location: 'The console' },
    handler: async ({ services, platform, params, query, request }) => {
      const trouble = await finishLogin(services, params.provider, query, cookieIn(request, cookie));
      const page = `${platform.publicUrl ?? ''}${consolePage}`;
      const location = trouble === null ? `${page}?crm=connected` : `${page}?crm=refused&reason=${trouble}`;
      return reply(302, null, {
        Location: location,
        'Set-Cookie': cookieToSet(platform, cookie, '', 0),
        'Cache-Control': 'no-store',
      });
    },
  }),
];

/** Where browsers reach the gateway: never a Host header, but on a machine that answers to local names alone. */
function originOf({ publicUrl, isLocal }: PlatformFacts, { headers }: Request): Outcome<string> {
  if (publicUrl !== null) return ok(publicUrl);
  if (isLocal) return ok(`http://${headers.host ?? 'localhost'}`);
  return refuse('conflict', 'Logging in needs the gateway’s public address: the operator sets PUBLIC_URL.', {
    cause: { code: 'no_public_url' },
  });
}
