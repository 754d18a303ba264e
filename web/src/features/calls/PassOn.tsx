import { Button } from '@mantine/core';
import { IconPhoneOutgoing } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallKey } from '../../lib/sip/phoneCall.ts';
import { ChooseTarget } from './TransferPanel.tsx';

/** Has the network ring somebody else for who is calling: whom, is chosen once it is wanted. */
export function PassOn({ callKey }: { callKey: CallKey }) {
  const { t } = useTranslation();
  const [isChoosing, setChoosing] = useState(false);
  if (isChoosing) return <ChooseTarget callKey={callKey} passesOn onClose={() => setChoosing(false)} />;
  return (
    <Button
      size="xs"
      mt="xs"
      variant="default"
      leftSection={<IconPhoneOutgoing size={14} aria-hidden />}
      onClick={() => setChoosing(true)}
    >
      {t('transfer.passOn.button')}
    </Button>
  );
}
