import { Button, Group, Stack, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { CopyField } from '../components/Copyable.tsx';
import { askToLeave, useLeaveGuard } from '../../../shared/form/leaveGuard.ts';

type Props = { name: string; code: string; password: string; onStored: () => void };

/** A password that was made here, until it is said to be handed over. */
export function PasswordShown({ name, code, password, onStored }: Props) {
  const { t } = useTranslation();
  useLeaveGuard('notYetStored');
  return (
    <Stack>
      <Text size="sm">
        <Trans t={t} i18nKey="admin.agents.password.shown" values={{ name, code }} components={{ code: <code /> }} />
      </Text>
      <CopyField label={t('admin.agents.password.label')} value={password} />
      <Group>
        <Button variant="default" onClick={() => askToLeave(onStored)}>
          {t('admin.common.done')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Without letters and digits that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password of 16 characters, 93 bits, in groups that can be read out. */
export function generatePassword(): string {
  const characters: string[] = [];
  while (characters.length < 16) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // Bytes beyond the last whole round of the alphabet would favour its beginning.
    if (byte < 256 - (256 % alphabet.length)) characters.push(alphabet.charAt(byte % alphabet.length));
  }
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-');
}
