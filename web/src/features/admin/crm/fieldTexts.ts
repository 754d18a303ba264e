import { crmProviders } from '../../../../../src/contract/vocabulary.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import type { SchemaField } from './schemaFields.ts';

const known = new Set<string>(crmProviders.map(({ id }) => id));

/**
 * A provider's field with title and description in the page's language: the provider's own text,
 * else the one that fields of that name share. Of a provider that this page does not know, as its schema has them.
 */
export function inWords(t: Translate, provider: string, field: SchemaField): SchemaField {
  if (!known.has(provider)) return field;
  const own = `${provider}_${field.name}`;
  const title =
    t(`admin.crm.field.title.${own as 'salesforce_domain'}`, { defaultValue: '' }) ||
    t(`admin.crm.field.title.${field.name as 'domain'}`, { defaultValue: '' });
  const hint = t(`admin.crm.field.hint.${own as 'salesforce_domain'}`, { defaultValue: '' });
  return { ...field, title: title || field.title, description: hint || field.description };
}
