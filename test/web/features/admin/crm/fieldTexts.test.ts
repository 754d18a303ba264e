import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { providers } from '../../../../../src/providers/registry.ts';
import { inWords } from '../../../../../web/src/features/admin/crm/fieldTexts.ts';
import {
  fieldSets,
  type FieldsSchema,
  type SchemaField,
} from '../../../../../web/src/features/admin/crm/schemaFields.ts';
import { english } from '../../../../support/web/english.ts';

const fieldsOf = (schema: z.ZodType) =>
  fieldSets(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as FieldsSchema).flat();
const shown = ({ title, description }: SchemaField) => ({ title, description });

describe('the fields of a CRM', () => {
  it.each(providers.map((provider) => [provider.id, provider] as const))(
    'of %s are called in the catalogs as its schema calls them',
    (id, provider) => {
      const fields = [...fieldsOf(provider.credentials), ...fieldsOf(provider.options)];
      // Intercom's token is typed in one set and kept by the gateway in the other, where nobody reads of it.
      const read = fields.filter(({ name }, index) => fields.findIndex((one) => one.name === name) === index);
      for (const field of read) {
        expect([field.name, shown(inWords(english, id, { ...field, title: '?', description: '?' }))]).toEqual([
          field.name,
          shown(field),
        ]);
      }
    },
  );

  it('of a CRM that the page does not know are called as its schema calls them', () => {
    const [field] = fieldsOf(
      z.strictObject({ client_id: z.string().meta({ title: 'App key', description: 'Of the harbour' }) }),
    );
    expect(shown(inWords(english, 'harbour', field!))).toEqual({ title: 'App key', description: 'Of the harbour' });
  });
});
