import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Page } from '../components/Page.tsx';
import { AddNumber } from './AddNumber.tsx';
import { ListFiles } from './ListFiles.tsx';
import { NumberList } from './NumberList.tsx';

/** The numbers that nobody of the company dials. */
export function DoNotDialPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('doNotDial.title')} isNarrow>
      <Text size="sm">{t('doNotDial.note')}</Text>
      <AddNumber />
      <NumberList />
      <ListFiles />
    </Page>
  );
}
