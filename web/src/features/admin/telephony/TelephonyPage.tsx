import { Alert, Anchor, List, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Trans, useTranslation } from 'react-i18next';
import { agentsQuery } from '../agents/agentQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { Section } from '../components/Section.tsx';
import { TelephonyForm } from './TelephonyForm.tsx';
import { telephonyQuery } from './telephonyQueries.ts';

/** How the agents telephone. */
export function TelephonyPage() {
  const { t } = useTranslation();
  const telephony = useQuery(telephonyQuery);
  return (
    <Page title={t('admin.pages.telephony')} isNarrow>
      <Loaded query={telephony}>
        {(data) => (
          <>
            {data.demo_carrier && (
              <Alert variant="light" icon={<IconInfoCircle size={18} />} title={t('admin.telephony.demo.title')} role="note">
                {t('admin.telephony.demo.text')}
              </Alert>
            )}
            <TelephonyForm telephony={data} />
            {data.mode === 'sip' && <AgentsWithoutAccount />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** More are told by their number. */
const namedAtMost = 20;

/** Which agents cannot telephone for want of a SIP user or secret. Supervisors and admins seldom telephone, and are not listed. */
function AgentsWithoutAccount() {
  const { t } = useTranslation();
  const agents = useQuery(agentsQuery);
  return (
    <Section
      title={t('admin.telephony.lacking.title')}
      note={t('admin.telephony.lacking.note')}
    >
      <Loaded query={agents}>
        {(all) => {
          const lacking = all.filter((agent) => agent.active && agent.role === 'agent' && (agent.sip_user === null || !agent.sip_secret_set));
          if (lacking.length === 0) return <Text size="sm">{t('admin.telephony.lacking.none')}</Text>;
          return (
            <>
              <List size="sm" spacing={2}>
                {lacking.slice(0, namedAtMost).map((agent) => (
                  <List.Item key={agent.id}>
                    <Trans
                      t={t}
                      i18nKey={agent.sip_user === null ? 'admin.telephony.lacking.noUser' : 'admin.telephony.lacking.noSecret'}
                      values={{ name: agent.name, code: agent.agent_code }}
                      components={{ anchor: <Anchor component={Link} to={`/agents?agent=${agent.id}`} size="sm" underline="always" /> }}
                    />
                  </List.Item>
                ))}
              </List>
              {lacking.length > namedAtMost && <Text size="sm">{t('admin.telephony.lacking.more', { number: lacking.length - namedAtMost })}</Text>}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
