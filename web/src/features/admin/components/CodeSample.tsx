import { ActionIcon, Box, Code, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './CodeSample.module.css';

type Props = {
  title: string;
  text: string;
  /** What is copied, where that is not what is shown. */
  raw?: string;
};

/** Text as a machine reads it, to be looked at and copied. */
export function CodeSample({ title, text, raw = text }: Props) {
  const { t } = useTranslation();
  return (
    <Box component="figure" m={0}>
      <Group component="figcaption" justify="space-between" mb={2} wrap="nowrap">
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <CopyButton value={raw} timeout={2000}>
          {({ copied, copy }) => (
            <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={t(copied ? 'admin.common.copiedOf' : 'admin.common.copyOf', { what: title })}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          )}
        </CopyButton>
      </Group>
      {/* Longer than the box it scrolls, so the keyboard has to reach it. */}
      <Code block className={classes.text ?? ''} tabIndex={0}>
        {text}
      </Code>
    </Box>
  );
}
