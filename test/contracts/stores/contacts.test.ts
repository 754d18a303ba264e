import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '../../../src/domain/contacts.ts';
import { toId, type ContactId } from '../../../src/domain/ids.ts';
import { emptyContact } from '../../../src/usecases/contacts/readContent.ts';
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
      // PostgreSQL ends the one that looks for the deadlock first, a second after it began to wait.
      await client.query("SET LOCAL deadlock_timeout = '60s'");
      await take(2);
      // Within PostgreSQL, so that it is done long before that second is over, however busy this machine is.
      const taking = client.query(`DO $$ BEGIN
        WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))) LOOP PERFORM pg_sleep(0.01); END LOOP;
        INSERT INTO contact_phone (company_id, phone, contact_id, position) VALUES ('${company.companyId}', '${phoneNumber(1)}', '${holder.id}', 1);
      END $$`);
      const creating = create(contactWith(1, 2));
      await taking;
      await client.query('ROLLBACK');
      expect(await creating).toEqual({ kind: 'written' });
      expect(await stores.contacts.findByPhone(company.companyId, 'all', phoneNumber(2))).toMatchObject({ phones: [{ phone: phoneNumber(1) }, { phone: phoneNumber(2) }] });
    } finally {
      client.release();
    }
  });
});
