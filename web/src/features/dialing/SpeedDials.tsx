import { ActionIcon, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconPencil, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SpeedDial, SpeedDials as SpeedDialLists } from '../../../../src/contract/dialing.ts';
import { maxSpeedDials } from '../../../../src/contract/dialingLimits.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { dialBlocker } from '../calls/callWords.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { blankDial, SpeedDialEditor } from './SpeedDialEditor.tsx';
import classes from './SpeedDials.module.css';
import { saveSpeedDials, useSpeedDials } from './speedDialStore.ts';

/** Whom the agent dials by one press: the own ones, then those of the company. */
export function SpeedDials() {
  const { t } = useTranslation();
  const { data, hasFailed } = useSpeedDials();
  const [isEditing, setEditing] = useState(false);
  if (data === null) return hasFailed ? <Text size="sm">{t('dialing.speed.failed')}</Text> : null;
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('dialing.speed.title')}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Title order={2} size="h3">
          {t('dialing.speed.title')}
        </Title>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('dialing.speed.edit')}
          title={t('dialing.speed.edit')}
          aria-expanded={isEditing}
          onClick={() => setEditing(!isEditing)}
        >
          <IconPencil size={16} stroke={1.75} />
        </ActionIcon>
      </Group>
      {data.own.length + data.shared.length === 0 && !isEditing && (
        <Text size="sm" c="dimmed">
          {t('dialing.speed.none')}
        </Text>
      )}
      {data.own.length + data.shared.length > 0 && (
        <ul className={classes.dials} aria-label={t('dialing.speed.title')}>
          {data.own.map((dial, index) => (
            <Dial key={`own ${String(index)} ${dial.phone_number}`} dial={dial} />
          ))}
          {data.shared.map((dial, index) => (
            <Dial key={`shared ${String(index)} ${dial.phone_number}`} dial={dial} isShared />
          ))}
        </ul>
      )}
      {isEditing && <OwnEditor read={data} onDone={() => setEditing(false)} />}
    </Paper>
  );
}

/** @param read the list as it was when the form was opened: one that another device has changed meanwhile is refused */
function OwnEditor({ read, onDone }: { read: SpeedDialLists; onDone: () => void }) {
  const { t } = useTranslation();
  const { agentId } = useWorkplace();
  const [{ own, version }] = useState(read);
  return (
    <SpeedDialEditor
      label={t('dialing.speed.edit')}
      entries={own}
      blank={blankDial}
      field="entries"
      max={maxSpeedDials.own}
      save={(entries) => saveSpeedDials(agentId, entries, version)}
      onSaved={onDone}
      onCancel={onDone}
    />
  );
}

function Dial({ dial: { name, phone_number: phone }, isShared = false }: { dial: SpeedDial; isShared?: boolean }) {
  const { t } = useTranslation();
  const { view, workplace, run } = useWorkplace();
  const phoneText = usePhoneText();
  const blocker = dialBlocker(t, view);
  const who = isShared ? t('dialing.speed.shared', { name: isolated(name) }) : isolated(name);
  const label = t('dialing.speed.dial', { name: who, number: isolated(phoneText(phone)) });
  return (
    <li>
      <Button
        size="compact-sm"
        variant="default"
        maw="14rem"
        disabled={blocker !== null}
        aria-label={label}
        title={blocker ?? label}
        leftSection={isShared ? <IconUsers size={12} aria-hidden /> : undefined}
        onClick={() => run((options) => workplace.dial(phone, options))}
      >
        <bdi>{name}</bdi>
      </Button>
    </li>
  );
}
