import { Anchor, Button, List } from '@mantine/core';
import { Link } from 'react-router';
import { Trans, useTranslation } from 'react-i18next';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { CodeSample } from '../components/Copyable.tsx';
import { StepPanel } from './StepPanel.tsx';

type Props = {
  /** Chosen, and nothing is exchanged with them. */
  unconnected: readonly string[];
  onDone: () => void;
};

/** What to do with the key. */
export function DoneStep({ unconnected, onDone }: Props) {
  const { t } = useTranslation();
  const [one, other] = unconnected;
  return (
    <StepPanel
      title={titleOf(t, one, other)}
      note={noteOf(t, one, other)}
      actions={<Button type="submit">{t('admin.connect.done.toSettings')}</Button>}
      onSubmit={onDone}
    >
      <Snippets />
      <List size="sm" spacing={4}>
        <List.Item>
          <Trans t={t} i18nKey="admin.connect.done.agents" components={{ anchor: <Anchor component={Link} to="/agents" underline="always" size="sm" /> }} />
        </List.Item>
        <List.Item>
          <Trans t={t} i18nKey="admin.connect.done.telephony" components={{ anchor: <Anchor component={Link} to="/telephony" underline="always" size="sm" /> }} />
        </List.Item>
        <List.Item>
          <Trans t={t} i18nKey="admin.connect.done.docs" components={{ anchor: <Anchor href="/docs" underline="always" size="sm" /> }} />
        </List.Item>
      </List>
    </StepPanel>
  );
}

function titleOf(t: Translate, one?: string, other?: string): string {
  if (one === undefined) return t('admin.connect.done.whole');
  return other === undefined ? t('admin.connect.done.partly', { one }) : t('admin.connect.done.partlyBoth', { one, other });
}

function noteOf(t: Translate, one?: string, other?: string): string {
  if (one === undefined) return t('admin.connect.done.wholeNote');
  return other === undefined ? t('admin.connect.done.partlyNote', { one }) : t('admin.connect.done.partlyBothNote', { one, other });
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
