import { useState } from 'react';
import { Button, Group, Radio, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { CopyField } from '../components/Copyable.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { type ConnectableCrm, type ConnectCrm, useConnectCrm } from './crmQueries.ts';
import { inWords } from './fieldTexts.ts';
import {
  fieldSets,
  filledIn,
  initialValues,
  isLogInSet,
  type SchemaField,
  tellingTitles,
  typedFields,
} from './schemaFields.ts';
import { SchemaFields } from './SchemaFields.tsx';

type Values = { credentials: Record<string, string>; options: Record<string, string> };

type Props = {
  provider: ConnectableCrm;
  /** `isLogIn`: only an app is known now, and an admin has still to log in. */
  onConnected: (isLogIn: boolean) => void;
  /** What is connected already keeps its options. */
  isReplacing?: boolean;
};

/** The provider's own fields. Nothing is kept of them here: the gateway proves them, and then seals them. */
export function ConnectForm({ provider, onConnected, isReplacing = false }: Props) {
  const { t } = useTranslation();
  const inLanguage = (set: readonly SchemaField[]) => set.map((field) => inWords(t, provider.id, field));
  const sets = fieldSets(provider.credentials).map(inLanguage);
  const options = isReplacing ? [] : inLanguage(fieldSets(provider.options)[0] ?? []);
  const [way, setWay] = useState(0);
  const isLogIn = isLogInSet(sets, sets[way] ?? [], canLogIn(provider));
  const fields = typedFields(sets[way] ?? [], isLogIn);
  const record = useRecordForm<Values, ConnectCrm, unknown>(
    { credentials: initialValues(sets), options: initialValues([options]) },
    {
      action: useConnectCrm(),
      body: (_changes, { credentials, options: chosen }) => ({
        provider: provider.id,
        credentials: filledIn(fields, credentials),
        ...(options.length === 0 ? {} : { options: filledIn(options, chosen) }),
      }),
      validate: ({ credentials }) => missingIn(t, 'credentials', fields, credentials),
      fieldOf: (path) => shownAt(path, fields),
      onSaved: () => onConnected(isLogIn),
    },
  );
  const { form, error } = record;
  const connectText = t(isReplacing ? 'admin.crm.credentials.replace' : 'admin.crm.connect.connect');

  return (
    <RecordPanel
      record={record}
      fields={isAtFields(error) ? ['credentials', 'options'] : []}
      end={
        <Group>
          <Button type="submit" loading={record.isSaving}>
            {isLogIn ? t('admin.crm.connect.store') : connectText}
          </Button>
        </Group>
      }
    >
      {sets.length > 1 && (
        <Radio.Group
          label={t('admin.crm.connect.way')}
          value={String(way)}
          onChange={(chosen) => setWay(Number(chosen))}
        >
          <Stack gap={6} mt={6}>
            {sets.map((set, index) => (
              <Radio key={index} value={String(index)} label={wayLabel(t, provider, sets, set)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {isLogIn && (
        <CopyField
          label={t('admin.crm.logIn.redirect')}
          description={t('admin.crm.logIn.redirectHint', { name: provider.name })}
          value={redirectUrl(provider.id)}
        />
      )}
      <SchemaFields fields={fields} bind={(name) => form.getInputProps(`credentials.${name}`)} />
      {options.length > 0 && (
        <>
          <Title order={3}>{t('admin.crm.settings.own', { name: provider.name })}</Title>
          <SchemaFields fields={options} bind={(name) => form.getInputProps(`options.${name}`)} />
        </>
      )}
    </RecordPanel>
  );
}

/** Whether an admin can log in at the provider. */
function canLogIn(provider: ConnectableCrm): boolean {
  return provider.authorization === true;
}

/** Where the provider sends the browser back to, as its app has to know it. */
function redirectUrl(id: string): string {
  return `${window.location.origin}/api/integrations/crm/authorize/${id}/callback`;
}

function wayLabel(
  t: Translate,
  provider: ConnectableCrm,
  sets: readonly SchemaField[][],
  set: readonly SchemaField[],
): string {
  const isLogIn = isLogInSet(sets, set, canLogIn(provider));
  if (isLogIn) return t('admin.crm.connect.byLogIn', { name: provider.name });
  return tellingTitles(sets, typedFields(set, isLogIn)).join(', ');
}

function missingIn(
  t: Translate,
  part: string,
  fields: readonly SchemaField[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const missing = fields.filter(({ name, isRequired }) => isRequired && (values[name] ?? '').trim() === '');
  return Object.fromEntries(missing.map(({ name }) => [`${part}.${name}`, t('shared.cause.required')]));
}

/** What is said of the credentials as a whole stands at the secret, which most often is what is wrong. */
function shownAt(path: string, fields: readonly SchemaField[]): string {
  if (fields.some(({ name }) => path === `credentials.${name}`) || !path.startsWith('credentials')) return path;
  const field = fields.findLast(({ isSecret }) => isSecret) ?? fields[0];
  return field === undefined ? path : `credentials.${field.name}`;
}

function isAtFields(error: unknown): boolean {
  return error instanceof ApiProblem && error.errors.length > 0;
}
