import { afterAll, beforeAll, expect, it } from 'vitest';
import { CrmRoom } from '../../support/crm/crmRoom.ts';
import { fakedCrms } from '../../support/crm/fakedCrms.ts';
import { eventually } from '../../support/time/waiting.ts';
import { createLeapingClock, type LeapingClock } from '../../support/time/leapingClock.ts';

const person = '+14155550199';

let room: CrmRoom<LeapingClock>;
beforeAll(async () => {
  room = await CrmRoom.open(createLeapingClock());
});
afterAll(() => room.close());

it('an erased person stands no more in the log of another’s call that was handed on to them, which is still corrected in the CRM where it stands', async () => {
  const one = await room.company(fakedCrms.find(({ id }) => id === 'hubspot') ?? expect.fail(), { agents: 1 });
  await one.connect().expect(200);
  const { phone } = one.person();
  const callId = await one.end((await one.rung(phone)).id, { end_reason: 'transferred', transferred_to: person });
  await one.wrapUp(callId);
  const { id } = await one.logged(callId);
  expect(JSON.stringify(await one.detail(id))).toContain(person);

  const { body: contact } = await one
    .admin()
    .post('/api/crm/contacts')
    .send({ phones: [{ phone_number: person }], name: 'Grace' })
    .expect(201);
  await one.admin().post(`/api/crm/contacts/${contact.id}/erase`).send({ version: contact.version }).expect(200);
  expect(JSON.stringify(await one.detail(id))).not.toContain(person);

  await one
    .admin()
    .patch(`/api/calls/${callId}`)
    .send({ disposition: { code: 'other' } })
    .expect(200);
  await eventually(async () => {
    await one.clock.advance(250);
    expect(await one.deliveries(callId)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  });
  const [entry, ...more] = one.entries(callId);
  expect(more).toEqual([]);
  expect(entry?.text).toContain('Other');
  expect(entry?.text).not.toContain(person);
  await one.close();
});
