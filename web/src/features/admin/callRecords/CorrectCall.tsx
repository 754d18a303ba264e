import { Button, Group, Select, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallTag, CallView } from '../../../../../src/contract/calls.ts';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { companyQuery } from '../../../shared/sharedQueries.ts';
import { TagField } from '../../../shared/TagField.tsx';
import { tagTexts } from '../../../shared/tagTexts.ts';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { useChangeCall } from './callQueries.ts';

/** Corrects how a call was wrapped up; what it was stays in its history. */
export function CorrectCall({ call, onClose }: { call: CallView; onClose: () => void }) {
  const { t } = useTranslation();
  const { disposition } = call;
  const { data: company } = useQuery(companyQuery);
  // Gateways of before told no tags.
  const tags = (call.tags as CallTag[] | undefined) ?? [];
  const record = useRecordForm(
    { code: disposition?.code ?? '', notes: disposition?.notes ?? '', tags },
    {
      action: useChangeCall(call.id),
      body: (changes, { code, notes }) => ({
        disposition: {
          code,
          notes: notes.trim() === '' ? null : notes,
          ...(changes.tags === undefined ? {} : { tags: tagTexts(changes.tags) }),
        },
      }),
      isGuarded: false,
      onSaved: () => {
        toast(t('calls.correct.done'));
        onClose();
      },
    },
  );
  const { form } = record;

  return (
    <RecordPanel
      label={t('calls.correct.open')}
      record={record}
      fields={[]}
      gap="xs"
      isChecked
      end={
        <Group gap="xs">
          <Button
            type="submit"
            size="xs"
            disabled={form.values.code === '' || !record.isChanged}
            loading={record.isSaving}
          >
            {t('calls.correct.save')}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {t('admin.common.cancel')}
          </Button>
        </Group>
      }
    >
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
    </RecordPanel>
  );
}
