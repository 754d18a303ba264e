import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/i18n/format.ts';
import type { Notice } from '../../../../../src/contract/integrations.ts';

type Look = { color: string; icon: typeof IconBan; links: readonly ('toSettings' | 'toLog')[] };

const paths = { toSettings: '/connect', toLog: '/deliveries' } as const;

/** How each notice looks, and where it is put right. */
const looks: Record<Notice['code'], Look> = {
  webhook_disabled: { color: 'red', icon: IconBan, links: ['toSettings', 'toLog'] },
  webhook_paused: { color: 'red', icon: IconAlertTriangle, links: ['toLog', 'toSettings'] },
  webhook_failing: { color: 'orange', icon: IconAlertTriangle, links: ['toLog'] },
  webhook_secret_overlap: { color: 'blue', icon: IconInfoCircle, links: ['toSettings'] },
  webhook_unsigned: { color: 'orange', icon: IconAlertTriangle, links: ['toSettings'] },
};

type Props = { notices: readonly Notice[] };

/** What asks for attention, the most urgent first. */
export function Notices({ notices }: Props) {
  const { t } = useTranslation();
  if (notices.length === 0) return null;
  return (
    <Stack component="section" aria-label={t('admin.notices.label')} gap="xs">
      {notices.map((notice) => (
        <OneNotice key={notice.code} notice={notice} />
      ))}
    </Stack>
  );
}

function OneNotice({ notice: { code, params, since } }: { notice: Notice }) {
  const format = useFormat();
  const { t } = useTranslation();
  const { color, icon: Icon, links } = looks[code];
  return (
    <Alert color={color} variant="light" icon={<Icon size={18} />} title={t(`admin.notices.${code}.title`)} role="note" p="sm">
      <Text size="sm" maw="100ch">
        {t(`admin.notices.${code}.advice`)}
      </Text>
      <Group gap="md" mt={4}>
        {links.map((link) => (
          <Anchor key={link} component={Link} to={paths[link]} size="sm" underline="always" c="inherit">
            {t(`admin.notices.${link}`)}
          </Anchor>
        ))}
        {since !== null && (
          <Text size="sm">{t('admin.notices.since', { time: format.exact(since) })}</Text>
        )}
      </Group>
      {code !== 'webhook_unsigned' && params !== undefined && (
        <Text size="xs" maw="100ch" mt={4}>
          {t(`admin.notices.${code}.what`, {
            failures: params.failures ?? 0,
            reason: params.reason ?? '',
            until: params.until === undefined ? '' : format.exact(params.until),
            recoverSince: params.recover_since === undefined ? '' : format.exact(params.recover_since),
          })}
        </Text>
      )}
    </Alert>
  );
}
