import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './Page.module.css';

type Props = {
  title: string;
  /** Buttons that concern the whole page. */
  actions?: ReactNode;
  /** For forms, which are hard to read when they are wide. */
  isNarrow?: boolean;
  children: ReactNode;
};

/**
 * One page of the console. Coming from another one, its heading gets the focus, so that a screen reader reads on there.
 */
export function Page({ title, actions, isNarrow = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Readyline`;
    if (document.activeElement !== document.body && !document.querySelector('[role="dialog"]'))
      heading.current?.focus();
  }, [title]);
  return (
    <Stack maw={isNarrow ? 760 : 1280} gap="md">
      <Group justify="space-between" align="center" mih={30}>
        <Title order={1} tabIndex={-1} ref={heading} className={classes.heading ?? ''}>
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

type ReloadButtonProps = { query: { isFetching: boolean; refetch: () => unknown } };

/** Asks the gateway again. */
export function ReloadButton({ query }: ReloadButtonProps) {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconRefresh size={14} />}
      loading={query.isFetching}
      onClick={() => void query.refetch()}
    >
      {t('admin.common.reload')}
    </Button>
  );
}

type SectionProps = { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A part of a page with a heading. */
export function Section({ title, note, actions, children }: SectionProps) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Box flex="1 1 240px">
            <Title order={2} id={id}>
              {title}
            </Title>
            {note !== undefined && (
              <Text size="sm" c="dimmed">
                {note}
              </Text>
            )}
          </Box>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
