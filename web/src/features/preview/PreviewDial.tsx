import { Button, Group, Paper, Text } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { lasts } from '../calls/callWords.ts';
import { DialGuard } from '../calls/DialGuard.tsx';
import { callTask, skipTask } from '../tasks/taskActions.ts';
import { taskTitle } from '../tasks/taskText.ts';
import type { DialOptions } from '../workplace/workplace.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { KnownCustomer } from './KnownCustomer.tsx';
import { endPreview, leaveShown, type Previewed, usePreview } from './previewStore.ts';
import { showNext } from './showNext.ts';
import { SkipForm } from './SkipForm.tsx';
import { skipReasonText } from './skipReasons.ts';

/**
 * Who is to be called, before they are: the customer as far as they are known, then to dial or to skip;
 * after a call who comes next.
 */
export function PreviewDial() {
  const { shown } = usePreview();
  const { view } = useWorkplace();
  const isBusy = lasts(view.call) || view.agent?.state === 'reserved' || view.agent?.state === 'wrap_up';
  if (isBusy) return null;
  return shown === null ? (
    <NextOne />
  ) : (
    <OnePreview
      key={shown.kind === 'task' ? `${shown.task.id} ${String(shown.task.version)}` : shown.phone}
      shown={shown}
    />
  );
}

/** Between two calls of a list. */
function NextOne() {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { run } = useWorkplace();
  const [next, ...queue] = usePreview().queue;
  if (next === undefined) return null;
  const who = taskTitle(t, phoneText, next);
  return (
    <Paper component="section" withBorder p="xs" aria-label={t('dialing.preview.title')}>
      <Group gap="xs">
        <Text size="sm">{t('dialing.preview.next', { who })}</Text>
        <Button
          size="compact-sm"
          aria-label={t('dialing.preview.openOf', { what: who })}
          onClick={() => run(() => showNext([next, ...queue]))}
        >
          {t('dialing.preview.open')}
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={endPreview}>
          {t('dialing.preview.endList')}
        </Button>
      </Group>
    </Paper>
  );
}

function OnePreview({ shown }: { shown: Previewed }) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { queue } = usePreview();
  const { run, view, workplace } = useWorkplace();
  const [isSkipping, setSkipping] = useState(false);
  const task = shown.kind === 'task' ? shown.task : null;
  const phone = shown.kind === 'task' ? (shown.task.phone_number ?? '') : shown.phone;
  const who = task?.contact?.name ?? (shown.kind === 'number' ? shown.name : task?.title) ?? phoneText(phone);

  function dial(options: DialOptions): void {
    run(async (more) => {
      const how = { ...options, ...more };
      if (task === null) await workplace.dial(phone, how);
      else await callTask({ view, workplace }, task, how);
      leaveShown();
    });
  }

  function skip(reason: string, notes: string): void {
    if (task === null) return;
    run(async () => {
      try {
        await skipTask(task, reason, notes);
      } catch (error) {
        // Somebody was quicker: it is not to be called any more.
        if (!(error instanceof ApiProblem) || error.status !== 404) throw error;
      }
      await showNext(queue);
    });
  }

  return (
    <Paper component="section" withBorder p="sm" aria-label={t('dialing.preview.label')} data-testid="preview">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={600}>
          {task === null ? t('dialing.preview.label') : taskTitle(t, phoneText, task)}
        </Text>
        {task !== null && (
          <Text size="xs" c="dimmed">
            {t('dialing.preview.left', { count: queue.length })}
          </Text>
        )}
      </Group>
      {task !== null && <WhatIsToDo task={task} />}
      <KnownCustomer phone={phone} contactId={task?.contact?.id ?? null} />
      {isSkipping ? (
        <SkipForm onSkip={skip} onBack={() => setSkipping(false)} />
      ) : (
        <Group gap="xs" mt="xs">
          <DialGuard isUnwilling={task?.contact?.do_not_call === true} dial={dial}>
            {({ blocker, onClick }) => (
              <Button
                size="xs"
                leftSection={<IconPhone size={14} aria-hidden />}
                disabled={blocker !== null}
                title={blocker ?? undefined}
                aria-label={t('dialing.preview.dialOf', { who: isolated(who) })}
                onClick={onClick}
              >
                {t('dialing.preview.dial')}
              </Button>
            )}
          </DialGuard>
          {task !== null && (
            <Button size="xs" variant="default" onClick={() => setSkipping(true)}>
              {t('dialing.preview.skip')}
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={endPreview}>
            {t('dialing.preview.close')}
          </Button>
        </Group>
      )}
    </Paper>
  );
}

function WhatIsToDo({ task: { notes, skips } }: { task: Extract<Previewed, { kind: 'task' }>['task'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      {notes !== null && (
        <Text size="sm" lineClamp={6} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {notes}
        </Text>
      )}
      {/* Gateways of before tell none. */}
      {(skips as typeof skips | undefined)?.map((skip) => {
        const why = [skipReasonText(t, skip), skip.notes].filter((text) => text !== null).join(': ');
        const words = { time: format.moment(skip.at), why };
        return (
          <Text key={skip.at} size="xs" c="dimmed">
            {skip.by === null
              ? t('dialing.preview.skippedBySystem', words)
              : t('dialing.preview.skipped', { ...words, name: skip.by.name })}
          </Text>
        );
      })}
    </>
  );
}
