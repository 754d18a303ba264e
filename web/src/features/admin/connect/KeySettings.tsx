import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Trans, useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/i18n/format.ts';
import type { IntegrationView } from '../../../../../src/contract/integrations.ts';
import { useUpdateIntegration } from './integrationQueries.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Section } from '../components/Section.tsx';
import { ShownOnce } from './ShownOnce.tsx';

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
