import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoginAnswer } from '../../../src/contract/auth.ts';
import { api } from '../lib/gateway/api.ts';
import { ApiProblem, messageOf } from '../lib/gateway/apiProblem.ts';

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
    <Modal opened={isOpen} onClose={onClose} title={t('shared.password.change')} centered>
      <Form onClose={onClose} onChanged={onChanged} />
    </Modal>
  );
}

function Form({ onClose, onChanged }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isChanged, setChanged] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(null);
    try {
      const body = { current_password: fields.get('current'), new_password: fields.get('new') };
      await onChanged(await api.put<LoginAnswer>('/api/me/password', body));
      setChanged(true);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  }

  if (isChanged) {
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
  const isWrong = problem instanceof ApiProblem && problem.code === 'invalid_credentials';
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <PasswordInput
          label={t('shared.password.current')}
          name="current"
          autoComplete="current-password"
          required
          data-autofocus
          error={isWrong ? t('shared.password.wrong') : null}
        />
        <PasswordInput
          label={t('shared.password.new')}
          name="new"
          autoComplete="new-password"
          description={t('shared.password.shortest', { count: shortest })}
          minLength={shortest}
          maxLength={1024}
          required
        />
        {problem !== null && !isWrong && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(t, problem)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('shared.password.cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('shared.password.change')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
