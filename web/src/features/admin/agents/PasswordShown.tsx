import { Button, Group, Stack, Text } from '@mantine/core';
import { CopyField } from '../components/CopyField.tsx';
import { askToLeave, useLeaveGuard } from '../shell/leaveGuard.ts';
import { notYetStored } from '../shell/storeReason.ts';

type Props = { name: string; code: string; password: string; onStored: () => void };

/** A password that was made here, until it is said to be handed over. */
export function PasswordShown({ name, code, password, onStored }: Props) {
  useLeaveGuard(notYetStored);
  return (
    <Stack>
      <Text size="sm">
        {name} signs in with the code <code>{code}</code> and this password. It is shown only now.
      </Text>
      <CopyField label="Password" value={password} />
      <Group>
        <Button variant="default" onClick={() => askToLeave(onStored)}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
