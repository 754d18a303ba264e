import { type FormEvent, useState } from 'react';
import { Alert, Button, Group, PasswordInput, Stack, Switch } from '@mantine/core';
import type { AgentView } from '../../../../../src/contract/agents.ts';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { Problem } from '../components/Loaded.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { toast } from '../components/toast.ts';
import { type Form, useEditForm } from '../form/useEditForm.ts';
import { generatePassword, PasswordShown } from './PasswordShown.tsx';
import { agentFields, type AgentFields, fieldsOf, SipFields, toUpdate, WhoFields } from './AgentFields.tsx';
import { useUpdateAgent } from './agentQueries.ts';

type Props = { agent: AgentView; me: SignedInAgent; onDone: () => void };

/** Changes an account. */
export function EditAgent({ agent, me, onDone }: Props) {
  const { form, changes, isChanged, reset, saved, refused } = useEditForm(fieldsOf(agent));
  const [generated, setGenerated] = useState<string | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const update = useUpdateAgent(agent.id);
  const isOwn = me.id === agent.id;

  function submit(event: FormEvent): void {
    event.preventDefault();
    update.mutate(toUpdate(changes), {
      onSuccess: () => {
        const isAll = saved(changes);
        toast(`${form.values.name} is saved.`);
        if (generated !== null && changes.password === generated) setShown(generated);
        else if (isAll) onDone();
      },
      onError: refused,
    });
  }

  function generate(password: string): void {
    setGenerated(password);
    form.setFieldValue('password', password);
  }

  if (shown !== null) {
    // What was typed while the password was saved is waiting in the form.
    const onStored = isChanged ? () => setShown(null) : onDone;
    return <PasswordShown name={agent.name} code={agent.agent_code} password={shown} onStored={onStored} />;
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <WhoFields form={form} isOwn={isOwn} />
        <Switch
          label="Active"
          description={isOwn ? 'Another admin can deactivate your account' : 'An inactive account cannot sign in; its calls are kept'}
          {...form.getInputProps('active', { type: 'checkbox' })}
          disabled={isOwn}
        />
        <NewPassword
          form={form}
          // Saving one’s own signs out, which would hide it.
          onGenerate={isOwn ? null : generate}
        />
        <SipFields form={form} isSecretSet={agent.sip_secret_set} />
        {endsLogIns(changes) && (
          <Alert color="orange" variant="light" role="alert">
            {isOwn
              ? 'Saving ends your own log-in everywhere; you sign in again with the new password.'
              : `Saving ends every log-in of ${agent.name} at once. A call that lasts is cut off from the gateway.`}
          </Alert>
        )}
        <Problem error={update.error} fields={agentFields} />
        <SaveBar isChanged={isChanged} isSaving={update.isPending} onReset={reset} />
      </Stack>
    </form>
  );
}

function endsLogIns({ password, role, active }: Partial<AgentFields>): boolean {
  return password !== undefined || role !== undefined || active === false;
}

type NewPasswordProps = {
  form: Form<AgentFields>;
  /** A password that is to be shown once it is saved; null: not offered. */
  onGenerate: ((password: string) => void) | null;
};

/** A password in place of the former. */
function NewPassword({ form, onGenerate }: NewPasswordProps) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <PasswordInput
        label="New password"
        description="Leave blank to keep the current one"
        {...form.getInputProps('password')}
        autoComplete="new-password"
        flex={1}
      />
      {onGenerate !== null && (
        <Button variant="default" onClick={() => onGenerate(generatePassword())}>
          Make one
        </Button>
      )}
    </Group>
  );
}
