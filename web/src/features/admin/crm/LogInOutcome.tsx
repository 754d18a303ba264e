import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { causeText } from '../../../lib/gateway/causeText.ts';

type Props = {
  /** As the gateway has put it into the address. */
  outcome: string | null;
  reason: string | null;
  /** Whether the connection works: the address may be an old one. */
  isConnected: boolean;
};

/** How a log-in at the provider has ended, when the browser comes back from there. */
export function LogInOutcome({ outcome, reason, isConnected }: Props) {
  const { t } = useTranslation();
  if (outcome !== 'connected' && outcome !== 'refused') return null;
  const isIn = outcome === 'connected';
  if (isIn && !isConnected) return null;
  return (
    <Alert
      variant="light"
      color={isIn ? 'teal' : 'red'}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      role={isIn ? 'status' : 'alert'}
      title={t(isIn ? 'admin.crm.logIn.connected' : 'admin.crm.logIn.refused')}
    >
      {isIn
        ? t('admin.crm.logIn.connectedText')
        : causeText(t, reason === null ? null : { code: reason }, t('admin.crm.logIn.again'))}
    </Alert>
  );
}
