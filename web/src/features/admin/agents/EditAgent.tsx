import { useState } from 'react';
import { Alert, Button, Group, PasswordInput, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AgentView } from '../../../../../src/contract/agents.ts';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { type Form, useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { generatePassword, PasswordShown } from './PasswordShown.tsx';
import {
  agentFieldOf,
  agentFields,
  type AgentFields,
  fieldsOf,
  SipFields,
  toUpdate,
  WhoFields,
} from './AgentFields.tsx';
import { useUpdateAgent } from './agentQueries.ts';

type Props = { agent: AgentView; me: SignedInAgent; onDone: () => void };

/** Changes an account. */
export function EditAgent({ agent, me, onDone }: Props) {
  const { t } = useTranslation();
  const [generated, setGenerated] = useState<string | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const record = useRecordForm(fieldsOf(agent), {
    action: useUpdateAgent(agent.id),
    body: toUpdate,
    fieldOf: agentFieldOf,
    onSaved: (_saved, isAll, sent) => {
      toast(t('admin.agents.edit.saved', { name: sent.name ?? agent.name }));
      if (generated !== null && sent.password === generated) setShown(generated);
      else if (isAll) onDone();
    },
  });
  const { form, changes, isChanged } = record;
  const isOwn = me.id === agent.id;

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
    <RecordPanel record={record} fields={agentFields} isChecked>
      <WhoFields form={form} isOwn={isOwn} />
      <Switch
        label={t('admin.agents.edit.active')}
        description={t(isOwn ? 'admin.agents.edit.activeOwn' : 'admin.agents.edit.activeHint')}
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
          {isOwn ? t('admin.agents.edit.endsOwn') : t('admin.agents.edit.endsTheirs', { name: agent.name })}
        </Alert>
      )}
    </RecordPanel>
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
  const { t } = useTranslation();
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <PasswordInput
        label={t('admin.agents.password.new')}
        description={t('admin.agents.password.keep')}
        {...form.getInputProps('password')}
        autoComplete="new-password"
        flex={1}
      />
      {onGenerate !== null && (
        <Button variant="default" onClick={() => onGenerate(generatePassword())}>
          {t('admin.agents.password.make')}
        </Button>
      )}
    </Group>
  );
}
