import { Button, Group, Select, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallTag, CallView } from '../../../../../src/contract/calls.ts';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';
import { TagField } from '../../../shared/TagField.tsx';
import { tagTexts } from '../../../shared/tagTexts.ts';
import { companyQuery } from '../company/companyQueries.ts';
import { Problem } from '../components/Loaded.tsx';
import { toast } from '../components/toast.ts';
import { useChangeCall } from './callQueries.ts';

/** Corrects how a call was wrapped up; what it was stays in its history. */
export function CorrectCall({ call, onClose }: { call: CallView; onClose: () => void }) {
  const { t } = useTranslation();
  const { disposition } = call;
  const change = useChangeCall(call.id);
  const { data: company } = useQuery(companyQuery);
  // Gateways of before told no tags.
  const tags = (call.tags as CallTag[] | undefined) ?? [];
  const form = useForm({ initialValues: { code: disposition?.code ?? '', notes: disposition?.notes ?? '', tags } });

  function submit({ code, notes, tags: chosen }: { code: string; notes: string; tags: CallTag[] }): void {
    change.run(
      {
        disposition: {
          code,
          notes: notes.trim() === '' ? null : notes,
          ...(form.isDirty('tags') ? { tags: tagTexts(chosen) } : {}),
        },
      },
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
        <Select
          label={t('calls.columns.disposition')}
          data={(company?.dispositions ?? []).map((known) => ({
            value: known.code,
            label: dispositionLabel(t, known),
          }))}
          allowDeselect={false}
          {...form.getInputProps('code')}
          data-autofocus
        />
        <Textarea
          label={t('calls.correct.notes')}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={10_000}
          dir="auto"
          {...form.getInputProps('notes')}
        />
        {company !== undefined && (company.tags.length > 0 || company.free_tags || form.values.tags.length > 0) && (
          <TagField
            choices={company.tags}
            isFree={company.free_tags}
            chosen={form.values.tags}
            onChange={(chosen) => form.setFieldValue('tags', chosen)}
          />
        )}
        <Problem error={change.error} />
        <Group gap="xs">
          <Button
            type="submit"
            size="xs"
            disabled={form.values.code === '' || !form.isDirty()}
            loading={change.isPending}
          >
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
