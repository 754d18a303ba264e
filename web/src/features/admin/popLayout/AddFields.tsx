import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxFields, type Row, rowFor } from './layoutRows.ts';

type Props = {
  /** Fields of the customer who is looked at that are not listed; null: nobody is looked at. */
  left: readonly { key: string; label: string }[] | null;
  rows: readonly Row[];
  /** The kind of that customer's record. */
  object: string | undefined;
  onAdd: (rows: Row[]) => void;
};

/** Fields that are not arranged yet: those of a real customer, and any other by its key. */
export function AddFields({ left, rows, object, onAdd }: Props) {
  const { t } = useTranslation();
  const [key, setKey] = useState('');
  const [fault, setFault] = useState<string | null>(null);

  function add(keys: readonly string[]): void {
    const added = keys.flatMap((each) => rowFor(rows, each, object) ?? []);
    if (added.length === 0) return setFault(t('popLayout.add.taken'));
    if (rows.length + added.length > maxFields) return setFault(t('popLayout.add.full'));
    setFault(null);
    setKey('');
    onAdd(added);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (key.trim() !== '') add([key.trim()]);
  }

  return (
    <>
      {left?.length === 0 && <Text size="sm">{t('popLayout.add.nothing')}</Text>}
      {left !== null && left.length > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {t('popLayout.add.note')}
          </Text>
          <Group gap={6} data-testid="fields-left">
            {left.map(({ key: each, label }) => (
              <Button
                key={each}
                size="compact-sm"
                variant="default"
                title={each}
                leftSection={<IconPlus size={12} aria-hidden />}
                aria-label={t('popLayout.add.field', { field: label })}
                onClick={() => add([each])}
              >
                {label}
              </Button>
            ))}
            {left.length > 1 && (
              <Button size="compact-sm" variant="subtle" onClick={() => add(left.map((each) => each.key))}>
                {t('popLayout.add.all')}
              </Button>
            )}
          </Group>
        </>
      )}
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end">
          <TextInput
            style={{ flex: '1 1 14rem' }}
            size="xs"
            label={t('popLayout.add.key')}
            description={t('popLayout.add.keyHint')}
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            value={key}
            error={fault !== null}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Button size="xs" variant="default" type="submit">
            {t('popLayout.add.button')}
          </Button>
        </Group>
        {fault !== null && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={4}>
            {fault}
          </Text>
        )}
      </form>
    </>
  );
}
