import { Button, Group, Select, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../../src/contract/calls.ts';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';
import { companyQuery } from '../company/companyQueries.ts';
import { Problem } from '../components/Loaded.tsx';
import { toast } from '../components/toast.ts';
import { useChangeCall } from './callQueries.ts';

/** Corrects how a call was wrapped up; what it was stays in its history. */
export function CorrectCall({ call: { id, disposition }, onClose }: { call: CallView; onClose: () => void }) {
  const { t } = useTranslation();
  const change = useChangeCall(id);
  const { data: company } = useQuery(companyQuery);
  const form = useForm({ initialValues: { code: disposition?.code ?? '', notes: disposition?.notes ?? '' } });

  function submit({ code, notes }: { code: string; notes: string }): void {
    change.run(
      { disposition: { code, notes: notes.trim() === '' ? null : notes } },
      {
        onSuccess: () => {
          toast(t('calls.correct.done'));
          onClose();
        },
      },
    );
  }

  return (
    <form onSubmit={form.onSubmit(submit)} aria-label={t('calls.correct.open')}>
      <Stack gap="xs">
        <Select label={t('calls.columns.disposition')} data={(company?.dispositions ?? []).map((known) => ({ value: known.code, label: dispositionLabel(t, known) }))} allowDeselect={false} {...form.getInputProps('code')} data-autofocus />
        <Textarea label={t('calls.correct.notes')} autosize minRows={2} maxRows={10} maxLength={10_000} dir="auto" {...form.getInputProps('notes')} />
        <Problem error={change.error} />
        <Group gap="xs">
          <Button type="submit" size="xs" disabled={form.values.code === '' || !form.isDirty()} loading={change.isPending}>
            {t('calls.correct.save')}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {t('admin.common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
