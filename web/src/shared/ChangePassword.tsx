import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { LoginAnswer } from '../../../src/contract/auth.ts';
import { api } from '../lib/gateway/api.ts';
import { ApiProblem } from '../lib/gateway/apiProblem.ts';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  /** Takes the fresh log-in: the one before has ended. */
  onChanged: (answer: LoginAnswer) => void | Promise<void>;
};

const shortest = 8;

/** Asks for the current password and a new one. */
export function ChangePassword({ isOpen, onClose, onChanged }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Change password" centered>
      <Form onClose={onClose} onChanged={onChanged} />
    </Modal>
  );
}

function Form({ onClose, onChanged }: Omit<Props, 'isOpen'>) {
  const [problem, setProblem] = useState<ApiProblem | null>(null);
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
      setProblem(error instanceof ApiProblem ? error : new ApiProblem(0, { detail: 'The gateway did not answer. Try again.' }));
    } finally {
      setBusy(false);
    }
  }

  if (isChanged) {
    return (
      <Stack>
        <Text component="output">Your password was changed. You were signed out everywhere else.</Text>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    );
  }
  const isWrong = problem?.code === 'invalid_credentials';
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <PasswordInput
          label="Current password"
          name="current"
          autoComplete="current-password"
          required
          data-autofocus
          error={isWrong ? 'This is not your current password.' : null}
        />
        <PasswordInput
          label="New password"
          name="new"
          autoComplete="new-password"
          description={`At least ${String(shortest)} characters`}
          minLength={shortest}
          maxLength={1024}
          required
        />
        {problem !== null && !isWrong && (
          <Alert color="red" variant="light" role="alert">
            {problem.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
