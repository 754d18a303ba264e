import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ShownProblem } from './Notices.tsx';

type Props = Pick<ShownProblem, 'text'> & {
  isProblem: boolean;
  callAnyway?: ShownProblem['callAnyway'];
  onClose: () => void;
};

/** One thing that the agent should read, until it is dismissed. */
export function Notice({ isProblem, text, callAnyway = null, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Alert
      mt="xs"
      p="xs"
      variant="light"
      color={isProblem ? 'red' : 'blue'}
      icon={isProblem ? <IconAlertTriangle size={16} /> : <IconInfoCircle size={16} />}
      withCloseButton
      closeButtonLabel={t('softphone.notice.dismiss')}
      onClose={onClose}
    >
      {text}
      {callAnyway !== null && (
        <Button size="compact-xs" color="red" ml="xs" onClick={callAnyway}>
          {t('shared.callAnyway')}
        </Button>
      )}
    </Alert>
  );
}
