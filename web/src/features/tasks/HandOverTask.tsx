import '../../shared/styles/dialogs.ts';
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { ColleagueSelect } from '../../shared/list/ColleagueSelect.tsx';

const anyone = '';

type Props = {
  /** What is handed over, in words. */
  what: string;
  /** Who has it now; null: nobody. */
  ownerId: string | null;
  isOpen: boolean;
  isBusy?: boolean;
  /** Why it could not be handed over. */
  error?: unknown;
  /** @param agentId null: to anyone */
  onHandOver: (agentId: string | null) => void;
  onClose: () => void;
};

/** Asks for the colleague who is to have a task. */
export function HandOverTask({ what, isOpen, onClose, ...form }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('tasks.handOver.title', { what })}
      centered
      closeButtonProps={{ 'aria-label': t('tasks.handOver.cancel') }}
    >
      <Form onClose={onClose} {...form} />
    </Modal>
  );
}

function Form({ ownerId, isBusy = false, error = null, onHandOver, onClose }: Omit<Props, 'what' | 'isOpen'>) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== null) onHandOver(chosen === anyone ? null : chosen);
      }}
    >
      <Stack gap="sm">
        <ColleagueSelect
          label={t('tasks.handOver.to')}
          placeholder={t('tasks.handOver.hint')}
          data-autofocus
          known={ownerId === null ? [] : [{ value: anyone, label: t('tasks.handOver.anyone') }]}
          without={ownerId}
          value={chosen}
          onChange={setChosen}
          nothingFoundMessage={t('tasks.handOver.nobody')}
        />
        {error !== null && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(t, error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('tasks.handOver.cancel')}
          </Button>
          <Button type="submit" disabled={chosen === null} loading={isBusy}>
            {t('tasks.handOver.action')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
