import { expect, it } from 'vitest';
import type { AccountLine, AccountRequest } from '../../src/connectors/accounts/platformAccount.ts';
import { genesysAccount } from '../../src/connectors/accounts/genesys.ts';

const settings = { region: 'mypurecloud.de', client_id: 'c', client_secret: 's' };

/** Genesys Cloud with so many users, as far as listening asks it. */
function cloud() {
  const asked: AccountRequest[] = [];
  let users = 0;
  let channels = 0;
  const answer = ({ url }: AccountRequest): object => {
    const { pathname, searchParams } = new URL(url);
    if (pathname.endsWith('/channels'))
      return { id: `ch-${(channels += 1)}`, connectUri: `wss://streaming.mypurecloud.de/channels/${channels}` };
    if (pathname.endsWith('/subscriptions')) return {};
    const [size, page] = ['pageSize', 'pageNumber'].map((name) => Number(searchParams.get(name))) as [number, number];
    const ids = Array.from({ length: users }, (_one, index) => ({ id: `u-${index}` }));
    return { entities: ids.slice((page - 1) * size, page * size), pageCount: Math.max(1, Math.ceil(users / size)) };
  };
  const line: AccountLine = {
    send: (request) => {
      asked.push(request);
      return Promise.resolve({ kind: 'answer', status: 200, body: JSON.stringify(answer(request)) });
    },
    token: () => Promise.resolve({ kind: 'token', token: 't', version: 1 }),
  };
  return {
    line,
    have: (count: number) => void (users = count),
    /** To what was subscribed since it was asked last, by channel. */
    subscribed: () =>
      asked
        .splice(0)
        .filter(({ url }) => url.endsWith('/subscriptions'))
        .map(({ body, url }) => [url.split('/').at(-2), (JSON.parse(body ?? '[]') as object[]).length]),
  };
}

async function begin(count: number) {
  const { have, line, subscribed } = cloud();
  have(count);
  const at = await genesysAccount.listening!.begin(line, settings, null);
  if (at.kind === 'failed' || at.again === null) throw new Error('it listens');
  return { at, again: () => at.again!(line), have, subscribed };
}

it('has channels of 500 users each, and those who come heard on one that has room', async () => {
  const { again, at, have, subscribed } = await begin(700);
  expect([at.sockets.length, at.agents.length]).toEqual([2, 700]);
  expect(subscribed()).toEqual([
    ['ch-1', 1_000],
    ['ch-2', 400],
  ]);
  have(703);
  expect(await again()).toMatchObject({ kind: 'agents', agents: [{ id: 'u-700' }, { id: 'u-701' }, { id: 'u-702' }] });
  expect(subscribed()).toEqual([['ch-2', 6]]);
  // Nobody has come, and some have gone.
  have(690);
  expect(await again()).toEqual({ kind: 'agents', agents: [] });
  expect(subscribed()).toEqual([]);
});

it('has other channels made where those that are open have no room, or there are none', async () => {
  const { again, have, subscribed } = await begin(500);
  subscribed();
  have(501);
  expect(await again()).toEqual({ kind: 'renew' });
  expect(subscribed()).toEqual([]);
  const empty = await begin(0);
  empty.have(1);
  expect(await empty.again()).toEqual({ kind: 'renew' });
});
