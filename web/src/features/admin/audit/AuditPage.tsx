import { useTranslation } from 'react-i18next';
import { Page } from '../components/Page.tsx';
import { AuditList } from './AuditList.tsx';
import { ErasePerson } from './ErasePerson.tsx';

/** Where an admin erases a person, and sees what was merged and erased. */
export function AuditPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('admin.pages.audit')} isNarrow>
      <ErasePerson />
      <AuditList />
    </Page>
  );
}
