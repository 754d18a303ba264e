import type { FormEvent } from 'react';
import { NumberInput, Stack } from '@mantine/core';
import type { TelephonyView } from '../../../../../src/contract/telephony.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { fieldError } from '../form/fieldErrors.ts';
import { useUpdateTelephony } from './telephonyQueries.ts';
import { pick } from '../form/diff.ts';
import { Problem } from '../components/Problem.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { Section } from '../components/Section.tsx';
import { toast } from '../components/toast.ts';
import { DeskPhoneFields } from './DeskPhoneFields.tsx';
import { ModeChoice } from './ModeChoice.tsx';
import { SipServerFields } from './SipServerFields.tsx';
import { fieldsOf, fieldsOfMode, toUpdate, type TelephonyFields } from './telephonyDraft.ts';

type Props = { telephony: TelephonyView };

/** The company's telephony, saved as a whole. */
export function TelephonyForm({ telephony }: Props) {
  const { values, changes, set, reset, saved } = useEditForm(fieldsOf(telephony));
  const save = useUpdateTelephony();
  const shown = fieldsOfMode[values.mode];
  // What was typed for another way of telephoning is not saved with this one, where no field would show its faults.
  const sent = pick(changes, (name) => shown.includes(name));

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(toUpdate(sent), {
      onSuccess: () => {
        saved(changes);
        toast('Telephony is saved; softphones have it at once.');
      },
    });
  }

  function change(fields: Partial<TelephonyFields>): void {
    // Faults name a server by its place, where another one may stand now.
    if (save.isError && fields.ice_servers !== undefined && fields.ice_servers.length !== values.ice_servers.length) save.reset();
    set(fields);
  }

  return (
    <Section title="How agents telephone">
      <form onSubmit={submit} noValidate>
        <Stack>
          <ModeChoice value={values.mode} error={fieldError(save.error, 'mode')} onChange={(mode) => set({ mode })} />
          {values.mode === 'sip' && <SipServerFields values={values} set={change} error={save.error} />}
          {values.mode === 'desk_phone' && (
            <DeskPhoneFields value={values.desk_phone_scheme} onChange={(scheme) => set({ desk_phone_scheme: scheme })} />
          )}
          {values.mode !== 'none' && (
            <NumberInput
              label="Give up ringing after"
              description="Seconds, 5 to 300. A call out that nobody has answered by then ends as “no answer”; empty is 60"
              value={values.no_answer_seconds ?? ''}
              onChange={(value) => set({ no_answer_seconds: typeof value === 'number' ? value : null })}
              min={5}
              max={300}
              allowDecimal={false}
              error={fieldError(save.error, 'no_answer_seconds')}
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
