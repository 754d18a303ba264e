import { Anchor, Button, List } from '@mantine/core';
import { Link } from 'react-router';
import { Trans, useTranslation } from 'react-i18next';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { CodeSample } from '../components/Copyable.tsx';
import { connectable } from '../crm/crmQueries.ts';
import { StepPanel } from './StepPanel.tsx';
import { unconnected, type Unconnected } from './integrationQueries.ts';

type Props = { overview: IntegrationOverview; onDone: () => void };

/** What to do with the key. */
export function DoneStep({ overview, onDone }: Props) {
  const { t } = useTranslation();
  const off = unconnected(t, overview);
  const crm = connectable(overview).find(({ id }) => id === overview.integration.crm_provider && id !== 'custom');
  return (
    <StepPanel
      title={titleOf(t, off)}
      note={[
        ...off.map(({ note }) => note),
        t(off.length === 0 ? 'admin.connect.done.wholeNote' : 'admin.connect.done.partlyNote'),
      ].join(' ')}
      actions={
        <>
          {crm !== undefined && (
            <Button component={Link} to={`/connect/crm?provider=${crm.id}`}>
              {t('admin.connect.crm.connect', { name: crm.name })}
            </Button>
          )}
          <Button type="submit" variant={crm === undefined ? 'filled' : 'default'}>
            {t('admin.connect.done.toSettings')}
          </Button>
        </>
      }
      onSubmit={onDone}
    >
      <Snippets />
      <List size="sm" spacing={4}>
        <List.Item>
          <Trans
            t={t}
            i18nKey="admin.connect.done.agents"
            components={{ anchor: <Anchor component={Link} to="/agents" underline="always" size="sm" /> }}
          />
        </List.Item>
        <List.Item>
          <Trans
            t={t}
            i18nKey="admin.connect.done.telephony"
            components={{ anchor: <Anchor component={Link} to="/telephony" underline="always" size="sm" /> }}
          />
        </List.Item>
        <List.Item>
          <Trans
            t={t}
            i18nKey="admin.connect.done.docs"
            components={{ anchor: <Anchor href="/docs" underline="always" size="sm" /> }}
          />
        </List.Item>
      </List>
    </StepPanel>
  );
}

function titleOf(t: Translate, [one, other]: readonly Unconnected[]): string {
  if (one === undefined) return t('admin.connect.done.whole');
  return other === undefined
    ? t('admin.connect.done.partly', { one: one.name })
    : t('admin.connect.done.partlyBoth', { one: one.name, other: other.name });
}

const push = (origin: string) => `curl ${origin}/api/integrations/inbound \\
  -H 'content-type: application/json' -H "X-Service-Api-Key: $READYLINE_KEY" \\
  -d '{"phone_number": "+15551230001", "data": {"name": "Grace Hopper", "open_tickets": 2}, "tier": "gold"}'`;

const click = (origin: string) => `curl ${origin}/api/integrations/cti/click-to-dial \\
  -H 'content-type: application/json' -H "X-Service-Api-Key: $READYLINE_KEY" \\
  -d '{"phone_number": "+15551230001"}'`;

/** The two requests that a CRM makes, ready to be pasted into a terminal. */
export function Snippets() {
  const { t } = useTranslation();
  const { origin } = window.location;
  return (
    <>
      <CodeSample title={t('admin.connect.requests.push')} text={push(origin)} />
      <CodeSample title={t('admin.connect.requests.click')} text={click(origin)} />
    </>
  );
}
