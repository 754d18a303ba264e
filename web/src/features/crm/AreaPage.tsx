import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { isTyping } from '../../shared/isTyping.ts';
import type { ByItself } from './useFollowCaller.ts';
import classes from './AreaPage.module.css';

type Props = {
  title: ReactNode;
  /** Buttons that concern the whole page. */
  actions?: ReactNode;
  children: ReactNode;
};

/**
 * One page of the area. Coming from another one, its heading gets the focus, so that a screen reader reads on there;
 * who types, or has just been called, keeps theirs.
 */
export function AreaPage({ title, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, state } = useLocation() as { key: string; state: ByItself | null };
  const isByItself = state?.byItself === true;
  useEffect(() => {
    // The first page of all: nobody has gone anywhere.
    if (key !== 'default' && !isByItself && !isTyping()) heading.current?.focus();
  }, [key, isByItself]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={2} tabIndex={-1} ref={heading} className={classes.heading ?? ''}>
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
