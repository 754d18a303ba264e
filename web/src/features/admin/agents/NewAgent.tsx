import { useState, type FormEvent } from 'react';
import { Group, Button, PasswordInput, Stack, Switch } from '@mantine/core';
import { useCreateAgent } from './agentQueries.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { fieldError } from '../form/fieldErrors.ts';
import { Problem } from '../components/Problem.tsx';
import { toast } from '../components/toast.ts';
import { askToLeave } from '../shell/leaveGuard.ts';
import { agentFields, fieldsOf, toCreate } from './agentDraft.ts';
import { generatePassword } from './generatePassword.ts';
import { PasswordShown } from './PasswordShown.tsx';
import { SipFields } from './SipFields.tsx';
import { WhoFields } from './WhoFields.tsx';

const empty = fieldsOf(null);

type Props = { onDone: () => void };

/** Creates an account. A password that was made here is shown once. */
export function NewAgent({ onDone }: Props) {
  const { values, set, reset } = useEditForm(empty);
  const [isGenerated, setGenerated] = useState(true);
  const [shown, setShown] = useState<{ name: string; code: string; password: string } | null>(null);
  const create = useCreateAgent();

  function submit(event: FormEvent): void {
    event.preventDefault();
    const password = isGenerated ? generatePassword() : values.password;
    create.mutate(toCreate(values, password), {
      onSuccess: (agent) => {
        reset();
        toast(`${agent.name} is created.`);
        if (isGenerated) setShown({ name: agent.name, code: agent.agent_code, password });
        else onDone();
      },
    });
  }

  if (shown !== null) return <PasswordShown {...shown} onStored={onDone} />;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <WhoFields values={values} set={set} error={create.error} />
        <Switch
          label="Make a password and show it once"
          checked={isGenerated}
          onChange={(event) => setGenerated(event.currentTarget.checked)}
        />
        {!isGenerated && (
          <PasswordInput
            label="Password"
            description="8 characters or more"
            value={values.password}
            onChange={(event) => set({ password: event.currentTarget.value })}
            error={fieldError(create.error, 'password')}
            autoComplete="new-password"
            required
          />
        )}
        <SipFields values={values} set={set} error={create.error} />
        <Problem error={create.error} fields={agentFields} />
        <Group>
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
          <Button variant="default" onClick={() => askToLeave(onDone)}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
