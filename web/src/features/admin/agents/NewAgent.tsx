import { useState } from 'react';
import { Button, Group, PasswordInput, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { askToLeave } from '../../../shared/form/leaveGuard.ts';
import { generatePassword, PasswordShown } from './PasswordShown.tsx';
import { agentFieldOf, agentFields, fieldsOf, SipFields, toCreate, WhoFields } from './AgentFields.tsx';
import { useCreateAgent } from './agentQueries.ts';

const empty = fieldsOf(null);

type Props = { onDone: () => void };

/** Creates an account. A password that was made here is shown once. */
export function NewAgent({ onDone }: Props) {
  const { t } = useTranslation();
  const [isGenerated, setGenerated] = useState(true);
  const [shown, setShown] = useState<{ name: string; code: string; password: string } | null>(null);
  const create = useCreateAgent();
  const record = useRecordForm(empty, {
    action: create,
    body: (_changes, values) => toCreate(values, isGenerated ? generatePassword() : values.password),
    fieldOf: agentFieldOf,
    onSaved: ({ agent, password }) => {
      toast(t('admin.agents.create.done', { name: agent.name }));
      if (isGenerated) setShown({ name: agent.name, code: agent.agent_code, password });
      else onDone();
    },
  });
  const { form } = record;

  if (shown !== null) return <PasswordShown {...shown} onStored={onDone} />;
  return (
    <RecordPanel
      record={record}
      fields={agentFields}
      isChecked
      end={
        <Group>
          <Button type="submit" loading={record.isSaving}>
            {t('admin.agents.create.button')}
          </Button>
          <Button variant="default" onClick={() => askToLeave(onDone)}>
            {t('admin.common.cancel')}
          </Button>
        </Group>
      }
    >
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
    </RecordPanel>
  );
}
