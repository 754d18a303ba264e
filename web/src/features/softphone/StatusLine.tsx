import { Anchor, Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Translate } from '../../lib/i18n/catalog.ts';
import type { WorkplaceView } from '../workplace/workplace.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { phoneTroubleText } from '../calls/callWords.ts';
import classes from './StatusLine.module.css';

type Tone = 'hint' | 'waiting' | 'bad';
type Told = { tone: Tone; text: string; link?: string };

/** What is wrong with the connection or the phone; nothing while all is well. */
export function StatusLine() {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const { line, phone } = view;
  return (
    <Group
      component="section"
      gap="xs"
      mt={4}
      aria-live="polite"
      aria-label={t('phone.line.label')}
      data-testid="status-line"
      data-gateway={line}
      data-telephone={phone.state}
    >
      <Item told={lineText(t, view)} />
      {line === 'replaced' ? (
        <Button size="compact-xs" variant="light" onClick={() => workplace.takeOver()}>
          {t('phone.line.take_back')}
        </Button>
      ) : (
        <Item told={phoneText(t, view)} />
      )}
    </Group>
  );
}

function Item({ told }: { told: Told | null }) {
  const { t } = useTranslation();
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
              {t('phone.line.open', { host: new URL(link).host })}
            </Anchor>
          </>
        )}
      </span>
    </Text>
  );
}

function lineText(t: Translate, { line, agent }: WorkplaceView): Told | null {
  switch (line) {
    case 'connected':
      return null;
    case 'connecting':
      return { tone: 'waiting', text: t('phone.line.connecting') };
    case 'reconnecting':
      return {
        tone: 'waiting',
        text: t(agent?.state === 'on_call' ? 'phone.line.reconnecting_in_call' : 'phone.line.reconnecting'),
      };
    case 'replaced':
      return { tone: 'bad', text: t('phone.line.replaced') };
    case 'refused':
    case 'closed':
      return { tone: 'bad', text: t('phone.line.not_connected') };
  }
}

function phoneText(t: Translate, { phone, settings }: WorkplaceView): Told | null {
  switch (phone.state) {
    case 'ready':
      return hintOf(t, settings?.telephony);
    case 'starting':
      return { tone: 'waiting', text: t('phone.line.starting') };
    case 'unavailable':
      return {
        tone: phone.retrying ? 'waiting' : 'bad',
        text: t('phone.line.unavailable', { why: phoneTroubleText(t, phone) }),
        ...(phone.link === undefined ? {} : { link: phone.link }),
      };
  }
}

function hintOf(t: Translate, telephony: NonNullable<WorkplaceView['settings']>['telephony'] | undefined): Told | null {
  if (telephony?.mode === 'desk_phone') return { tone: 'hint', text: t('phone.line.desk_phone') };
  return telephony?.mode === 'sip' && telephony.demo ? { tone: 'hint', text: t('phone.line.demo') } : null;
}

/**
 * Whether the agent's state is what the gateway holds at this moment; else it sends no calls, whatever was known last.
 */
export function isHeldByGateway({ line, agent }: Pick<WorkplaceView, 'line' | 'agent'>): boolean {
  return line === 'connected' && agent !== null && (agent.connection === null || agent.connection === 'connected');
}

/** What stands in the place of the state meanwhile. */
export function awayText(
  t: Translate,
  { line, agent }: Pick<WorkplaceView, 'line' | 'agent'>,
): { label: string; detail: string } {
  const isOver = line === 'refused' || line === 'closed';
  return {
    label: t(isOver ? 'phone.away.not_connected' : 'phone.away.reconnecting'),
    detail: t(agent?.state === 'on_call' ? 'phone.away.call_goes_on' : 'phone.away.no_calls'),
  };
}
