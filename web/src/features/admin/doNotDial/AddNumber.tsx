import { Button, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { useAddNumber } from './doNotDialQueries.ts';

/** The form that puts a number, or how numbers begin, on the list. */
export function AddNumber() {
  const { t } = useTranslation();
  const adding = useAddNumber();
  const record = useRecordForm(
    { number: '', note: '' },
    {
      action: adding,
      body: (_changes, { number, note }) => ({
        number: number.trim(),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      }),
      isGuarded: false,
      onTyped: adding.reset,
      onSaved: ({ number }) => toast(t('doNotDial.add.added', { number })),
    },
  );
  const { form } = record;
  return (
    <Section title={t('doNotDial.add.title')}>
      <RecordPanel
        record={record}
        fields={['number', 'note']}
        isChecked
        end={
          <Button
            type="submit"
            size="xs"
            style={{ alignSelf: 'flex-start' }}
            loading={record.isSaving}
            disabled={form.values.number.trim() === ''}
          >
            {t('doNotDial.add.save')}
          </Button>
        }
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t('doNotDial.add.number')}
            description={t('doNotDial.add.numberHint')}
            required
            maxLength={64}
            autoComplete="off"
            {...form.getInputProps('number')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <TextInput label={t('doNotDial.add.note')} maxLength={200} {...form.getInputProps('note')} />
        </SimpleGrid>
      </RecordPanel>
    </Section>
  );
}
