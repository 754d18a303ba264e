import { Alert, Anchor, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CrmConnectionView } from '../../../../../src/contract/crm.ts';
import { ApiProblem, fieldText } from '../../../lib/gateway/apiProblem.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { problemText } from '../components/Loaded.tsx';

type Props = {
  connection: CrmConnectionView;
  /** Not on the page where it is put right. */
  isElsewhere?: boolean;
};

/** What keeps the CRM from being asked, in its own words, and what to do about it. */
export function CrmTrouble({
  connection: { name, state, detail, paused_until: pausedUntil, paused_because: because },
  isElsewhere = false,
}: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const way = isElsewhere && (
    <Anchor component={Link} to="/connect/crm" size="sm" underline="always" c="inherit">
      {t('admin.crm.trouble.toPage')}
    </Anchor>
  );
  if (state !== 'needs_attention' && state !== 'needs_login' && pausedUntil === null) return null;
  return (
    <Stack gap="xs">
      {state === 'needs_login' && (
        <Trouble color="orange" title={t('admin.crm.trouble.login.title', { name })} way={way}>
          <Text size="sm">{t('admin.crm.trouble.login.text', { name })}</Text>
        </Trouble>
      )}
      {state === 'needs_attention' && (
        <Trouble color="red" title={t('admin.crm.trouble.refused.title', { name })} way={way}>
          {detail !== null && <Text size="sm">{t('admin.crm.trouble.words', { name, words: detail })}</Text>}
          <Text size="sm">{t('admin.crm.trouble.refused.text')}</Text>
        </Trouble>
      )}
      {pausedUntil !== null && (
        <Trouble
          color="orange"
          title={t(`admin.crm.trouble.paused.${because ?? 'no_answer'}.title`, { name })}
          way={way}
        >
          <Text size="sm">
            {t(`admin.crm.trouble.paused.${because ?? 'no_answer'}.text`, { name, time: format.exact(pausedUntil) })}
          </Text>
        </Trouble>
      )}
    </Stack>
  );
}

type TroubleProps = { color: string; title: string; way: ReactNode; children: ReactNode };

function Trouble({ color, title, way, children }: TroubleProps) {
  return (
    <Alert color={color} variant="light" icon={<IconAlertTriangle size={18} />} title={title} role="note" p="sm">
      {children}
      {way}
    </Alert>
  );
}

/** Why the CRM did not do what it was asked to. */
export function CrmProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (error === null) return null;
  const refused = error instanceof ApiProblem ? error.errors.find(({ code }) => code === 'refused_by_crm') : undefined;
  return (
    <Alert color="red" variant="light" role="alert">
      {refused === undefined ? problemText(t, error) : fieldText(t, refused)}
    </Alert>
  );
}
