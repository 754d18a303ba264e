import { SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { ContactSelect } from '../contacts/ContactSelect.tsx';
import { contactQuery } from '../contacts/contactQueries.ts';
import { primaryOf } from '../contacts/contactText.ts';
import { fieldErrors } from '../../shared/form/fieldErrors.ts';
import { ColleagueSelect } from '../../shared/list/ColleagueSelect.tsx';
import { AreaForm, type FormEnd } from '../crm/AreaForm.tsx';
import { ownChoice } from '../crm/OwnerSelect.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import type { TaskValues } from './taskForm.ts';

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
      due: (due) =>
        due === ''
          ? t('softphone.wrapUp.chooseTime')
          : Date.parse(due) <= workplace.now()
            ? t('softphone.wrapUp.timePast')
            : null,
    },
  });
  const { assignee, contact, kind, phone } = form.values;
  const { data: known } = useQuery({ ...contactQuery(contact?.id ?? ''), enabled: contact !== null });
  const numbers = contact === null ? [] : (known?.phones ?? []);
  const faults = fieldErrors(t, end.error);
  const isCallback = kind === 'callback';
  const phoneError = form.errors['phone'] ?? faults['phone_number'];
  const setPhone = (value: string) => {
    form.clearFieldError('phone');
    form.setFieldValue('phone', value);
  };

  return (
    <AreaForm form={form} onSave={onSave} saveText={t('tasks.form.save')} {...end}>
      <SegmentedControl
        aria-label={t('tasks.form.kind')}
        data={(['callback', 'task'] as const).map((value) => ({ value, label: t(`tasks.form.kinds.${value}`) }))}
        value={kind}
        onChange={(value) => form.setFieldValue('kind', value)}
      />
      <ContactSelect
        label={t('tasks.form.contact')}
        value={contact}
        onChange={(chosen) => {
          setPhone('');
          form.setFieldValue('contact', chosen);
        }}
        error={faults['contact_id']}
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
            onChange={(value) => setPhone(value ?? '')}
            allowDeselect={false}
            error={phoneError}
          />
        ) : (
          <TextInput
            label={t('tasks.form.phone')}
            type="tel"
            autoComplete="off"
            maxLength={64}
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
            error={phoneError}
          />
        ))}
      <TextInput
        label={t('tasks.form.what')}
        maxLength={200}
        autoComplete="off"
        withAsterisk={!isCallback}
        aria-required={!isCallback}
        {...form.getInputProps('title')}
        error={form.errors['title'] ?? faults['title']}
      />
      <TextInput
        type="datetime-local"
        label={t('tasks.form.due')}
        withAsterisk
        aria-required
        {...form.getInputProps('due')}
        error={form.errors['due'] ?? faults['due_at']}
      />
      <ColleagueSelect
        label={t('tasks.form.assignee')}
        known={[...ownChoice(), { value: '', label: t('tasks.handOver.anyone') }]}
        value={assignee}
        onChange={(value) => form.setFieldValue('assignee', value ?? '')}
        allowDeselect={false}
        error={faults['assignee_id']}
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
