import { Alert, Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconEar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { listeningModes, type ListeningMode } from '../../../../src/contract/vocabulary.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import type { HeardAgent, ListeningState, SupervisorListening } from './supervisorListening.ts';

type Props = { listening: SupervisorListening };

/** Begins to listen to an agent's call; while one is heard, what can be done about it. */
export function ListenToCall({ listening, agent }: Props & { agent: HeardAgent }) {
  const { t } = useTranslation();
  const state = useStore(listening.state);
  const starting = useAction((whose: HeardAgent) => listening.start(whose));
  if (state.step !== 'none' && state.agent.id === agent.id) return <ListeningControls listening={listening} />;
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="xs"
        variant="default"
        loading={starting.isPending}
        leftSection={<IconEar size={16} aria-hidden />}
        onClick={() => starting.run(agent)}
      >
        {t('wallboard.listening.start')}
      </Button>
      {starting.error !== null && (
        <Text size="sm" c="red" role="alert">
          {messageOf(t, starting.error)}
        </Text>
      )}
    </Stack>
  );
}

/** On the wallboard for as long as a call is heard. */
export function ListeningBar({ listening }: Props) {
  const { t } = useTranslation();
  const state = useStore(listening.state);
  if (state.step === 'none') return null;
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('wallboard.listening.title')}>
      <ListeningControls listening={listening} />
    </Paper>
  );
}

function ListeningControls({ listening }: Props) {
  const { t } = useTranslation();
  const state = useStore(listening.state);
  const changing = useAction((mode: ListeningMode) => listening.become(mode));
  if (state.step === 'none') return null;
  const { name } = state.agent;
  if (state.step === 'over') {
    return (
      <Alert variant="light" color="yellow" p="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" component="output">
            {t(`wallboard.listening.over.${state.why}`, { name })}
          </Text>
          <Button size="xs" variant="default" onClick={() => listening.stop()}>
            {t('wallboard.listening.close')}
          </Button>
        </Group>
      </Alert>
    );
  }
  const isThere = state.step === 'listening';
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600} component="output">
        {t(isThere ? 'wallboard.listening.with' : 'wallboard.listening.connecting', { name })}
      </Text>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('wallboard.listening.mode')}
          disabled={!isThere || changing.isPending}
          value={state.mode}
          onChange={(mode) => changing.run(mode as ListeningMode)}
          data={listeningModes.map((mode) => ({ value: mode, label: t(modeWords[mode]) }))}
        />
        <Button size="xs" color="red" onClick={() => listening.stop()}>
          {t('wallboard.listening.stop')}
        </Button>
      </Group>
      {isThere && (
        <Text size="sm" component="output">
          {placeText(state) === 'waits'
            ? t('wallboard.listening.waits', { name })
            : t(`wallboard.listening.place.${state.mode}`, { name })}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t(state.isVisible ? 'wallboard.listening.visible' : 'wallboard.listening.hidden')}
      </Text>
      {state.lacksMicrophone && (
        <Text size="sm" c="red" role="alert">
          {t('wallboard.listening.over.no_microphone')}
        </Text>
      )}
      {changing.error !== null && (
        <Text size="sm" c="red" role="alert">
          {messageOf(t, changing.error)}
        </Text>
      )}
    </Stack>
  );
}

const modeWords = {
  listen: 'wallboard.listening.mute',
  whisper: 'wallboard.listening.whisper',
  barge: 'wallboard.listening.barge',
} as const;

/** Whoever wants to be heard by the customer is not always. */
function placeText({
  mode,
  place,
}: Extract<ListeningState, { step: 'connecting' | 'listening' }>): 'waits' | 'as_asked' {
  return mode === 'barge' && place === 'whisper' ? 'waits' : 'as_asked';
}
