import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { standardReasons } from '../../../../../src/contract/vocabulary.ts';
import { companyQuery } from './companyQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { CodeListForm } from './CodeListForm.tsx';
import { CompanyForm } from './CompanyForm.tsx';

/** How the company's calls are wrapped up, and why agents are Not Ready. */
export function CompanyPage() {
  const company = useQuery(companyQuery);
  return (
    <Page title="Call handling" isNarrow>
      <Loaded query={company}>
        {(data) => (
          <>
            <CompanyForm company={data} />
            <CodeListForm
              field="dispositions"
              title="Dispositions"
              note="What an agent says became of a call, in this order. The code is sent in webhooks; the label is what agents read."
              stored={data.dispositions}
              noun="disposition"
            />
            <CodeListForm
              field="not_ready_reasons"
              title="Not Ready reasons"
              note={
                <>
                  Reasons of your own. Every company has these besides:{' '}
                  <Text span ff="monospace" size="sm">
                    {standardReasons.join(', ')}
                  </Text>
                  .
                </>
              }
              stored={data.not_ready_reasons}
              noun="reason"
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
