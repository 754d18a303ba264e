import { expect } from 'vitest';
import type { AtCrm } from '../../support/crm/crmRoom.ts';
import { type Fault, html } from '../../support/crm/fakeCrm.ts';
import { createManualClock, type ManualClock } from '../../support/time/manualClock.ts';
import { shown, tryAbility } from './table.ts';

type One = AtCrm<ManualClock>;

const refusedWhile = (fault: (one: One) => Fault) => async (one: One) => {
  one.crm.failAll(fault(one));
  await one.connect().expect(503);
  expect(await one.connection()).toBeNull();
};

/** Before any of its abilities. */
const connecting = [
  shown<One>('says who the gateway is there, and that all works which can be tried', async (one) => {
    expect((await one.connect().expect(200)).body.connection).toMatchObject({
      name: one.faked.name,
      state: 'connected',
      account: expect.stringMatching(/./),
    });
    expect(await one.abilities()).toMatchObject({
      push: { works: false, needs: 'an address for its notices, made in the console' },
      pull: { works: true, needs: null },
      write_back: { works: true },
      link: { works: true },
    });
  }),
  shown<One>('refuses a wrong credential in its own words, and nothing is kept', async (one) => {
    const { body } = await one.connect(one.crm.wrongCredentials).expect(400);
    expect(body.errors[0]).toMatchObject({
      path: 'credentials',
      code: 'refused_by_crm',
      params: { name: one.faked.name, words: expect.stringMatching(/./) },
    });
    expect(await one.connection()).toBeNull();
  }),
  shown<One>(
    'is not connected while it is down',
    refusedWhile(() => ({ kind: 'answer', answer: html(503, 'Down for maintenance') })),
  ),
  shown<One>(
    'is not connected while it is asked too much',
    refusedWhile(({ crm }) => ({ kind: 'answer', answer: crm.tooMany() })),
  ),
  shown<One>(
    'is not connected where the connection breaks',
    refusedWhile(() => ({ kind: 'reset' })),
  ),
  shown<One>('is not connected where nobody listens', async (one) => {
    const plugIn = one.room.unplug(one.crm);
    await one.connect().expect(503);
    plugIn();
    expect(await one.connection()).toBeNull();
    expect(one.crm.heard).toEqual([]);
  }),
  shown<One>(
    'may forbid to read, which a check tells with what is needed; ' +
      'or refuses all where nothing proves the credentials but reading',
    async (one) => {
      await one.connect().expect(200);
      one.crm.forbid('pull');
      if (one.faked.provesByReading === true) {
        return expect((await one.check().expect(400)).body.errors[0]).toMatchObject({
          params: { name: one.faked.name, words: expect.stringMatching(/./) },
        });
      }
      expect((await one.abilities()).pull).toEqual({
        works: false,
        needs: expect.stringMatching(/./),
        detail: expect.stringMatching(/./),
      });
    },
  ),
];

tryAbility('connecting', { cells: null, beside: connecting, createClock: () => createManualClock(Date.now()) });
