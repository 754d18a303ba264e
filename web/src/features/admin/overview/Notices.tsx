import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Notice } from '../../../../../src/contract/integrations.ts';
import { Moment } from '../components/Moment.tsx';

type Look = {
  title: string;
  color: string;
  icon: typeof IconBan;
  /** What to do about it in this console; the gateway's detail speaks to programs. */
  advice: string;
  links: readonly { path: string; text: string }[];
};

const toSettings = { path: '/connect', text: 'To the webhook settings' };
const toLog = { path: '/deliveries', text: 'To the delivery log' };

/** How each notice looks, and where it is put right. */
const looks: Record<Notice['code'], Look> = {
  webhook_disabled: {
    title: 'Webhooks are disabled',
    color: 'red',
    icon: IconBan,
    advice: 'When the receiver is ready, enable the webhook in its settings; or recover what was given up in the delivery log, which enables it as well.',
    links: [toSettings, toLog],
  },
  webhook_paused: {
    title: 'Webhooks are paused',
    color: 'red',
    icon: IconAlertTriangle,
    advice: 'See in the delivery log what the receiver answered. When it is mended, go on at once in the webhook settings.',
    links: [toLog, toSettings],
  },
  webhook_failing: {
    title: 'Webhooks are failing',
    color: 'orange',
    icon: IconAlertTriangle,
    advice: 'See in the delivery log what the receiver answered, and mend it: each webhook is tried again by itself.',
    links: [toLog],
  },
  webhook_secret_overlap: {
    title: 'Two webhook secrets are in use',
    color: 'blue',
    icon: IconInfoCircle,
    advice: 'Give the new secret to every receiver before the old one ends. If the old one has leaked, revoke the secrets in the webhook settings and create a new one.',
    links: [toSettings],
  },
  webhook_unsigned: {
    title: 'Webhooks are not signed',
    color: 'orange',
    icon: IconAlertTriangle,
    advice: 'Create a webhook secret, with which a receiver can toast your webhooks from forged ones.',
    links: [toSettings],
  },
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
  const { title, color, icon: Icon, advice, links } = looks[code];
  return (
    <Alert color={color} variant="light" icon={<Icon size={18} />} title={title} role="note" p="sm">
      <Text size="sm" maw="100ch">
        {advice}
      </Text>
      <Group gap="md" mt={4}>
        {links.map(({ path, text }) => (
          <Anchor key={path} component={Link} to={path} size="sm" underline="always" c="inherit">
            {text}
          </Anchor>
        ))}
        {since !== null && (
          <Text size="sm">
            Since <Moment at={since} />
          </Text>
        )}
      </Group>
      <Text size="xs" maw="100ch" mt={4}>
        The gateway says: {detail.split(isoTime).map((part) => (isoTime.test(part) ? <Moment key={part} at={part} /> : part))}
      </Text>
    </Alert>
  );
}
