import { Alert, Button, Group, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiProblem, fieldText, messageOf } from '../../lib/gateway/apiProblem.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { ContactSelect } from '../contacts/ContactSelect.tsx';
import { contactQuery } from '../contacts/contactQueries.ts';
import { primaryOf } from '../contacts/contactText.ts';
import { AskBeforeLeaving } from '../crm/AskBeforeLeaving.tsx';
import { searchedFrom, useOwners } from '../crm/useOwners.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import type { TaskValues } from './taskForm.ts';

type Props = {
  initial: TaskValues;
  error: unknown;
  isSaving: boolean;
  onSave: (values: TaskValues) => void;
  onCancel: () => void;
};

/** Whom to call, or what to do, when, and who does it. What was typed stays, whatever the gateway has against it. */
export function NewTaskForm({ initial, error, isSaving, onSave, onCancel }: Props) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { workplace } = useWorkplace();
  const owners = useOwners(null);
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
  const faultAt = (field: string) => {
    const fault = error instanceof ApiProblem ? error.errors.find(({ path }) => path === field) : undefined;
    return fault === undefined ? undefined : fieldText(t, fault);
  };
  const isCallback = kind === 'callback';
  const phoneError = form.errors['phone'] ?? faultAt('phone_number');
  const setPhone = (value: string) => {
    form.clearFieldError('phone');
    form.setFieldValue('phone', value);
  };

  return (
    <form onSubmit={form.onSubmit((values) => onSave(values))} noValidate>
      <AskBeforeLeaving isTyped={form.isDirty() && !isSaving} />
      <Stack gap="sm" maw={640}>
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
          error={faultAt('contact_id')}
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
          error={form.errors['title'] ?? faultAt('title')}
        />
        <TextInput
          type="datetime-local"
          label={t('tasks.form.due')}
          withAsterisk
          aria-required
          {...form.getInputProps('due')}
          error={form.errors['due'] ?? faultAt('due_at')}
        />
        <Select
          label={t('tasks.form.assignee')}
          data={[...owners, { value: '', label: t('tasks.handOver.anyone') }]}
          value={assignee}
          onChange={(value) => form.setFieldValue('assignee', value ?? '')}
          allowDeselect={false}
          searchable={owners.length >= searchedFrom}
          error={faultAt('assignee_id')}
        />
        <Textarea
          label={t('tasks.form.notes')}
          rows={3}
          resize="vertical"
          maxLength={10_000}
          {...form.getInputProps('notes')}
        />
        {error !== null && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(t, error)}
          </Alert>
        )}
        <Group gap="xs">
          <Button type="submit" loading={isSaving}>
            {t('tasks.form.save')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('tasks.handOver.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
