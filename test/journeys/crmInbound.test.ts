import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeIds, type FakeId } from '../support/crm/allFakes.ts';
import type { Notice } from '../support/crm/fakeCrm.ts';
import { InboundRoom } from '../support/crm/inboundRoom.ts';
import { type Address, publicUrl } from '../support/crm/notices.ts';
import type { TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

/** Signed by the CRM's own secret; the others carry, or sign with, the one that the gateway issued. */
const signing: readonly FakeId[] = ['hubspot', 'zendesk', 'intercom'];
/** Their notices carry no more than an id. */
const byId: readonly FakeId[] = ['hubspot', 'zendesk', 'zoho'];

describe('what a CRM tells of its records', () => {
  let room: InboundRoom;
  beforeAll(async () => {
    room = await InboundRoom.open();
  });
  afterAll(() => room.close());

  /** That nothing came of it: nothing is known, nobody was asked, and the address has heard nothing. */
  async function expectNothing(company: TestCompany, id: FakeId, phone: string, asked: number): Promise<void> {
    expect(await room.known(company, phone)).toBeNull();
    expect(room.crm(id).heard.length).toBe(asked);
    expect((await room.listed(company)).map((one) => one.last_received_at)).toEqual([null]);
  }

  describe.each(fakeIds)('of %s', (id) => {
    it('is not taken at an address that was replaced, nor after it was removed', async () => {
      const company = await room.connected(id);
      const before = await room.address(company, id);
      const address = await room.address(company, id);
      expect([before.token === address.token, address.token]).toEqual([
        false,
        expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      ]);
      const person = room.person(id);
      expect(await room.send(before, room.notice(id, person.id, before))).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
      if (!signing.includes(id)) {
        expect(
          (await room.send(address, room.notice(id, person.id, { ...address, secret: before.secret }))).status,
        ).toBe(401);
      }
      await room.gateway.as(company).delete(`/api/integrations/crm/inbound/${id}`).expect(204);
      expect((await room.send(address, room.notice(id, person.id, address))).status).toBe(404);
      expect([await room.known(company, person.phone), await room.listed(company)]).toEqual([null, []]);
    });

    it('is refused when it cannot be read, and when it is too long', async () => {
      const company = await room.connected(id);
      const address = await room.address(company, id);
      for (const body of ['', '{', '[]x', 'null', '"text"', '<a/>', '\u0000']) {
        const answer = await room.send(address, resigned(id, address, body));
        expect([body, answer.status, answer.body.cause]).toEqual([body, 400, { code: 'unreadable' }]);
      }
      const long = await room.send(address, resigned(id, address, ' '.repeat(1024 * 1024)));
      expect(long).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
      expect(await room.listed(company)).toMatchObject([{ last_received_at: null }]);
    });

    it('shows its secrets once', async () => {
      const company = await room.company();
      const address = await room.address(company, id);
      const shown = JSON.stringify(await room.listed(company));
      expect(shown).toContain(`${publicUrl}/api/integrations/inbound/${id}/…`);
      for (const hidden of [address.token, address.secret]) expect(shown).not.toContain(hidden);
    });
  });

  it.each(signing)('of %s is never taken before its signing secret has been entered', async (id) => {
    const company = await room.connected(id);
    const address = await room.address(company, id);
    const person = room.person(id);
    const asked = room.crm(id).heard.length;
    await room.gateway
      .as(company)
      .put(`/api/integrations/crm/inbound/${id}`)
      .send({ signing_secret: null })
      .expect(204);
    expect(await room.send(address, room.notice(id, person.id, address))).toMatchObject({
      status: 401,
      body: { cause: { code: 'signing_secret_not_set' } },
    });
    await expectNothing(company, id, person.phone, asked);
  });

  it.each(byId)('of %s needs a connection where it brings an id alone, and says so', async (id) => {
    const company = await room.company();
    const address = await room.address(company, id);
    const person = room.person(id);
    const asked = room.crm(id).heard.length;
    expect((await room.send(address, room.notice(id, person.id, address))).status).toBe(200);
    expect([await room.known(company, person.phone), room.crm(id).heard.length]).toEqual([null, asked]);
    expect(await room.listed(company)).toMatchObject([{ reads_records: false, last_received_at: expect.any(String) }]);
  });

  it.each(fakeIds.filter((id) => !byId.includes(id)))('of %s is kept without a connection, too', async (id) => {
    const company = await room.company();
    const address = await room.address(company, id);
    const person = room.person(id);
    await room.send(address, room.notice(id, person.id, address));
    expect(await room.known(company, person.phone)).toMatchObject({ name: 'Ada Byron', external_id: person.id });
  });

  it.each(['hubspot', 'zendesk', 'intercom', 'pipedrive', 'zoho', 'dynamics', 'servicenow', 'salesforce'] as const)(
    'of %s ends with the record',
    async (id) => {
      const company = await room.connected(id);
      const address = await room.address(company, id);
      const [person, other] = [room.person(id), room.person(id, 'Grace Hopper')];
      for (const one of [person, other]) {
        await room.send(address, room.notice(id, one.id, address));
        await eventually(async () => expect(await room.known(company, one.phone)).not.toBeNull());
      }
      const gone = deletion(id, room.notice(id, person.id, address).body);
      expect((await room.send(address, resigned(id, address, gone))).status).toBe(200);
      expect([await room.known(company, person.phone), (await room.known(company, other.phone))?.name]).toEqual([
        null,
        'Grace Hopper',
      ]);
    },
  );

  it('replaces a number that the record has no longer, and keeps what others have', async () => {
    const company = await room.connected('hubspot');
    const address = await room.address(company, 'hubspot');
    const person = room.person('hubspot');
    const push = {
      phone_number: '+14155559999',
      data: { name: 'As before' },
      external_system: 'hubspot',
      external_id: person.id,
    };
    const others = { ...push, phone_number: '+14155559998', external_system: 'erp' };
    for (const one of [push, others]) {
      await room.gateway.api
        .post('/api/integrations/inbound')
        .set('X-Service-Api-Key', company.key)
        .send(one)
        .expect(200);
    }
    await room.send(address, room.notice('hubspot', person.id, address));
    await eventually(async () => expect(await room.known(company, push.phone_number)).toBeNull());
    expect(await room.known(company, person.phone)).toMatchObject({ name: 'Ada Byron' });
    expect(await room.known(company, others.phone_number)).toMatchObject({ name: 'As before' });
  });

  it('of Salesforce is acknowledged as SOAP, without document types and entities', async () => {
    const company = await room.connected('salesforce');
    const address = await room.address(company, 'salesforce');
    const soap = (doctype: string, name: string) => `<?xml version="1.0" encoding="UTF-8"?>${doctype}
      <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>
      <notifications xmlns="http://soap.sforce.com/2005/09/outbound"><OrganizationId>${organization}</OrganizationId>
      <ActionId>04k</ActionId><Notification><Id>04l000000000001AAA</Id>
      <sObject xsi:type="sf:Contact" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
        xmlns:sf="urn:sobject.enterprise.soap.sforce.com">
      <sf:Id>003000000000001AAA</sf:Id><sf:Name>${name}</sf:Name><sf:Phone>+1 415-555-8801</sf:Phone>
      </sObject></Notification>
      </notifications></soapenv:Body></soapenv:Envelope>`;
    const headers = { 'content-type': 'text/xml; charset=UTF-8', soapaction: '""' };
    const bad = [
      soap('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'),
      soap('', '&x;'),
      soap('<!DOCTYPE a>', 'Ada'),
    ];
    for (const body of bad) {
      expect(await room.send(address, { headers, body })).toMatchObject({
        status: 400,
        body: { cause: { code: 'unreadable' } },
      });
    }
    expect(await room.known(company, '+14155558801')).toBeNull();
    const answer = await room.send(address, { headers, body: soap('', 'Ada &amp; Sons') });
    expect([answer.status, answer.type]).toEqual([200, expect.stringContaining('text/xml')]);
    expect(answer.text).toContain('<Ack>true</Ack>');
    expect(await room.known(company, '+14155558801')).toMatchObject({
      name: 'Ada & Sons',
      external_object: 'Contact',
      external_id: '003000000000001AAA',
    });
    // Nobody is connected to this organization.
    const foreign = soap('', 'Mallory').replace(organization, '00D000000000999AAA');
    expect((await room.send(address, { headers, body: foreign })).status).toBe(400);
    expect((await room.known(company, '+14155558801'))?.name).toBe('Ada & Sons');
  });

  it('is looked for at its address alone, whose existence nobody learns', async () => {
    const company = await room.company();
    const { path, token } = await room.address(company, 'freshdesk');
    const nothing = { headers: {}, body: '' };
    const wrong = [
      path.replace(token, `${token}x`),
      path.replace(token, token.slice(1)),
      path.replace('freshdesk', 'hubspot'),
      path.replace(token, 'A'.repeat(43)),
    ];
    const answers = [];
    for (const other of wrong) answers.push(await room.send({ path: other }, nothing));
    for (const { status, body } of answers) {
      expect([status, body.code, body.detail]).toEqual([404, 'not_found', 'There is nothing at this address.']);
    }
    await room.gateway.api.get(path).expect(200, {});
    await room.gateway.api.head(path).expect(200);
    await room.gateway.api.get(wrong[0] ?? '').expect(404);
  });

  it('is slowed down where too much comes, and by those who guess; others are not', async () => {
    const guessing = await InboundRoom.open(['freshdesk']);
    try {
      const company = await guessing.company();
      const address = await guessing.address(company, 'freshdesk');
      const wrong = { path: address.path.replace(address.token, 'A'.repeat(43)) };
      const nothing = { headers: {}, body: '' };
      const statuses = new Set<number>();
      for (let tries = 0; tries < 70; tries += 1) statuses.add((await guessing.send(wrong, nothing)).status);
      expect([...statuses]).toEqual([404, 429]);
      const person = guessing.person('freshdesk');
      expect((await guessing.send(address, guessing.notice('freshdesk', person.id, address))).status).toBe(200);
      const flooded = new Set<number>();
      for (let round = 0; round < 25; round += 1) {
        const answers = await Promise.all(Array.from({ length: 50 }, () => guessing.gateway.api.head(address.path)));
        for (const { status } of answers) flooded.add(status);
      }
      expect([...flooded]).toEqual([200, 429]);
      const others = await guessing.company();
      const theirs = await guessing.address(others, 'freshdesk');
      expect((await guessing.send(theirs, guessing.notice('freshdesk', person.id, theirs))).status).toBe(200);
    } finally {
      await guessing.close();
    }
  });

  it('is set up by admins alone, for a CRM that is known and, where it signs itself, with its secret', async () => {
    const company = await room.company();
    const agent = await room.gateway.agent(company, 'a1');
    const { gateway } = room;
    await gateway.as(agent).post('/api/integrations/crm/inbound').send({ provider: 'hubspot' }).expect(403);
    await gateway.as(agent).delete('/api/integrations/crm/inbound/hubspot').expect(403);
    const unknown = await gateway
      .as(company)
      .post('/api/integrations/crm/inbound')
      .send({ provider: 'sugar' })
      .expect(400);
    expect(unknown.body.errors).toMatchObject([{ path: 'provider', code: 'unknown_choice' }]);
    await gateway.as(company).put('/api/integrations/crm/inbound/hubspot').send({ signing_secret: 'x' }).expect(404);
    await gateway.as(company).delete('/api/integrations/crm/inbound/hubspot').expect(404);
    const { secret } = await room.address(company, 'zoho');
    const conflict = await gateway
      .as(company)
      .put('/api/integrations/crm/inbound/zoho')
      .send({ signing_secret: 'x' })
      .expect(409);
    expect(conflict.body.cause).toEqual({ code: 'crm_does_not_sign', params: { name: 'Zoho CRM' } });
    // As long as Zoho takes it.
    expect(secret.length).toBeLessThanOrEqual(50);
    expect(await room.listed(company)).toMatchObject([{ provider: 'zoho', signing_secret_set: false }]);
  });
});

const organization = '00D5g00000ABCdEEAX';

/** Another body, signed or with the secret as that CRM would. */
function resigned(id: FakeId, { secret, url }: Address, body: string): Pick<Notice, 'headers' | 'body'> {
  const now = Date.now();
  const mac = (key: string | Buffer, hash: string, ...parts: string[]) =>
    createHmac(hash, key).update(parts.join('')).digest();
  const json = { 'content-type': 'application/json' };
  switch (id) {
    case 'hubspot':
      return {
        headers: {
          ...json,
          'x-hubspot-request-timestamp': String(now),
          'x-hubspot-signature-v3': mac(secret, 'sha256', 'POST', url, body, String(now)).toString('base64'),
        },
        body,
      };
    case 'zendesk': {
      const at = new Date(now).toISOString();
      return {
        headers: {
          ...json,
          'x-zendesk-webhook-signature-timestamp': at,
          'x-zendesk-webhook-signature': mac(secret, 'sha256', at, body).toString('base64'),
        },
        body,
      };
    }
    case 'intercom':
      return { headers: { ...json, 'x-hub-signature': `sha1=${mac(secret, 'sha1', body).toString('hex')}` }, body };
    case 'custom': {
      const at = String(Math.floor(now / 1_000));
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      return {
        headers: {
          ...json,
          'webhook-id': 'msg_2',
          'webhook-timestamp': at,
          'webhook-signature': `v1,${mac(key, 'sha256', `msg_2.${at}.`, body).toString('base64')}`,
        },
        body,
      };
    }
    case 'pipedrive':
      return {
        headers: { ...json, authorization: `Basic ${Buffer.from(`readyline:${secret}`).toString('base64')}` },
        body,
      };
    default:
      return { headers: { ...json, 'x-readyline-secret': secret }, body };
  }
}

/** The notice of a change made into one of the record's end. */
function deletion(id: FakeId, body: string): string {
  const notice = JSON.parse(body);
  switch (id) {
    case 'hubspot':
      return JSON.stringify([{ ...notice[0], subscriptionType: 'contact.deletion', occurredAt: Date.now() + 1 }]);
    case 'zendesk':
      return JSON.stringify({ ...notice, id: 'event-gone', type: 'zen:event-type:user.deleted' });
    case 'intercom':
      return JSON.stringify({ ...notice, id: 'notif_gone', topic: 'contact.deleted' });
    case 'pipedrive':
      return JSON.stringify({
        meta: { ...notice.meta, id: 'gone', action: 'delete' },
        data: null,
        previous: notice.data,
      });
    case 'zoho':
      return JSON.stringify({ ...notice, operation: 'delete', server_time: notice.server_time + 1 });
    case 'dynamics':
      return JSON.stringify({
        ...notice,
        MessageName: 'Delete',
        CorrelationId: 'b374239d-4233-41a9-8b17-000000000000',
        InputParameters: [],
      });
    case 'servicenow':
      return JSON.stringify({ ...notice, operation: 'delete' });
    default:
      return JSON.stringify({ ...notice, IsDeleted: true });
  }
}
