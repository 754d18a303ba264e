import ipaddr from 'ipaddr.js';
import { changePasswordRequest, loginAnswer, loginRequest, signedInAgent } from '../../contract/auth.ts';
import { anyToken, open } from '../../domain/access.ts';
import { readMe } from '../../usecases/agents/manageAgents.ts';
import { changeOwnPassword } from '../../usecases/auth/changeOwnPassword.ts';
import { logIn } from '../../usecases/auth/logIn.ts';
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

/** Prefix that a network assigns to one customer, who may choose any address within it. */
const prefixV6 = 64;

/**
 * The key for limits per caller: an IPv4 address as it is, also when mapped into IPv6; an IPv6 address as its /64
 * network.
 */
export function rateLimitKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown address';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed.toString())}/${String(prefixV6)}`).toString()}/${String(prefixV6)}`;
}

/** A link-local address may name the interface it was seen on: `fe80::1%eth0`. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
