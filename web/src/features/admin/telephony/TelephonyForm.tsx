import type { FormEvent, ReactNode } from 'react';
import { NumberInput, Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TelephonyView } from '../../../../../src/contract/telephony.ts';
import { deskPhoneSchemes, type TelephonyMode, telephonyModes } from '../../../../../src/contract/vocabulary.ts';
import { Problem } from '../components/Loaded.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { Section } from '../components/Section.tsx';
import { toast } from '../components/toast.ts';
import { pick } from '../form/diff.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { SipServerFields } from './SipServerFields.tsx';
import { fieldsOf, fieldsOfMode, toUpdate } from './telephonyDraft.ts';
import { useUpdateTelephony } from './telephonyQueries.ts';

type Props = { telephony: TelephonyView };

/** A server's URLs are one field. */
const fieldOf = (path: string) => path.replace(/^(ice_servers\.\d+\.urls)\..*/, '$1');

/** The company's telephony, saved as a whole. */
export function TelephonyForm({ telephony }: Props) {
  const { t } = useTranslation();
  const { form, changes, reset, saved, refused } = useEditForm(fieldsOf(telephony), { fieldOf });
  const save = useUpdateTelephony();
  const shown = fieldsOfMode[form.values.mode];
  // What was typed for another way of telephoning is not saved with this one, where no field would show its faults.
  const sent = pick(changes, (name) => shown.includes(name));

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.run(toUpdate(sent), {
      onSuccess: () => {
        saved(changes);
        toast(t('admin.telephony.saved'));
      },
      onError: refused,
    });
  }

  return (
    <Section title={t('admin.telephony.title')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ModeChoice {...form.getInputProps('mode')} />
          {form.values.mode === 'sip' && <SipServerFields form={form} />}
          {form.values.mode === 'desk_phone' && <DeskPhoneFields {...form.getInputProps('desk_phone_scheme')} />}
          {form.values.mode !== 'none' && (
            <NumberInput
              label={t('admin.telephony.giveUp')}
              description={t('admin.telephony.giveUpHint')}
              {...form.getInputProps('no_answer_seconds')}
              value={form.values.no_answer_seconds ?? ''}
              onChange={(value) => form.setFieldValue('no_answer_seconds', typeof value === 'number' ? value : null)}
              min={5}
              max={300}
              allowDecimal={false}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maw={360}
            />
          )}
          <Problem error={save.error} fields={shown} />
          <SaveBar isChanged={Object.keys(sent).length > 0} isSaving={save.isPending} onReset={reset} />
        </Stack>
      </form>
    </Section>
  );
}

type ModeChoiceProps = { value?: TelephonyMode; error?: ReactNode; onChange: (mode: string) => void };

/** How the company's agents telephone, with what each way means. */
function ModeChoice(field: ModeChoiceProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('admin.telephony.way')}
      {...field}
    >
      <Stack gap="xs" mt={4}>
        {telephonyModes.map((mode) => (
          <Radio key={mode} value={mode} label={t(`admin.telephony.mode.${mode}.label`)} description={t(`admin.telephony.mode.${mode}.text`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

type Scheme = (typeof deskPhoneSchemes)[number];

type DeskPhoneFieldsProps = { value?: Scheme; error?: ReactNode; onChange: (scheme: string) => void };

/** The link that makes the agents' own telephones dial. */
function DeskPhoneFields(field: DeskPhoneFieldsProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('admin.telephony.link.label')}
      {...field}
    >
      <Stack gap="xs" mt={4}>
        {deskPhoneSchemes.map((scheme) => (
          <Radio key={scheme} value={scheme} label={t(`admin.telephony.link.${scheme}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
