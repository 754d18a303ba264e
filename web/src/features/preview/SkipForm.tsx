import { Button, Group, Text, TextInput } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSmallForm } from '../../shared/useSmallForm.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { againText, skipReasonText } from './skipReasons.ts';

type Props = { onSkip: (reason: string, notes: string) => void; onBack: () => void };

/** Asks why a call is skipped; the first of the company's reasons is chosen already. */
export function SkipForm({ onSkip, onBack }: Props) {
  const { t } = useTranslation();
  const reasons = useWorkplace().view.settings?.skip_reasons ?? [];
  const form = useSmallForm({ initialValues: { code: reasons[0]?.code ?? '', notes: '' } });
  const { value: chosen, onChange: choose } = form.getInputProps('code');
  const name = useId();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  return (
    <form onSubmit={form.onSubmit(({ code, notes }) => onSkip(code, notes))}>
      <fieldset style={{ minWidth: 0, margin: 'var(--mantine-spacing-xs) 0 0', padding: 0, border: 0 }}>
        <Text component="legend" size="sm" fw={600} p={0}>
          {t('dialing.preview.skipTitle')}
        </Text>
        {reasons.map((reason, index) => (
          <Text component="label" size="sm" key={reason.code} display="block" py={2}>
            <input
              ref={index === 0 ? first : null}
              type="radio"
              name={name}
              checked={chosen === reason.code}
              onChange={() => choose(reason.code)}
            />{' '}
            {skipReasonText(t, reason)}
            <Text component="span" size="xs" c="dimmed">
              {' · '}
              {againText(t, reason)}
            </Text>
          </Text>
        ))}
      </fieldset>
      <TextInput
        size="xs"
        mt={4}
        label={t('dialing.preview.notes')}
        description={t('dialing.preview.notesHint')}
        maxLength={1_000}
        {...form.getInputProps('notes')}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="xs" disabled={chosen === ''}>
          {t('dialing.preview.confirm')}
        </Button>
        <Button size="xs" variant="subtle" onClick={onBack}>
          {t('dialing.preview.back')}
        </Button>
      </Group>
    </form>
  );
}
