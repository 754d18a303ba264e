import { Agent, fetch as fetchFrom } from 'undici';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import type { Services } from '../../../src/usecases/services.ts';
import { gate } from '../../support/time/gate.ts';
import { startGateway } from '../../support/gateway/gateway.ts';
import { bearer, type PopulatedGateway } from '../../support/gateway/populatedGateway.ts';
import {
  fittingCredentials,
  routeRequests,
  send,
  type RouteAnswer,
  type RouteName,
} from '../../support/http/routeRequests.ts';

/** A way to get a certain answer. */
export type Play = (world: World) => Promise<RouteAnswer>;

/** The ways to get what only one route has, by route and code; numbers are successes. */
export type OwnPlays = Partial<Record<RouteName, Record<string, Play>>>;
export type World = PopulatedGateway & { expiredToken: string };

export const nobodys = '00000000-0000-4000-8000-000000000000';

/** The usual request of a route, changed. */
export const ask =
  (
    name: RouteName,
    change: { path?: string; body?: Record<string, unknown>; raw?: string } = {},
    headers?: (world: World) => Record<string, string>,
  ): Play =>
  async (world) => {
    const request = await routeRequests[name]?.(world);
    if (request === undefined) throw new Error(`${name} has no request`);
    const sent = headers === undefined ? fittingCredentials(name, world) : headers(world);
    return send(world.gateway.url, name, { ...request, ...change }, sent);
  };

export const pathOf = (name: RouteName) => name.slice(name.indexOf('/'));

/** All at once, of which one is refused: so many a minute are none on a slow machine, one after the other. */
export async function tooMany(times: number, play: (index: number) => Promise<RouteAnswer>): Promise<RouteAnswer> {
  const answers = await Promise.all(Array.from({ length: times }, (_none, index) => play(index)));
  const refused = answers.find(({ status }) => status === 429);
  if (refused === undefined) throw new Error(`${times} at once were not too many`);
  return refused;
}

/** Somebody on another machine tries addresses that nobody has until that is too often. */
export function guessing(name: RouteName): Play {
  return async ({ gateway }) => {
    const elsewhere = new Agent({ localAddress: '127.0.0.9' });
    try {
      for (let index = 0; index < 200; index++) {
        const method = name.slice(0, name.indexOf(' '));
        const answer = await fetchFrom(`${gateway.url}/api/integrations/inbound/freshdesk/guess-${index}`, {
          method,
          dispatcher: elsewhere,
        });
        const text = await answer.text();
        if (answer.status !== 429) continue;
        const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
        return {
          status: answer.status,
          type,
          headers: answer.headers,
          text,
          body: JSON.parse(text),
        };
      }
      throw new Error('addresses may be guessed as often as one likes');
    } finally {
      await elsewhere.close();
    }
  };
}

/** A body of bytes is never too long by its JSON. */
export const noCsv = (name: RouteName, maxMiB: number): Partial<Record<ErrorCode, Play>> => {
  const headers = (world: World) => ({ ...fittingCredentials(name, world), 'content-type': 'text/csv' });
  return {
    payload_too_large: ask(name, { raw: `name\n${'x'.repeat(maxMiB * 1024 * 1024)}` }, headers),
    invalid_request: ask(name, { raw: '"' }, headers),
  };
};

export const newContact: RouteName = 'POST /api/crm/contacts';
export const newPipeline: RouteName = 'POST /api/crm/pipelines';
export const somePipeline = { name: 'Sales', stages: [{ name: 'New' }] };

/** A request, twice under one key: with what the first got, and what the second brings. */
export const underOneKey = (name: RouteName, body: Record<string, unknown>, more: Record<string, unknown>): Play => {
  const headers = ({ ours }: World) => ({
    ...bearer(ours.adminToken),
    'idempotency-key': `key-of-${JSON.stringify(more)}`,
  });
  return async (world) => {
    await ask(name, { body }, headers)(world);
    return ask(name, { body: { ...body, ...more } }, headers)(world);
  };
};

/** A second request under the key of one whose record is still being written, by a method of a store. */
export const whileUnderWay =
  (
    name: RouteName,
    request: { body?: Record<string, unknown>; csv?: string },
    store: 'contacts' | 'deals' | 'imports' | 'messages' | 'organisations' | 'pipelines' | 'tasks',
    method = 'create',
  ): Play =>
  async () => {
    const held = gate();
    held.shut();
    const wrap = (services: Services): Services => {
      const methods = services[store] as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
      return {
        ...services,
        [store]: { ...methods, [method]: (...given: unknown[]) => held.pass(async () => methods[method]?.(...given)) },
      };
    };
    const gateway = await startGateway('memory', { wrap });
    try {
      const { adminToken } = await gateway.company({ slug: 'under-way', agents: 1 });
      if (store === 'deals')
        await send(gateway.url, newPipeline, { path: pathOf(newPipeline), body: somePipeline }, bearer(adminToken));
      const createOne = () =>
        send(
          gateway.url,
          name,
          { path: pathOf(name), ...request },
          { ...bearer(adminToken), 'idempotency-key': 'one' },
        );
      const first = createOne();
      await held.reached();
      const second = await createOne();
      held.open();
      await first;
      return second;
    } finally {
      held.open();
      await gateway.close();
    }
  };
