import { useState } from 'react';
import { Alert, Button, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import type { AgentStateView, ForceStateRequest } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';
import { platformName } from '../../../../src/contract/platforms.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { otherEndText } from '../../shared/otherEnd.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { pendingText } from './CallText.tsx';
import type { Reasons } from './useReasons.ts';

type Props = { agent: AgentStateView; call: LiveCall | null; reasons: Reasons };

/** What an agent is busy with, and what setting the state at once would do to it. */
const busyWith = {
  reserved: { after: 'afterCall', now: 'takesCall' },
  on_call: { after: 'afterCall', now: 'endsCall' },
  wrap_up: { after: 'afterWrapUp', now: 'endsWrapUp' },
  ready: null,
  not_ready: null,
  offline: null,
} as const;

/** Sets an agent's state: at once, or after what the agent is busy with. */
export function ForceState({ agent, call, reasons }: Props) {
  const { t } = useTranslation();
  const [isNow, setNow] = useState(false);
  const [reason, setReason] = useState<string | null>(null);
  const [asked, setAsked] = useState<RequestedState | null>(null);
  const [isOutdated, setOutdated] = useState(false);
  const sending = useAction((requested: RequestedState) => forceState(t, agent, requested, reasons));
  const busy = busyWith[agent.state];
  const isOther = agent.call_id !== asked?.call_id || secondOf(agent).second_call_id !== asked?.second_call_id;
  if (asked !== null && (agent.state !== 'on_call' || isOther)) {
    // Whoever was asked about one call has said nothing of the next.
    setAsked(null);
    setNow(false);
    setOutdated(true);
  }

  function send(requested: RequestedState): void {
    setAsked(null);
    sending.run(requested, { onSuccess: () => setNow(false) });
  }

  function request(state: RequestedState['state']): void {
    const force = busy !== null && isNow;
    setOutdated(false);
    const requested = {
      state,
      force,
      // What it may end is what is seen here, and no call that began meanwhile.
      ...(force ? { call_id: agent.call_id, ...secondOf(agent) } : {}),
      ...(state === 'not_ready' && reason !== null ? { reason } : {}),
    };
    if (force && agent.state === 'on_call') setAsked(requested);
    else send(requested);
  }

  return (
    <Stack gap="sm">
      {busy !== null && (
        <Radio.Group
          aria-label={t('wallboard.force.when')}
          value={isNow ? 'now' : 'after'}
          onChange={(when) => setNow(when === 'now')}
        >
          <Group gap="md">
            <Radio size="xs" value="after" label={t(`wallboard.force.${busy.after}`)} />
            <Radio size="xs" value="now" label={t(`wallboard.force.${busy.now}`)} />
          </Group>
        </Radio.Group>
      )}
      <Group gap="xs" align="end">
        <Select
          size="xs"
          flex="1 1 14rem"
          label={t('wallboard.force.reason')}
          placeholder={t('wallboard.force.noReason')}
          data={reasons.choices.map(({ code, label }) => ({ value: code, label }))}
          value={reason}
          onChange={setReason}
          clearable
          comboboxProps={{ transitionProps: { duration: 0 } }}
        />
        <Button size="xs" variant="default" loading={sending.isPending} onClick={() => request('not_ready')}>
          {t('wallboard.force.notReady')}
        </Button>
      </Group>
      <Group gap="xs">
        <Button size="xs" variant="default" loading={sending.isPending} onClick={() => request('ready')}>
          {t('wallboard.force.ready')}
        </Button>
        <Button size="xs" variant="default" loading={sending.isPending} onClick={() => request('offline')}>
          {t('wallboard.force.logOut')}
        </Button>
      </Group>
      {isOutdated && (
        <Alert variant="light" p="xs">
          {t('wallboard.force.outdated', { name: agent.name })}
        </Alert>
      )}
      <FreeNowDialog
        agent={agent}
        call={call?.id === agent.call_id ? call : null}
        opened={asked !== null}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked !== null) send(asked);
        }}
      />
    </Stack>
  );
}

type FreeNowDialogProps = {
  agent: AgentStateView;
  call: LiveCall | null;
  opened: boolean;
  onCancel: () => void;
  onConfirm: () => void;
};

/** Asks before a call is ended for an agent. */
function FreeNowDialog({ agent, call, opened, onCancel, onConfirm }: FreeNowDialogProps) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  return (
    <Modal
      opened={opened}
      onClose={onCancel}
      title={t('wallboard.free.title', { name: agent.name })}
      centered
      lockScroll={false}
      transitionProps={{ duration: 0 }}
    >
      <Stack>
        <Text>
          {call === null
            ? t('wallboard.free.call')
            : t('wallboard.free.callWith', { who: isolated(call.name ?? otherEndText(t, phoneText, call)) })}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} data-autofocus>
            {t('wallboard.free.leave')}
          </Button>
          <Button color="red" onClick={onConfirm}>
            {t('wallboard.free.end')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** What is asked of the gateway. */
type RequestedState = Pick<ForceStateRequest, 'state' | 'force'> & {
  reason?: string;
  call_id?: string | null;
  second_call_id?: string;
};

/** Gateways of before have no second calls, and take no such field. */
function secondOf({ second_call_id: second }: AgentStateView): { second_call_id?: string } {
  return second == null ? {} : { second_call_id: second };
}

/** Sets the state of an agent, and notifies whoever is looking of what came of it. Never throws. */
async function forceState(
  t: Translate,
  agent: AgentStateView,
  requested: RequestedState,
  reasons: Reasons,
): Promise<void> {
  try {
    const after = await api.put<AgentStateView>(`/api/agents/${agent.agent_id}/state`, requested);
    notifications.show({ message: resultText(t, { before: agent, after }, requested, reasons), autoClose: 5_000 });
  } catch (error) {
    notifications.show({
      title: t('wallboard.force.unchanged', { name: agent.name }),
      message: messageOf(t, error),
      color: 'red',
      autoClose: false,
    });
  }
}

function resultText(
  t: Translate,
  { before, after }: Record<'before' | 'after', AgentStateView>,
  requested: RequestedState,
  reasons: Reasons,
): string {
  // Nothing has changed here yet: the platform was asked. Freed or logged out, an agent has changed.
  if (after.platform?.sets_state === true && after.version === before.version && after.state !== requested.state) {
    return t('wallboard.force.asked', {
      name: after.name,
      platform: platformName(after.platform.connector),
      state: t(`shared.state.${requested.state}`),
    });
  }
  const next = pendingText(t, after, reasons);
  const { name } = after;
  const state = t(`shared.state.${after.state}`);
  return next === null
    ? t('wallboard.force.changed', { name, state })
    : t('wallboard.force.changedThen', { name, state, next });
}
