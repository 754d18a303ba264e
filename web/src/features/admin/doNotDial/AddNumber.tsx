import { Button, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { fieldErrors } from '../form/fieldErrors.ts';
import { useAddNumber } from './doNotDialQueries.ts';

const empty = { number: '', note: '' };

/** The form that puts a number, or how numbers begin, on the list. */
export function AddNumber() {
  const { t } = useTranslation();
  const [values, setValues] = useState(empty);
  const adding = useAddNumber();
  const faults = fieldErrors(t, adding.error);

  function change(part: Partial<typeof values>): void {
    adding.reset();
    setValues((before) => ({ ...before, ...part }));
  }

  function add(event: FormEvent): void {
    event.preventDefault();
    const note = values.note.trim();
    adding.run(
      { number: values.number.trim(), ...(note === '' ? {} : { note }) },
      {
        onSuccess: ({ number }) => {
          setValues(empty);
          toast(t('doNotDial.add.added', { number }));
        },
      },
    );
  }

  return (
    <Section title={t('doNotDial.add.title')}>
      <form onSubmit={add}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mb="sm">
          <TextInput
            label={t('doNotDial.add.number')}
            description={t('doNotDial.add.numberHint')}
            required
            maxLength={64}
            autoComplete="off"
            value={values.number}
            error={faults['number']}
            onChange={(event) => change({ number: event.currentTarget.value })}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <TextInput
            label={t('doNotDial.add.note')}
            maxLength={200}
            value={values.note}
            error={faults['note']}
            onChange={(event) => change({ note: event.currentTarget.value })}
          />
        </SimpleGrid>
        <Problem error={adding.error} fields={['number', 'note']} />
        <Button type="submit" size="xs" loading={adding.isPending} disabled={values.number.trim() === ''}>
          {t('doNotDial.add.save')}
        </Button>
      </form>
    </Section>
  );
}
