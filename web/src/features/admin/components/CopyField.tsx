import { useRef } from 'react';
import { Button, Group, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

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
