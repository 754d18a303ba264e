import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '../../../src/domain/contacts.ts';
import { toId, type ContactId } from '../../../src/domain/ids.ts';
import { emptyContact } from '../../../src/usecases/contacts/readContent.ts';
import { eventually } from '../../support/time/waiting.ts';
import { after, makeCompany, openStores, phoneNumber, type MadeCompany, type Stores } from './openStores.ts';

describe('contacts that are written at one moment', () => {
  let stores: Stores;
  let company: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
    company = await makeCompany(stores);
  });
  afterAll(() => stores.close());

  function contactWith(...numbers: number[]): Contact {
    const phones = numbers.map((n) => ({ phone: phoneNumber(n), label: null, isPrimary: false }));
    return { ...emptyContact, companyId: company.companyId, id: toId<ContactId>(newId()), phones, version: 1, createdAt: after(0), updatedAt: after(0) };
  }
  const create = (contact: Contact) => stores.contacts.create(contact, { id: newId(), at: after(0), kind: 'created', by: null, text: null, edits: [] });

  it('are written although one of them waited for the other, and the other for it', async () => {
    const holder = contactWith();
    await create(holder);
    const client = await stores.pool.connect();
    const take = (n: number) => client.query('INSERT INTO contact_phone (company_id, phone, contact_id, position) VALUES ($1, $2, $3, 1)', [company.companyId, phoneNumber(n), holder.id]);
    try {
      await client.query('BEGIN');
      await take(2);
      const creating = create(contactWith(1, 2));
      const waiting = async () => (await stores.pool.query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")).rows.length;
      await eventually(async () => (await waiting()) === 1);
      // PostgreSQL ends the one that has waited longer.
      await take(1);
      await client.query('ROLLBACK');
      expect(await creating).toEqual({ kind: 'written' });
      expect(await stores.contacts.findByPhone(company.companyId, phoneNumber(2))).toMatchObject({ phones: [{ phone: phoneNumber(1) }, { phone: phoneNumber(2) }] });
    } finally {
      client.release();
    }
  });
});
