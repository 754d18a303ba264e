import '../../shared/styles/dialogs.ts';
import '../../shared/styles/choices.ts';
import { Alert, Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColleagueList } from '../../../../src/contract/colleagues.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import { useTyped } from '../../shared/list/useTyped.ts';

/** A colleague's id, or nothing for anyone. */
type Choice = { value: string; label: string };

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
  const [chosen, setChosen] = useState<Choice | null>(null);
  const { typed, setTyped, asked } = useTyped();
  // Whom the words find; those of before until others are found.
  const { data, error: failure } = useRead({
    key: 'colleagues',
    version: asked,
    read: (signal) => api.get<ColleagueList>('/api/colleagues', { q: asked }, signal),
  });
  const anyone: Choice = { value: '', label: t('tasks.handOver.anyone') };
  const colleagues: Choice[] = (data?.colleagues ?? [])
    .filter(({ id }) => id !== ownerId)
    .map(({ id, name, agent_code: code }) => ({ value: id, label: `${name} (${code})` }));
  const choices = [...(ownerId === null || asked !== '' ? [] : [anyone]), ...colleagues];
  // The text of the chosen one stands in the field and finds others, or nobody.
  const shown = chosen === null || choices.some(({ value }) => value === chosen.value) ? choices : [chosen, ...choices];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== null) onHandOver(chosen.value === '' ? null : chosen.value);
      }}
    >
      <Stack gap="sm">
        <Select
          label={t('tasks.handOver.to')}
          placeholder={t('tasks.handOver.hint')}
          data-autofocus
          searchable
          data={shown}
          // What the gateway found is what fits.
          filter={({ options }) => options}
          value={chosen?.value ?? null}
          onChange={(value) => setChosen(shown.find((choice) => choice.value === value) ?? null)}
          searchValue={typed}
          onSearchChange={setTyped}
          nothingFoundMessage={t('tasks.handOver.nobody')}
        />
        {(error ?? failure) !== null && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(t, error ?? failure)}
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
