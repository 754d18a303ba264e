import { request } from 'node:http';
import { expect } from 'vitest';
import { type AtCrm, unauthorized } from '../../support/crm/crmRoom.ts';
import type { FakedCrm } from '../../support/crm/fakedCrms.ts';
import { type Fault, html, type Notice } from '../../support/crm/fakeCrm.ts';
import type { Address } from '../../support/crm/notices.ts';
import { createLeapingClock, type LeapingClock } from '../../support/time/leapingClock.ts';
import { eventually } from '../../support/time/waiting.ts';
import { type Cell, type Cells, shown, tryAbility } from './table.ts';

type One = AtCrm<LeapingClock>;
const minutes = 60_000;

/** A company that is connected, but looks nothing up: what it knows, it was told. */
async function told(one: One): Promise<Address> {
  await one.connect().expect(200);
  await one.admin().put('/api/integrations').send({ mode: 'push' }).expect(200);
  return one.address();
}

/** Until a number is known; records that have to be read again are read when it is time. */
function becomesKnown(one: One, phone: string): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const known = await one.known(phone);
    if (known !== null) return known;
    await one.clock.advance(5_000);
    throw new Error('nothing is known yet');
  });
}

/** That nothing came of it: nothing is known, nobody was asked, and the address has heard nothing. */
async function expectNothing(one: One, phone: string, asked: number, company = one.company): Promise<void> {
  expect(await one.known(phone)).toBeNull();
  expect(one.crm.heard.length).toBe(asked);
  expect((await one.listed(company)).map((each) => each.last_received_at)).toEqual([null]);
}

/** The same notice, signed or with the secret as somebody else would. */
function otherSecret({ provenBy }: FakedCrm['notices']): string {
  return provenBy === 'issued_signature'
    ? `whsec_${Buffer.from('another secret of 32 bytes .....').toString('base64')}`
    : 'another-secret';
}

/** Refuses a notice with another secret. Resolves with how much the CRM had been asked. */
async function refusesAnother(one: One): Promise<{ address: Address; phone: string; notice: Notice; asked: number }> {
  const address = await told(one);
  const { id, phone } = one.person();
  const asked = one.crm.heard.length;
  const answer = await one.send(address, one.notice(id, { ...address, secret: otherSecret(one.faked.notices) }));
  expect(answer).toMatchObject({
    status: 401,
    body: { code: 'invalid_signature', cause: { code: 'signature_wrong' } },
  });
  expect(answer.text).not.toContain(address.secret);
  return { address, phone, notice: one.notice(id, address), asked };
}

/**
 * While the CRM fails so, a notice comes: it is known as soon as it can be read, or at once where it tells all itself.
 */
function outlasts(fault: (one: One) => Fault): (one: One) => Promise<void> {
  return async (one) => {
    const address = await told(one);
    const { id, phone } = one.person();
    const asked = one.crm.heard.length;
    const end = one.crm.failAll(fault(one));
    expect((await one.send(address, one.notice(id, address))).status).toBe(200);
    if (one.faked.notices.tellsIdAlone !== true) {
      expect(await one.known(phone)).toMatchObject({ external_id: id });
      expect(one.crm.heard.length).toBe(asked);
      return end();
    }
    await one.hears(asked);
    expect(await one.known(phone)).toBeNull();
    end();
    expect(await becomesKnown(one, phone)).toMatchObject({ name: 'Ada Byron', external_id: id });
    expect(await one.connection()).toMatchObject({ state: 'connected' });
  };
}

/** By whether the notices of a CRM have to be read. */
const whereRead =
  (reads: Cell<One>, brings: Cell<One>) =>
  ({ notices }: FakedCrm) =>
    notices.tellsIdAlone === true ? reads : brings;

