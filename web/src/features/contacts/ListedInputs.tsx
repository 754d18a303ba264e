import { ActionIcon, Button, Fieldset, Group, Radio, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ContactValues } from './contactForm.ts';

type Props = {
  form: UseFormReturnType<ContactValues>;
  list: 'phones' | 'emails';
};

const most = 20;

/** The numbers or addresses of a contact: each with what it is for, and one that is used first. */
export function ListedInputs({ form, list }: Props) {
  const { t } = useTranslation();
  const rows = form.values[list];
  const what = t(`crmArea.form.${list}.one`);
  function choose(index: number): void {
    form.setFieldValue(
      list,
      rows.map((row, at) => ({ ...row, primary: at === index })),
    );
  }
  return (
    <Fieldset legend={t(`crmArea.contact.${list}`)} variant="unstyled">
      {rows.map((_, index) => {
        const number = index + 1;
        return (
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start" mb={4}>
            <TextInput
              flex="3 1 8rem"
              type={list === 'phones' ? 'tel' : 'email'}
              aria-label={t('crmArea.form.nth', { what, number })}
              maxLength={list === 'phones' ? 64 : 254}
              autoComplete="off"
              {...form.getInputProps(`${list}.${String(index)}.value`)}
              error={form.errors[`${list}.${String(index)}.value`] ?? (index === rows.length - 1 && form.errors[list])}
            />
            <TextInput
              flex="2 1 5rem"
              aria-label={t('crmArea.form.labelOf', { what, number })}
              placeholder={t('crmArea.form.label')}
              maxLength={40}
              {...form.getInputProps(`${list}.${String(index)}.label`)}
            />
            {rows.length > 1 && (
              <Radio
                mt={8}
                name={`primary ${list}`}
                aria-label={t('crmArea.form.primaryOf', { what, number })}
                title={t('crmArea.contact.primary')}
                checked={form.values[list][index]?.primary === true}
                onChange={() => choose(index)}
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={3}
              aria-label={t('crmArea.form.removeOf', { what, number })}
              onClick={() => form.removeListItem(list, index)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        );
      })}
      {rows.length < most && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => form.insertListItem(list, { value: '', label: '', primary: false })}
        >
          {t(`crmArea.form.${list}.add`)}
        </Button>
      )}
    </Fieldset>
  );
}
