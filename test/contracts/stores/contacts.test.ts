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

  function contactWith(number: number | null, externalId: string | null): Contact {
    const phones = number === null ? [] : [{ phone: phoneNumber(number), label: null, isPrimary: false }];
    return {
      ...emptyContact,
      phones,
      externalId,
      companyId: company.companyId,
      id: toId<ContactId>(newId()),
      version: 1,
      createdAt: after(0),
      updatedAt: after(0),
    };
  }
  const create = (contact: Contact) =>
    stores.contacts.create(contact, { id: newId(), at: after(0), kind: 'created', by: null, text: null, edits: [] });

  it('are written although one of them waited for the other, and the other for it', async () => {
    const holder = contactWith(null, null);
    await create(holder);
    const client = await stores.pool.connect();
    try {
      await client.query('BEGIN');
      // PostgreSQL ends the one that looks for the deadlock first, a second after it began to wait.
      await client.query("SET LOCAL deadlock_timeout = '60s'");
      await client.query("UPDATE contact SET external_id = 'C-1' WHERE company_id = $1 AND id = $2", [
        company.companyId,
        holder.id,
      ]);
      // Within PostgreSQL, so that it is done long before that second is over, however busy this machine is.
      const taking = client.query(`DO $$ BEGIN
        WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))
          LOOP PERFORM pg_sleep(0.01); END LOOP;
        PERFORM pg_advisory_xact_lock(hashtextextended('contact phone ${company.companyId} ${phoneNumber(1)}', 0));
      END $$`);
      const creating = create(contactWith(1, 'C-1'));
      await taking;
      await client.query('ROLLBACK');
      expect(await creating).toEqual({ kind: 'written' });
      expect(await stores.contacts.findByPhone(company.companyId, 'all', phoneNumber(1))).toMatchObject([
        { externalId: 'C-1' },
      ]);
    } finally {
      client.release();
    }
  });
});
