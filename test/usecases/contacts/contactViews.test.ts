import { describe, expect, it } from 'vitest';
import type { Contact } from '../../../src/domain/contacts.ts';
import { toId } from '../../../src/domain/ids.ts';
import { contactPop } from '../../../src/usecases/contacts/contactViews.ts';
import { emptyContact } from '../../../src/usecases/contacts/readContent.ts';

describe('a contact on the screen pop', () => {
  const id = '01a210dd-a630-73ec-ac0d-000000000002';
  const at = new Date(0);
  const contact: Contact = {
    ...emptyContact,
    companyId: toId('01a210dd-a630-73ec-ac0d-000000000001'),
    id: toId(id),
    version: 1,
    createdAt: at,
    updatedAt: at,
    notes: 'Prefers mail',
  };
  const field = (key: string) => ({ key, label: key, kind: 'text' as const });

  it('shows what every contact has, and fields in their order', () => {
    const fields = ['10', 'constructor', '2'].map(field);
    expect(contactPop({ ...contact, fields: { 2: 'two', 10: 'ten' } }, fields).crm?.text).toBe(
      '{"notes":"Prefers mail","10":"ten","2":"two"}',
    );
  });

  it('has no record of its own where there is nothing to tell', () => {
    expect(contactPop({ ...contact, notes: null }, [field('plan')])).toEqual({ contact_id: id });
  });
});
