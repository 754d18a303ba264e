import { SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { ContactSelect } from '../contacts/ContactSelect.tsx';
import { contactQuery } from '../contacts/contactQueries.ts';
import { primaryOf } from '../contacts/contactText.ts';
import { ColleagueSelect } from '../../shared/list/ColleagueSelect.tsx';
import { AreaForm, type FormEnd } from '../crm/AreaForm.tsx';
import { ownChoice } from '../crm/OwnerSelect.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { formPath, type TaskValues } from './taskForm.ts';

type Props = Omit<FormEnd, 'notice' | 'saveText'> & {
  initial: TaskValues;
  onSave: (values: TaskValues) => void;
};

/** Whom to call, or what to do, when, and who does it. */
export function NewTaskForm({ initial, onSave, ...end }: Props) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { workplace } = useWorkplace();
  const form = useForm<TaskValues>({
    initialValues: initial,
    validate: {
      title: (title, { kind }) => (kind === 'task' && title.trim() === '' ? t('tasks.form.noTitle') : null),
      phone: (phone, { contact, kind }) =>
        kind === 'callback' && contact === null && phone.trim() === '' ? t('tasks.form.nobody') : null,
      due: (due) => {
        if (due === '') return t('softphone.wrapUp.chooseTime');
        return Date.parse(due) <= workplace.now() ? t('softphone.wrapUp.timePast') : null;
      },
    },
  });
  const { contact, kind, phone } = form.values;
  const { data: known } = useQuery({ ...contactQuery(contact?.id ?? ''), enabled: contact !== null });
  const numbers = contact === null ? [] : (known?.phones ?? []);
  const isCallback = kind === 'callback';

  return (
    <AreaForm form={form} fieldOf={formPath} onSave={onSave} saveText={t('tasks.form.save')} {...end}>
      <SegmentedControl
        aria-label={t('tasks.form.kind')}
        data={(['callback', 'task'] as const).map((value) => ({ value, label: t(`tasks.form.kinds.${value}`) }))}
        value={kind}
        onChange={(value) => form.setFieldValue('kind', value)}
      />
      <ContactSelect
        label={t('tasks.form.contact')}
        {...form.getInputProps('contact')}
        value={contact}
        onChange={(chosen) => {
          form.setFieldValue('phone', '');
          form.setFieldValue('contact', chosen);
        }}
      />
      {isCallback &&
        (numbers.length > 0 ? (
          <Select
            label={t('tasks.form.phone')}
            data={numbers.map(({ phone_number, label }) => ({
              value: phone_number,
              label: [phoneText(phone_number), label].filter((part) => part !== null).join(' · '),
            }))}
            value={phone === '' ? (primaryOf(numbers)?.phone_number ?? null) : phone}
            onChange={(value) => form.setFieldValue('phone', value ?? '')}
            allowDeselect={false}
            error={form.errors['phone']}
          />
        ) : (
          <TextInput
            label={t('tasks.form.phone')}
            type="tel"
            autoComplete="off"
            maxLength={64}
            {...form.getInputProps('phone')}
          />
        ))}
      <TextInput
        label={t('tasks.form.what')}
        maxLength={200}
        autoComplete="off"
        withAsterisk={!isCallback}
        aria-required={!isCallback}
        {...form.getInputProps('title')}
      />
      <TextInput
        type="datetime-local"
        label={t('tasks.form.due')}
        withAsterisk
        aria-required
        {...form.getInputProps('due')}
      />
      <ColleagueSelect
        label={t('tasks.form.assignee')}
        known={[...ownChoice(), { value: '', label: t('tasks.handOver.anyone') }]}
        {...form.getInputProps('assignee')}
        value={form.values.assignee}
        allowDeselect={false}
      />
      <Textarea
        label={t('tasks.form.notes')}
        rows={3}
        resize="vertical"
        maxLength={10_000}
        {...form.getInputProps('notes')}
      />
    </AreaForm>
  );
}
