import { Switch } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { gatewayTimeAt } from './gatewayClock.ts';
import { isNobodyTooLong, isTooLong, type Limits } from './useLimits.ts';
import type { Wallboard } from './wallboard.ts';
import { inTeam } from './wallboardOrder.ts';

/** How often it is looked. Milliseconds. */
const lookEveryMs = 5_000;
const chosen = 'readyline.wallboard.notify';

type Props = {
  wallboard: Wallboard;
  limits: Limits;
  /** False: what is shown may be old. */
  isLive: boolean;
};

/**
 * A notification of the browser when something begins to take too long, for a supervisor who looks at something else;
 * off until it is asked for.
 */
export function Alarms({ wallboard, limits, isLive }: Props) {
  const { t } = useTranslation();
  const [isOn, setOn] = useState(() => localStorage.getItem(chosen) === 'on' && isAllowed());
  const told = useRef<ReadonlySet<string>>(new Set());

  useEffect(() => {
    if (!isOn || !isLive) return;
    const look = () => {
      const { rows, view, nobodySince } = wallboard.shown.getState();
      const now = gatewayTimeAt(Date.now());
      const late = [...inTeam(rows.values(), view.team)].filter(({ agent }) => isTooLong(agent, limits, now));
      const alarms = new Map(
        late.map(({ agent }) => [
          `${agent.agent_id} ${agent.since ?? ''}`,
          t('wallboard.alarm.agent', { name: agent.name, state: t(`shared.state.${agent.state}`) }),
        ]),
      );
      if (isNobodyTooLong(nobodySince, limits, now)) alarms.set(`nobody ${nobodySince}`, t('wallboard.alarm.nobody'));
      for (const [key, text] of alarms) {
        if (!told.current.has(key)) new Notification(t('wallboard.title'), { body: text, tag: key });
      }
      told.current = new Set(alarms.keys());
    };
    look();
    const timer = setInterval(look, lookEveryMs);
    return () => clearInterval(timer);
  }, [isOn, isLive, limits, t, wallboard]);

  if (typeof Notification === 'undefined') return null;

  async function choose(on: boolean): Promise<void> {
    const isGiven = on && (await Notification.requestPermission()) === 'granted';
    localStorage.setItem(chosen, isGiven ? 'on' : 'off');
    setOn(isGiven);
  }

  return (
    <Switch
      size="xs"
      label={t('wallboard.alarm.notify')}
      checked={isOn}
      onChange={(event) => void choose(event.currentTarget.checked)}
    />
  );
}

function isAllowed(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission === 'granted';
}
