import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Trans, useTranslation } from 'react-i18next';
import { useState } from 'react';
import type { IntegrationView } from '../../../../../src/contract/integrations.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { ShownOnce } from './ShownOnce.tsx';
import { useUpdateIntegration } from './integrationQueries.ts';

type Props = { integration: IntegrationView };

/** The company's API key: its beginning, and a new one in its place. */
export function KeySettings({ integration: { api_key_prefix: prefix, api_key_issued_at: issuedAt } }: Props) {
  const format = useFormat();
  const { t } = useTranslation();
  const rotate = useUpdateIntegration();
  const [isAsking, { open, close }] = useDisclosure(false);

  function ask(): void {
    // What an earlier answer was is no part of a new question.
    rotate.reset();
    open();
  }

  return (
    <Section
      title={t('admin.connect.key.title')}
      note={t('admin.connect.key.note')}
      actions={
        <Button variant="default" size="xs" onClick={ask}>
          {t(prefix === null ? 'admin.connect.key.make' : 'admin.connect.key.rotate')}
        </Button>
      }
    >
      {prefix === null ? (
        <Text size="sm">{t('admin.connect.key.none')}</Text>
      ) : (
        <Text size="sm">
          <Trans
            t={t}
            i18nKey={issuedAt === null ? 'admin.connect.key.begins' : 'admin.connect.key.beginsSince'}
            values={{ prefix, time: issuedAt === null ? '' : format.exact(issuedAt) }}
            components={{ code: <code /> }}
          />
        </Text>
      )}
      <Confirm
        isOpen={isAsking}
        title={t(prefix === null ? 'admin.connect.key.makeTitle' : 'admin.connect.key.rotateTitle')}
        action={t(prefix === null ? 'admin.connect.key.make' : 'admin.connect.key.rotate')}
        isBusy={rotate.isPending}
        error={rotate.error}
        onClose={close}
        onConfirm={() => rotate.run({ rotate_api_key: true }, { onSuccess: close })}
      >
        <Text size="sm">
          {prefix === null ? t('admin.connect.key.makeText') : t('admin.connect.key.rotateText', { prefix })}
        </Text>
      </Confirm>
      <ShownOnce saved={rotate.data} isExpected={rotate.isPending} onStored={rotate.reset} />
    </Section>
  );
}

type Change = 'rotate' | 'revoke';

type SecretSettingsProps = { integration: IntegrationView };

/** What webhooks are signed with. */
export function SecretSettings({ integration }: SecretSettingsProps) {
  const format = useFormat();
  const { t } = useTranslation();
  const { webhook_secret_set: isSet, webhook_secret_previous_until: previousUntil } = integration;
  const change = useUpdateIntegration();
  const [asked, setAsked] = useState<Change | null>(null);
  const [last, setLast] = useState<Change>('rotate');

  function ask(next: Change): void {
    change.reset();
    setLast(next);
    setAsked(next);
  }

  function confirm(): void {
    change.run(
      { webhook_secret: last === 'rotate' ? 'rotate' : null },
      {
        onSuccess: () => {
          setAsked(null);
          if (last === 'revoke') toast(t('admin.connect.secret.unsigned'));
        },
      },
    );
  }

  const step = last === 'revoke' ? last : isSet ? 'rotate' : 'create';
  return (
    <Section
      title={t('admin.connect.secret.title')}
      note={t('admin.connect.secret.note')}
      actions={
        <>
          <Button size="xs" variant="default" onClick={() => ask('rotate')}>
            {t(isSet ? 'admin.connect.secret.rotate' : 'admin.connect.secret.create')}
          </Button>
          {isSet && (
            <Button size="xs" variant="default" onClick={() => ask('revoke')}>
              {t('admin.connect.secret.revoke')}
            </Button>
          )}
        </>
      }
    >
      <Text size="sm">
        {t(isSet ? 'admin.connect.secret.set' : 'admin.connect.secret.notSet')}
        {previousUntil !== null && ` ${t('admin.connect.secret.until', { time: format.exact(previousUntil) })}`}
      </Text>
      <Confirm
        isOpen={asked !== null}
        title={t(`admin.connect.secret.${step}Title`)}
        action={t(step === 'revoke' ? 'admin.connect.secret.revoke' : `admin.connect.secret.${step}Action`)}
        isBusy={change.isPending}
        error={change.error}
        onClose={() => setAsked(null)}
        onConfirm={confirm}
      >
        <Text size="sm">{t(`admin.connect.secret.${step}Text`)}</Text>
      </Confirm>
      <ShownOnce saved={change.data} isExpected={change.isPending && last === 'rotate'} onStored={change.reset} />
    </Section>
  );
}
