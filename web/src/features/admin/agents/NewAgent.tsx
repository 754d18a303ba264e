import { type FormEvent, useState } from 'react';
import { Button, Group, PasswordInput, Stack, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Problem } from '../components/Loaded.tsx';
import { toast } from '../components/toast.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { askToLeave } from '../shell/leaveGuard.tsx';
import { generatePassword, PasswordShown } from './PasswordShown.tsx';
import { agentFieldOf, agentFields, fieldsOf, SipFields, toCreate, WhoFields } from './AgentFields.tsx';
import { useCreateAgent } from './agentQueries.ts';

const empty = fieldsOf(null);

type Props = { onDone: () => void };

/** Creates an account. A password that was made here is shown once. */
export function NewAgent({ onDone }: Props) {
  const { t } = useTranslation();
  const { form, reset, refused } = useEditForm(empty, { fieldOf: agentFieldOf });
  const [isGenerated, setGenerated] = useState(true);
  const [shown, setShown] = useState<{ name: string; code: string; password: string } | null>(null);
  const create = useCreateAgent();

  function submit(event: FormEvent): void {
    event.preventDefault();
    const password = isGenerated ? generatePassword() : form.values.password;
    create.run(toCreate(form.values, password), {
      onSuccess: (agent) => {
        reset();
        toast(t('admin.agents.create.done', { name: agent.name }));
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
          label={t('admin.agents.password.makeAndShow')}
          checked={isGenerated}
          onChange={(event) => setGenerated(event.currentTarget.checked)}
        />
        {!isGenerated && (
          <PasswordInput
            label={t('admin.agents.password.label')}
            description={t('admin.agents.password.length')}
            {...form.getInputProps('password')}
            autoComplete="new-password"
            required
          />
        )}
        <SipFields form={form} />
        <Problem error={create.error} fields={agentFields} />
        <Group>
          <Button type="submit" loading={create.isPending}>
            {t('admin.agents.create.button')}
          </Button>
          <Button variant="default" onClick={() => askToLeave(onDone)}>
            {t('admin.common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
