import { Button, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import type { IntegrationView } from '../../../../../src/contract/integrations.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Section } from '../components/Page.tsx';
import { useAsked } from '../components/useAsked.ts';
import { ShownOnce } from '../connect/ShownOnce.tsx';
import { useUpdateIntegration } from '../connect/integrationQueries.ts';

type Props = { integration: IntegrationView };

/** The company's API key: its beginning, and a new one in its place. */
export function ApiKeySettings({ integration: { api_key_prefix: prefix, api_key_issued_at: issuedAt } }: Props) {
  const format = useFormat();
  const { t } = useTranslation();
  const rotate = useUpdateIntegration();
  const { isOpen, ask, close } = useAsked(null, rotate);
  return (
    <Section
      title={t('admin.connect.key.title')}
      note={t('admin.connect.key.note')}
      actions={
        <Button variant="default" size="xs" onClick={() => ask(null)}>
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
        isOpen={isOpen}
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
