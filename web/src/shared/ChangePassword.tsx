import './styles/dialogs.ts';
import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ChangePasswordRequest, LoginAnswer } from '../../../src/contract/auth.ts';
import { api } from '../lib/gateway/api.ts';
import { ApiProblem, messageOf } from '../lib/gateway/apiProblem.ts';
import { useAction } from '../lib/gateway/useAction.ts';
import { useSmallForm } from './useSmallForm.ts';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  /** Takes the fresh log-in: the one before has ended. */
  onChanged: (answer: LoginAnswer) => void | Promise<void>;
};

const shortest = 8;

/** Asks for the current password and a new one. */
export function ChangePassword({ isOpen, onClose, onChanged }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('shared.password.change')}
      centered
      closeButtonProps={{ 'aria-label': t('shared.password.cancel') }}
    >
      <Form onClose={onClose} onChanged={onChanged} />
    </Modal>
  );
}

function Form({ onClose, onChanged }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation();
  const form = useSmallForm({ initialValues: { current: '', new: '' } });
  const change = useAction(async (passwords: { current: string; new: string }) => {
    const body: ChangePasswordRequest = { current_password: passwords.current, new_password: passwords.new };
    await onChanged(await api.put<LoginAnswer>('/api/me/password', body));
    return 'changed' as const;
  });

  if (change.data === 'changed') {
    return (
      <Stack>
        <Text component="output">{t('shared.password.changed')}</Text>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {t('shared.password.done')}
          </Button>
        </Group>
      </Stack>
    );
  }
  const isWrong = change.error instanceof ApiProblem && change.error.code === 'invalid_credentials';
  return (
    <form onSubmit={form.onSubmit((passwords) => change.run(passwords))}>
      <Stack gap="sm">
        <PasswordInput
          label={t('shared.password.current')}
          {...form.getInputProps('current')}
          autoComplete="current-password"
          required
          data-autofocus
          error={isWrong ? t('shared.password.wrong') : null}
        />
        <PasswordInput
          label={t('shared.password.new')}
          {...form.getInputProps('new')}
          autoComplete="new-password"
          description={t('shared.password.shortest', { count: shortest })}
          minLength={shortest}
          maxLength={1024}
          required
        />
        {change.error !== null && !isWrong && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(t, change.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('shared.password.cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('shared.password.change')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
