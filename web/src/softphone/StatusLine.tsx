import { Anchor, Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { WorkplaceView } from '../workplace/workplace.ts';
import classes from './StatusLine.module.css';
import { useDesk } from './workplaceContext.ts';

type Tone = 'good' | 'waiting' | 'bad';
type Told = { tone: Tone; text: string; link?: string };

/** What the connection and the telephone are doing: always visible, always true. */
export function StatusLine() {
  const { view, workplace } = useDesk();
  return (
    <Group component="section" gap="xs" mt={4} aria-live="polite" aria-label="Connection and telephone" data-testid="status-line">
      <Item name="Gateway" {...lineText(view)} />
      {view.line === 'replaced' ? (
        <Button size="compact-xs" variant="light" onClick={() => workplace.takeOver()}>
          Take back
        </Button>
      ) : (
        <Item name="Telephone" {...phoneText(view)} />
      )}
    </Group>
  );
}

function Item({ name, tone, text, link }: Told & { name: string }) {
  return (
    <Text component="span" size="xs" className={classes.item} data-tone={tone}>
      {tone === 'good' && <IconCheck size={14} aria-hidden />}
      {tone === 'waiting' && <Loader size={12} aria-hidden />}
      {tone === 'bad' && <IconAlertTriangle size={14} aria-hidden />}
      <span>
        {name}: {text}
        {link !== undefined && (
          <>
            {' '}
            <Anchor href={link} target="_blank" rel="noreferrer" size="xs" underline="always">
              Open {new URL(link).host}
            </Anchor>
          </>
        )}
      </span>
    </Text>
  );
}

function lineText({ line, agent }: WorkplaceView): Told {
  switch (line) {
    case 'connected':
      return { tone: 'good', text: 'connected' };
    case 'connecting':
      return { tone: 'waiting', text: 'connecting …' };
    case 'reconnecting':
      return {
        tone: 'waiting',
        text: agent?.state === 'on_call' ? 'connection lost, reconnecting … Your call goes on' : 'connection lost, reconnecting …',
      };
    case 'replaced':
      return { tone: 'bad', text: 'another tab or device has taken over' };
    case 'refused':
      return { tone: 'bad', text: 'refused' };
    case 'closed':
      return { tone: 'bad', text: 'not connected' };
  }
}

function phoneText({ phone, settings }: WorkplaceView): Told {
  switch (phone.state) {
    case 'ready':
      return { tone: 'good', text: readyText(settings?.telephony) };
    case 'starting':
      return { tone: 'waiting', text: 'starting …' };
    case 'unavailable':
      return { tone: phone.retrying ? 'waiting' : 'bad', text: `not ready. ${phone.detail}`, ...(phone.link === undefined ? {} : { link: phone.link }) };
  }
}

function readyText(telephony: NonNullable<WorkplaceView['settings']>['telephony'] | undefined): string {
  if (telephony?.mode === 'desk_phone') return 'your own desk phone';
  return telephony?.mode === 'sip' && telephony.demo ? 'ready (demo: you hear yourself)' : 'ready';
}
