import { EmptyState } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { AreaPage } from './AreaPage.tsx';

/** For an address that leads nowhere. */
export function UnknownPage() {
  const { t } = useTranslation();
  return (
    <AreaPage title={t('crmArea.shell.unknown')}>
      <EmptyState
        icon={<IconMapQuestion />}
        title={t('crmArea.shell.unknownTitle')}
        description={t('crmArea.shell.unknownText')}
      />
    </AreaPage>
  );
}
