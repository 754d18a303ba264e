import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Trans, useTranslation } from 'react-i18next';
import { standardReasons } from '../../../../../src/contract/vocabulary.ts';
import { companyQuery } from './companyQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { CodeListForm } from './CodeListForm.tsx';
import { CompanyForm } from './CompanyForm.tsx';

/** How the company's calls are wrapped up, and why agents are Not Ready. */
export function CompanyPage() {
  const { t } = useTranslation();
  const company = useQuery(companyQuery);
  return (
    <Page title={t('admin.pages.company')} isNarrow>
      <Loaded query={company}>
        {(data) => (
          <>
            <CompanyForm company={data} />
            <CodeListForm
              field="dispositions"
              note={t('admin.company.dispositions.note')}
              stored={data.dispositions}
            />
            <CodeListForm
              field="not_ready_reasons"
              note={
                <Trans
                  t={t}
                  i18nKey="admin.company.not_ready_reasons.note"
                  values={{ codes: standardReasons.join(', ') }}
                  components={{ codes: <Text span ff="monospace" size="sm" /> }}
                />
              }
              stored={data.not_ready_reasons}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
