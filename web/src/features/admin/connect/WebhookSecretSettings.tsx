import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { IntegrationView } from '../../../../../src/contract/integrations.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { useAsked } from '../components/useAsked.ts';
import { ShownOnce } from './ShownOnce.tsx';
import { useUpdateIntegration } from './integrationQueries.ts';

type Change = 'rotate' | 'revoke';

type Props = { integration: IntegrationView };

/** What webhooks are signed with. */
export function WebhookSecretSettings({ integration }: Props) {
  const format = useFormat();
  const { t } = useTranslation();
  const { webhook_secret_set: isSet, webhook_secret_previous_until: previousUntil } = integration;
  const change = useUpdateIntegration();
  const { isOpen, about, ask, close } = useAsked<Change>('rotate', change);

  function confirm(): void {
    change.run(
      { webhook_secret: about === 'rotate' ? 'rotate' : null },
      {
        onSuccess: () => {
          close();
          if (about === 'revoke') toast(t('admin.connect.secret.unsigned'));
        },
      },
    );
  }

  const step = about === 'revoke' ? about : isSet ? 'rotate' : 'create';
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
        isOpen={isOpen}
        title={t(`admin.connect.secret.${step}Title`)}
        action={t(step === 'revoke' ? 'admin.connect.secret.revoke' : `admin.connect.secret.${step}Action`)}
        isBusy={change.isPending}
        error={change.error}
        onClose={close}
        onConfirm={confirm}
      >
        <Text size="sm">{t(`admin.connect.secret.${step}Text`)}</Text>
      </Confirm>
      <ShownOnce saved={change.data} isExpected={change.isPending && about === 'rotate'} onStored={change.reset} />
    </Section>
  );
}
