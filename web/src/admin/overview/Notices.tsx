import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Notice } from '../../../../src/contract/integrations.ts';
import { Moment } from '../parts/Moment.tsx';

/** How each notice looks, and where it is put right. */
const looks: Record<Notice['code'], { title: string; color: string; icon: typeof IconBan; path: string; link: string }> = {
  webhook_disabled: { title: 'Webhooks are disabled', color: 'red', icon: IconBan, path: '/connect', link: 'To the webhook settings' },
  webhook_paused: { title: 'Webhooks are paused', color: 'red', icon: IconAlertTriangle, path: '/deliveries', link: 'To the delivery log' },
  webhook_failing: { title: 'Webhooks are failing', color: 'orange', icon: IconAlertTriangle, path: '/deliveries', link: 'To the delivery log' },
  webhook_secret_overlap: { title: 'Two webhook secrets are in use', color: 'blue', icon: IconInfoCircle, path: '/connect', link: 'To the webhook settings' },
  webhook_unsigned: { title: 'Webhooks are not signed', color: 'orange', icon: IconAlertTriangle, path: '/connect', link: 'To the webhook settings' },
};

/** The gateway tells times as the interface does; here they are shown by this computer's clock. */
const isoTime = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

type Props = { notices: readonly Notice[] };

/** What asks for attention, the most urgent first. */
export function Notices({ notices }: Props) {
  if (notices.length === 0) return null;
  return (
    <Stack component="section" aria-label="Notices" gap="xs">
      {notices.map((notice) => (
        <OneNotice key={notice.code} notice={notice} />
      ))}
    </Stack>
  );
}

function OneNotice({ notice: { code, detail, since } }: { notice: Notice }) {
  const { title, color, icon: Icon, path, link } = looks[code];
  return (
    <Alert color={color} variant="light" icon={<Icon size={18} />} title={title} role="note" p="sm">
      <Text size="sm" maw="100ch">
        {detail.split(isoTime).map((part) => (isoTime.test(part) ? <Moment key={part} at={part} /> : part))}
      </Text>
      <Group gap="md" mt={4}>
        {since !== null && (
          <Text size="sm">
            Since <Moment at={since} />
          </Text>
        )}
        <Anchor component={Link} href={path} size="sm" underline="always" c="inherit">
          {link}
        </Anchor>
      </Group>
    </Alert>
  );
}
