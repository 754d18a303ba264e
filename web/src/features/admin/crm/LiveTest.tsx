import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CrmPreview } from '../../../../../src/contract/crm.ts';
import { ApiProblem } from '../../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { CodeSample } from '../components/Copyable.tsx';
import { Facts } from '../components/Facts.tsx';
import { Section } from '../components/Page.tsx';
import { fieldErrors } from '../../../shared/form/fieldErrors.ts';
import { CrmProblem } from './CrmTrouble.tsx';
import { usePreviewCrm } from './crmQueries.ts';

/** Types a number, sees what would pop. */
export function LiveTest({ name }: { name: string }) {
  const { t } = useTranslation();
  const preview = usePreviewCrm();
  const form = useForm({ initialValues: { phone_number: '' } });
  const isAtField =
    preview.error instanceof ApiProblem && preview.error.errors.some(({ path }) => path === 'phone_number');

  function submit({ phone_number: phone }: { phone_number: string }): void {
    if (phone.trim() === '') return form.setErrors({ phone_number: t('shared.cause.required') });
    preview.run(phone.trim(), { onError: (error) => form.setErrors(fieldErrors(t, error)) });
  }

  return (
    <Section title={t('admin.crm.live.title')} note={t('admin.crm.live.note', { name })}>
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('admin.crm.live.phone')}
            placeholder="+14155550123"
            type="tel"
            {...form.getInputProps('phone_number')}
            error={null}
            aria-invalid={form.errors['phone_number'] !== undefined}
            flex="1 1 200px"
            maw={320}
          />
          <Button type="submit" loading={preview.isPending}>
            {t('admin.crm.live.run')}
          </Button>
        </Group>
        {form.errors['phone_number'] !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" mt={4} role="alert">
            {form.errors['phone_number']}
          </Text>
        )}
      </form>
      <div aria-live="polite">{preview.data !== undefined && <Found preview={preview.data} name={name} />}</div>
      {!isAtField && <CrmProblem error={preview.error} />}
    </Section>
  );
}

type FoundProps = { preview: CrmPreview; name: string };

function Found({
  preview: { outcome, phone_number: phone, took_ms: ms, screen_pop: pop, requests },
  name,
}: FoundProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t(`admin.crm.live.${outcome}`, { phone, name, number: pop.candidates?.length ?? 0 })}{' '}
        <Text span size="sm" c="dimmed">
          {t('admin.crm.live.took', { ms })}
        </Text>
      </Text>
      {outcome === 'one' && (
        <>
          <Facts labelWidth="140px" gap={4} facts={factsOf(t, pop)} />
          {pop.record_url !== undefined && <OpenRecord url={pop.record_url} name={name} />}
        </>
      )}
      {pop.candidates?.map(({ object, id, name: who, email, record_url: url }) => (
        <Group key={`${object} ${id}`} gap="md">
          <Text size="sm">
            {who ?? id}{' '}
            <Text span size="sm" c="dimmed">
              {[object, email].filter((part) => part !== null).join(' · ')}
            </Text>
          </Text>
          {url !== null && <OpenRecord url={url} name={name} />}
        </Group>
      ))}
      {outcome === 'several' && <Text size="sm">{t('admin.crm.live.choose')}</Text>}
      <Requests requests={requests} />
    </Stack>
  );
}

/** What is sent, for whoever wrote the templates of a CRM of their own, or wonders why nobody is found. */
function Requests({ requests }: Pick<CrmPreview, 'requests'>) {
  const { t } = useTranslation();
  return (
    <details>
      <Text component="summary" size="sm">
        {t('admin.crm.live.requests')}
      </Text>
      <Stack gap="xs" mt="xs">
        {requests.map(({ purpose, method, url, body }, index) => (
          <CodeSample
            key={index}
            title={t(`admin.crm.live.request.${purpose}`)}
            text={[`${method} ${url}`, ...(body === null ? [] : [body])].join('\n\n')}
          />
        ))}
      </Stack>
    </details>
  );
}

function OpenRecord({ url, name }: { url: string; name: string }) {
  const { t } = useTranslation();
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm" underline="always">
      <Group gap={4} component="span">
        {t('admin.crm.live.open', { name })}
        <IconExternalLink size={14} aria-hidden />
      </Group>
    </Anchor>
  );
}

function wordOf(t: Translate, field: 'name' | 'email' | 'phone' | 'account' | 'tier' | 'tickets'): string {
  return t(`admin.crm.live.fields.${field}`);
}

/** Each field that would pop; those that only this CRM has, by their names there. */
function factsOf(
  t: Translate,
  { name, email, phone, vip_tier: tier, crm = {} }: CrmPreview['screen_pop'],
): [string, string][] {
  const { name: _name, email: _email, account_number: account, open_tickets: tickets, ...others } = crm;
  const known: [Parameters<typeof wordOf>[1], unknown][] = [
    ['name', name],
    ['email', email],
    ['phone', phone],
    ['account', account],
    ['tier', tier],
    ['tickets', tickets],
  ];
  const facts: [string, unknown][] = [
    ...known.map(([field, value]): [string, unknown] => [wordOf(t, field), value]),
    ...Object.entries(others),
  ];
  return facts.flatMap(([label, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [[label, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string]],
  );
}
