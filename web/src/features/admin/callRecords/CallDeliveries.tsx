import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTranslation } from 'react-i18next';
import type { CallDeliveryView } from '../../../../../src/contract/callCourse.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { type Format, useFormat } from '../../../lib/i18n/format.ts';
import { Problem } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { DeliveryState } from '../deliveries/DeliveryList.tsx';
import { useAccount } from '../shell/accountContext.ts';
import { deliveriesOfQuery } from './callQueries.ts';

/** What was sent of a call to the webhook and the CRM, and how far it is; what is in it is in the log, for admins. */
export function CallDeliveries({ id }: { id: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isAdmin = useAccount().agent.role === 'admin';
  const { data: deliveries, error } = useQuery(deliveriesOfQuery(id));
  return (
    <>
      <Title order={3}>{t('calls.deliveries.title')}</Title>
      <Problem error={error} />
      {deliveries?.length === 0 && <Text size="sm">{t('calls.deliveries.none')}</Text>}
      {deliveries !== undefined && deliveries.length > 0 && (
        <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
          {deliveries.map((delivery) => (
            <li key={delivery.id}>
              <Group gap="xs" justify="space-between">
                <Text size="sm">{t(`admin.connect.events.${delivery.event}`)}</Text>
                <DeliveryState state={delivery.state} />
              </Group>
              <Text size="xs" c="dimmed">
                <Moment at={delivery.created_at} />
                {[
                  t(`admin.deliveries.target.${delivery.target}`),
                  t('calls.deliveries.attempts', { count: delivery.attempts }),
                  ...lastOf(t, format, delivery),
                ].map((text) => ` · ${text}`)}
              </Text>
            </li>
          ))}
        </Stack>
      )}
      {isAdmin && (
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/deliveries?call_id=${id}`} />}>
          {t('calls.one.deliveries')}
        </Anchor>
      )}
    </>
  );
}

/** What was answered last, and when it is tried again. */
function lastOf(
  t: Translate,
  format: Format,
  { last_status_code: status, next_attempt_at: next }: CallDeliveryView,
): string[] {
  return [
    ...(status === null ? [] : [t('calls.deliveries.answer', { status })]),
    ...(next === null ? [] : [t('calls.deliveries.next', { time: format.exact(next) })]),
  ];
}
