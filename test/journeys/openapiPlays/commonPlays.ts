import type { ErrorCode } from '../../../src/contract/errors.ts';
import { refuse } from '../../../src/domain/outcome.ts';
import { bearer, keyed } from '../../support/gateway/populatedGateway.ts';
import { fittingCredentials, type RouteName } from '../../support/http/routeRequests.ts';
import { type Play, type World, nobodys, ask, pathOf } from './play.ts';

const asAdminWith = (more: (world: World) => Record<string, string>) => (world: World) => ({
  ...bearer(world.ours.adminToken),
  ...more(world),
});

const isBulk = (name: RouteName) => name.endsWith('/bulk');

/** How to get a refusal that many routes have in common. */
export const commonPlays: Partial<Record<ErrorCode, (name: RouteName) => Play>> = {
  unauthenticated: (name) => ask(name, {}, () => ({})),
  invalid_token: (name) => ask(name, {}, () => bearer('nonsense')),
  token_expired: (name) => ask(name, {}, ({ expiredToken }) => bearer(expiredToken)),
  invalid_api_key: (name) =>
    ask(
      name,
      {},
      asAdminWith(() => keyed('nonsense')),
    ),
  wrong_company: (name) =>
    ask(
      name,
      {},
      asAdminWith(({ strangers }) => keyed(strangers.key)),
    ),
  role_required: (name) => ask(name, {}, ({ dialer }) => bearer(dialer.token)),
  malformed_json: (name) => ask(name, { raw: isBulk(name) ? '{"a":\n' : '{' }),
  payload_too_large: (name) => ask(name, { raw: ' '.repeat(1024 * 1024 + 1) }),
  unsupported_media_type: (name) =>
    ask(name, { raw: '{}' }, (world) => ({ ...fittingCredentials(name, world), 'content-type': 'text/plain' })),
  not_found: (name) => ask(name, { path: pathOf(name).replace('{id}', nobodys) }),
  unknown_agent: (name) => ask(name, { path: pathOf(name).replace('{id}', nobodys) }),
  invalid_request(name) {
    if (name.includes('{id}')) return ask(name, { path: pathOf(name).replace('{id}', '17') });
    if (/^(GET|DELETE)/.test(name)) return ask(name, { path: `${pathOf(name)}?colour=red` });
    return ask(name, { raw: isBulk(name) ? '' : '[]' });
  },
  invalid_phone(name) {
    if (/^(GET|DELETE)/.test(name)) return ask(name, { path: `${pathOf(name)}?phone=anonymous` });
    return ask(name, { body: { phone_number: 'anonymous', data: {} } });
  },
  unknown_phone: (name) => ask(name, { path: `${pathOf(name)}?phone=%2B15559999999` }),
  rate_limited: (name) =>
    ask(name, {}, (world) => {
      overloadOnce(world);
      return fittingCredentials(name, world);
    }),
};

/** The next request meets a gateway that has more to do for its company than it can. */
function overloadOnce({ services: { door } }: World): void {
  const { enter } = door;
  door.enter = () => {
    door.enter = enter;
    return Promise.resolve(refuse('rate_limited', 'Too much at once.', { retryAfterSeconds: 1, limit: 1 }));
  };
}
