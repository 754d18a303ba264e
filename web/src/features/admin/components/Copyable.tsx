import { useRef } from 'react';
import { ActionIcon, Box, Button, Code, CopyButton, Group, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './CodeSample.module.css';

type Props = { label: string; description?: string; value: string };

/** A value to take along, with a button that copies it. */
export function CopyField({ label, description, value }: Props) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 3000 });
  const input = useRef<HTMLInputElement>(null);

  function copy(): void {
    input.current?.select();
    clipboard.copy(value);
  }

  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        label={label}
        description={description}
        value={value}
        readOnly
        ref={input}
        onFocus={(event) => event.currentTarget.select()}
        flex={1}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        error={clipboard.error === null ? null : t('admin.common.copyRefused')}
        spellCheck={false}
        autoComplete="off"
      />
      <Button
        variant="default"
        leftSection={clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        onClick={copy}
        aria-label={t('admin.common.copyOf', { what: label })}
        miw={104}
      >
        <span aria-live="polite">{t(clipboard.copied ? 'admin.common.copied' : 'admin.common.copy')}</span>
      </Button>
    </Group>
  );
}

type CodeSampleProps = {
  title: string;
  text: string;
  /** What is copied, where that is not what is shown. */
  raw?: string;
};

/** Text as a machine reads it, to be looked at and copied. */
export function CodeSample({ title, text, raw = text }: CodeSampleProps) {
  const { t } = useTranslation();
  return (
    <Box component="figure" m={0}>
      <Group component="figcaption" justify="space-between" mb={2} wrap="nowrap">
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <CopyButton value={raw} timeout={2000}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              onClick={copy}
              aria-label={t(copied ? 'admin.common.copiedOf' : 'admin.common.copyOf', { what: title })}
            >
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
