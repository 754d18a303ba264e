import { Button, Popover, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DialOptions } from '../workplace/workplace.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { dialBlocker } from './callWords.ts';
import { mayOverride } from './mayOverride.ts';

type Props = {
  /** The contact does not want to be called. */
  isUnwilling: boolean;
  dial: (options: DialOptions) => void;
  /** The button, which `onClick` works. `blocker`: why it cannot now, to stand on it. */
  children: (button: { blocker: string | null; onClick: () => void }) => ReactNode;
};

/**
 * Around a button that dials a contact: of one who does not want to be called, it asks a supervisor or admin once more,
 * and is blocked for everybody else.
 */
export function DialGuard({ isUnwilling, dial, children }: Props) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const [isAsking, { toggle, close }] = useDisclosure(false);
  const blocker = dialBlocker(t, view);
  if (!isUnwilling) return children({ blocker, onClick: () => dial({}) });
  const unwilling = t('shared.problem.do_not_call');
  if (!mayOverride()) return children({ blocker: unwilling, onClick: close });
  return (
    <Popover opened={isAsking && blocker === null} onChange={close} trapFocus returnFocus withArrow width={240}>
      <Popover.Target>{children({ blocker, onClick: toggle })}</Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text size="sm">{unwilling}</Text>
          <Button
            size="xs"
            color="red"
            onClick={() => {
              close();
              dial({ overrideDoNotCall: true });
            }}
          >
            {t('shared.callAnyway')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
