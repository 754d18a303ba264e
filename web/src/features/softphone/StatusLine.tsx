import { Anchor, Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { WorkplaceView } from '../workplace/workplace.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './StatusLine.module.css';

type Tone = 'hint' | 'waiting' | 'bad';
type Told = { tone: Tone; text: string; link?: string };

/** What is wrong with the connection or the telephone; nothing while all is well. */
export function StatusLine() {
  const { view, workplace } = useWorkplace();
  const { line, phone } = view;
  return (
    <Group
      component="section"
      gap="xs"
      mt={4}
      aria-live="polite"
      aria-label="Connection and telephone"
      data-testid="status-line"
      data-gateway={line}
      data-telephone={phone.state}
    >
      <Item told={lineText(view)} />
      {line === 'replaced' ? (
        <Button size="compact-xs" variant="light" onClick={() => workplace.takeOver()}>
          Take back
        </Button>
      ) : (
        <Item told={phoneText(view)} />
      )}
    </Group>
  );
}

function Item({ told }: { told: Told | null }) {
  if (told === null) return null;
  const { tone, text, link } = told;
  return (
    <Text component="span" size="xs" className={classes.item} data-tone={tone}>
      {tone === 'hint' && <IconInfoCircle size={14} aria-hidden />}
      {tone === 'waiting' && <Loader size={12} aria-hidden />}
      {tone === 'bad' && <IconAlertTriangle size={14} aria-hidden />}
      <span>
        {text}
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

function lineText({ line, agent }: WorkplaceView): Told | null {
  switch (line) {
    case 'connected':
      return null;
    case 'connecting':
      return { tone: 'waiting', text: 'Connecting…' };
    case 'reconnecting':
      return {
        tone: 'waiting',
        text: agent?.state === 'on_call' ? 'Connection lost. Reconnecting… Your call continues' : 'Connection lost. Reconnecting…',
      };
    case 'replaced':
      return { tone: 'bad', text: 'Your softphone is open in another tab or on another device' };
    case 'refused':
    case 'closed':
      return { tone: 'bad', text: 'Not connected' };
  }
}

function phoneText({ phone, settings }: WorkplaceView): Told | null {
  switch (phone.state) {
    case 'ready':
      return hintOf(settings?.telephony);
    case 'starting':
      return { tone: 'waiting', text: 'Starting the phone…' };
    case 'unavailable':
      return { tone: phone.retrying ? 'waiting' : 'bad', text: `Phone not ready. ${phone.detail}`, ...(phone.link === undefined ? {} : { link: phone.link }) };
  }
}

function hintOf(telephony: NonNullable<WorkplaceView['settings']>['telephony'] | undefined): Told | null {
  if (telephony?.mode === 'desk_phone') return { tone: 'hint', text: 'Calls are made on your desk phone' };
  return telephony?.mode === 'sip' && telephony.demo ? { tone: 'hint', text: 'Demo: you hear yourself' } : null;
}

/** Whether the agent's state is what the gateway holds at this moment; else it sends no calls, whatever was known last. */
export function isHeldByGateway({ line, agent }: Pick<WorkplaceView, 'line' | 'agent'>): boolean {
  return line === 'connected' && agent !== null && (agent.connection === null || agent.connection === 'connected');
}

/** What stands in the place of the state meanwhile. */
export function awayText({ line, agent }: Pick<WorkplaceView, 'line' | 'agent'>): { label: string; detail: string } {
  const isOver = line === 'refused' || line === 'closed';
  return {
    label: isOver ? 'Not connected' : 'Reconnecting…',
    detail: agent?.state === 'on_call' ? 'Your call goes on' : 'You get no calls now',
  };
}
