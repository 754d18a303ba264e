import { Fieldset, PasswordInput, Stack, TextInput } from '@mantine/core';
import { fieldError } from '../form/fieldErrors.ts';
import type { AgentFields } from './agentDraft.ts';

type Props = {
  values: AgentFields;
  set: (change: Partial<AgentFields>) => void;
  error: unknown;
  isSecretSet?: boolean;
};

/** The account at the company's PBX. */
export function SipFields({ values, set, error, isSecretSet = false }: Props) {
  return (
    <Fieldset legend="SIP account at your PBX" p="sm">
      <Stack gap="sm">
        <TextInput
          label="SIP user"
          description={isSecretSet ? 'Empty removes the account' : 'Only where agents telephone by SIP'}
          value={values.sip_user}
          onChange={(event) => set({ sip_user: event.currentTarget.value })}
          error={fieldError(error, 'sip_user')}
          autoComplete="off"
          spellCheck={false}
        />
        <PasswordInput
          label="SIP secret"
          description={isSecretSet ? 'One is set; it cannot be shown. Enter a new one to replace it.' : 'Given to this agent’s softphone alone'}
          placeholder={isSecretSet ? 'Unchanged' : ''}
          value={values.sip_secret}
          onChange={(event) => set({ sip_secret: event.currentTarget.value })}
          error={fieldError(error, 'sip_secret')}
          autoComplete="new-password"
        />
      </Stack>
    </Fieldset>
  );
}
