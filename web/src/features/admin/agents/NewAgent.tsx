import { type FormEvent, useState } from 'react';
import { Button, Group, PasswordInput, Stack, Switch } from '@mantine/core';
import { Problem } from '../components/Loaded.tsx';
import { toast } from '../components/toast.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { askToLeave } from '../shell/leaveGuard.tsx';
import { generatePassword, PasswordShown } from './PasswordShown.tsx';
import { agentFields, fieldsOf, SipFields, toCreate, WhoFields } from './AgentFields.tsx';
import { useCreateAgent } from './agentQueries.ts';

const empty = fieldsOf(null);

type Props = { onDone: () => void };

/** Creates an account. A password that was made here is shown once. */
export function NewAgent({ onDone }: Props) {
  const { form, reset, refused } = useEditForm(empty);
  const [isGenerated, setGenerated] = useState(true);
  const [shown, setShown] = useState<{ name: string; code: string; password: string } | null>(null);
  const create = useCreateAgent();

  function submit(event: FormEvent): void {
    event.preventDefault();
    const password = isGenerated ? generatePassword() : form.values.password;
    create.mutate(toCreate(form.values, password), {
      onSuccess: (agent) => {
        reset();
        toast(`${agent.name} is created.`);
        if (isGenerated) setShown({ name: agent.name, code: agent.agent_code, password });
        else onDone();
      },
      onError: refused,
    });
  }

  if (shown !== null) return <PasswordShown {...shown} onStored={onDone} />;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <WhoFields form={form} />
        <Switch
          label="Make a password and show it once"
          checked={isGenerated}
          onChange={(event) => setGenerated(event.currentTarget.checked)}
        />
        {!isGenerated && (
          <PasswordInput
            label="Password"
            description="8 characters or more"
            {...form.getInputProps('password')}
            autoComplete="new-password"
            required
          />
        )}
        <SipFields form={form} />
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