const cells: Cells<One> = {
  happy: shown('tells of a record, which is known for its number, with a link', async (one) => {
    const address = await told(one);
    const { id, phone } = one.person();
    const answer = await one.send(address, one.notice(id, address));
    const wantsSoap = one.crm.id === 'salesforce';
    expect([answer.status, answer.text]).toEqual([200, wantsSoap ? expect.stringContaining('<Ack>true</Ack>') : '{}']);
    expect(answer.type).toContain(wantsSoap ? 'text/xml' : 'application/json');
    const known = await becomesKnown(one, phone);
    expect(known).toMatchObject({ name: 'Ada Byron', phone, external_system: one.crm.id, external_id: id });
    expect(known).toMatchObject({ external_object: expect.any(String), record_url: expect.stringContaining('http') });
    expect(await one.listed()).toMatchObject([
      { provider: one.crm.id, last_received_at: expect.any(String), reads_records: true },
    ]);
  }),

  'wrong signature': ({ notices }) =>
    notices.provenBy === 'address'
      ? shown(
          'is refused with a wrong secret and at a wrong address; without a secret its address is enough',
          async (one) => {
            const { address, phone, notice, asked } = await refusesAnother(one);
            const wrong = { path: address.path.replace(address.token, 'A'.repeat(address.token.length)) };
            expect((await one.send(wrong, notice)).status).toBe(404);
            await expectNothing(one, phone, asked);
            expect(
              (await one.send(address, { headers: { 'content-type': 'application/json' }, body: notice.body })).status,
            ).toBe(200);
            expect(await one.known(phone)).toMatchObject({ name: 'Ada Byron' });
          },
        )
      : shown('is refused with a wrong signature or secret, and with none: nothing changes', async (one) => {
          const { address, phone, notice, asked } = await refusesAnother(one);
          // Some carry the secret in the body.
          const bare = {
            headers: { 'content-type': 'application/json' },
            body: notice.body.replace(address.secret, ''),
          };
          expect(await one.send(address, bare)).toMatchObject({
            status: 401,
            body: { cause: { code: 'signature_missing' } },
          });
          await expectNothing(one, phone, asked);
        }),

  replay: ({ notices }) =>
    notices.isKnownAgain === true
      ? shown('says the same again, which changes nothing; what is signed for another time is refused', async (one) => {
          const address = await told(one);
          const { id, phone } = one.person();
          if (notices.isTimed === true) {
            const asked = one.crm.heard.length;
            for (const off of [-6, 6]) {
              const answer = await one.send(
                address,
                one.notice(id, address, new Date(one.clock.now() + off * minutes)),
              );
              expect(answer).toMatchObject({ status: 401, body: { cause: { code: 'signature_stale' } } });
            }
            await expectNothing(one, phone, asked);
          }
          const notice = one.notice(id, address);
          await one.send(address, notice);
          await becomesKnown(one, phone);
          await one.admin().delete('/api/integrations/inbound').query({ phone }).expect(204);
          const asked = one.crm.heard.length;
          expect((await one.send(address, notice)).status).toBe(200);
          expect([await one.known(phone), one.crm.heard.length]).toEqual([null, asked]);
        })
      : shown(
          'says the same again, with nothing by which it is known again: it is the same record as before',
          async (one) => {
            const address = await told(one);
            const { id, phone } = one.person();
            const notice = one.notice(id, address);
            await one.send(address, notice);
            const before = await becomesKnown(one, phone);
            expect((await one.send(address, notice)).status).toBe(200);
            await one.admin().delete('/api/integrations/inbound').query({ phone }).expect(204);
            await one.send(address, notice);
            expect(await becomesKnown(one, phone)).toEqual(before);
          },
        ),

  'wrong credential': whereRead(
    shown(
      'refuses the credentials when the record is read: nothing is known, and an admin is asked to look',
      async (one) => {
        const address = await told(one);
        const { id, phone } = one.person();
        one.crm.failAll({ kind: 'answer', answer: unauthorized });
        expect((await one.send(address, one.notice(id, address))).status).toBe(200);
        await eventually(async () => (await one.connection()).state === 'needs_attention');
        expect(await one.known(phone)).toBeNull();
      },
    ),
    shown('tells the whole record, which is known though the credentials are no longer good', async (one) => {
      const address = await told(one);
      const { id, phone } = one.person();
      one.crm.failAll({ kind: 'answer', answer: unauthorized });
      expect((await one.send(address, one.notice(id, address))).status).toBe(200);
      expect(await one.known(phone)).toMatchObject({ name: 'Ada Byron', external_id: id });
      expect(await one.connection()).toMatchObject({ state: 'connected' });
    }),
  ),

  'expired token': whereRead(
    shown('is read with a token that has ended, or with one that does not end: nobody notices', async (one) => {
      const address = await told(one);
      const { id, phone } = one.person();
      one.crm.expireTokens();
      const asked = one.crm.heard.length;
      await one.send(address, one.notice(id, address));
      expect(await becomesKnown(one, phone)).toMatchObject({ name: 'Ada Byron', external_id: id });
      expect(one.crm.heard.slice(asked).filter(({ path }) => path.includes('token')).length).toBe(
        one.faked.hasTokens ? 1 : 0,
      );
    }),
    shown('tells the whole record, for which no token is needed', async (one) => {
      const address = await told(one);
      const { id, phone } = one.person();
      one.crm.expireTokens();
      const asked = one.crm.heard.length;
      await one.send(address, one.notice(id, address));
      expect(await one.known(phone)).toMatchObject({ external_id: id });
      expect(one.crm.heard.length).toBe(asked);
    }),
  ),

  'rate limit': whereRead(
    shown(
      'is asked too much when the record is read: it is read when the CRM lets it',
      outlasts(({ crm }) => ({ kind: 'answer', answer: crm.tooMany() })),
    ),
    shown(
      'is asked nothing, so that it may be asked too much',
      outlasts(({ crm }) => ({ kind: 'answer', answer: crm.tooMany() })),
    ),
  ),

  'time-out': whereRead(
    shown('hangs when the record is read: after 20 s it is left, and read again later', async (one) => {
      const address = await told(one);
      const { id, phone } = one.person();
      const asked = one.crm.heard.length;
      one.crm.failNext({ kind: 'hang' }, ({ path }) => !path.includes('token'));
      await one.send(address, one.notice(id, address));
      await one.hears(asked);
      await one.clock.advance(19_000);
      expect(await one.known(phone)).toBeNull();
      expect(await becomesKnown(one, phone)).toMatchObject({ name: 'Ada Byron', external_id: id });
    }),
    shown(
      'is not waited for, though it hangs',
      outlasts(() => ({ kind: 'hang' })),
    ),
  ),

  'several matches': shown(
    'tells of a second record with the number: the one it told of last is known',
    async (one) => {
      const address = await told(one);
      const first = one.person();
      await one.send(address, one.notice(first.id, address));
      await becomesKnown(one, first.phone);
      const second = one.person({ name: 'Grace Hopper', phone: first.phone });
      await one.send(address, one.notice(second.id, address, new Date(one.clock.now() + 1_000)));
      await eventually(async () =>
        expect(await one.known(first.phone)).toMatchObject({ name: 'Grace Hopper', external_id: second.id }),
      );
      expect((await one.known(first.phone))?.candidates).toBeUndefined();
    },
  ),

  none: ({ id: provider }) =>
    shown(
      provider === 'custom'
        ? 'cannot tell of a record without a number, which is refused'
        : 'tells of a record without a number, of which nothing is kept',
      async (one) => {
        const address = await told(one);
        const asked = one.crm.heard.length;
        const id = one.crm.addPerson({ name: 'Nobody Atall', email: 'nobody@example.org', phone: null });
        expect((await one.send(address, one.notice(id, address))).status).toBe(provider === 'custom' ? 400 : 200);
        if (one.faked.notices.tellsIdAlone === true) await one.hears(asked);
        // What was told of before is through by then.
        const later = one.person();
        await one.send(address, one.notice(later.id, address, new Date(one.clock.now() + 1_000)));
        await becomesKnown(one, later.phone);
      },
    ),

  'stranger returned': shown(
    'is nobody’s but the company’s at whose address it comes, and brings no stranger for a number',
    async (one) => {
      const address = await told(one);
      const others = await one.room.another();
      const foreign = await one.address(others);
      const { id, phone } = one.person();
      if (!one.faked.notices.provenBy.startsWith('signature')) {
        const asked = one.crm.heard.length;
        expect((await one.send(foreign, one.notice(id, { ...foreign, secret: address.secret }))).status).toBe(401);
        await expectNothing(one, phone, asked, others);
      }
      expect((await one.send(foreign, one.notice(id, foreign))).status).toBe(200);
      expect(await one.known(phone)).toBeNull();
      if (one.faked.notices.tellsIdAlone !== true) return;
      // Asked for one record, it returns another.
      const stranger = one.person({ name: 'Bob Stranger' });
      one.crm.failNext({ kind: 'mistakes', asked: id, instead: stranger.id }, ({ path }) => path.includes(id));
      await one.send(address, one.notice(id, address));
      await becomesKnown(one, stranger.phone);
      expect(await one.known(phone)).toBeNull();
    },
  ),

  'reset after commit': shown(
    'hangs up before it has heard the answer, and says it again: it counts once',
    async (one) => {
      const address = await told(one);
      const { id, phone } = one.person();
      const notice = one.notice(id, address);
      if (one.faked.notices.tellsIdAlone === true)
        one.crm.failNext({ kind: 'reset_after_commit' }, ({ path }) => path.includes(id));
      const sending = request(one.gateway.url + address.path, {
        method: 'POST',
        headers: { ...notice.headers, 'content-length': Buffer.byteLength(notice.body) },
      });
      sending.on('error', () => undefined);
      sending.end(notice.body);
      await eventually(async () => (await one.listed()).every(({ last_received_at: at }) => at !== null));
      sending.destroy();
      expect((await one.send(address, notice)).status).toBe(200);
      expect(await becomesKnown(one, phone)).toMatchObject({ name: 'Ada Byron', external_id: id });
    },
  ),

  'provider down': whereRead(
    shown(
      'is down when the record is read: it is read when the CRM is back',
      outlasts(() => ({ kind: 'answer', answer: html(503, 'Down for maintenance') })),
    ),
    shown(
      'tells the whole record, which is known though the CRM itself is down',
      outlasts(() => ({ kind: 'answer', answer: html(503, 'Down for maintenance') })),
    ),
  ),
};

tryAbility('push', { cells, createClock: createLeapingClock });
