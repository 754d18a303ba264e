import { Select, TextInput } from '@mantine/core';
import { roles } from '../../../../../src/contract/vocabulary.ts';
import { fieldError } from '../form/fieldErrors.ts';
import type { AgentFields } from './agentDraft.ts';
import { roleNames, roleNotes } from './roleNames.ts';

type Props = {
  values: AgentFields;
  set: (change: Partial<AgentFields>) => void;
  error: unknown;
  /** Whether it is the reader's own account, whose role another admin changes. */
  isOwn?: boolean;
};

/** Who somebody is and what they may do. */
export function WhoFields({ values, set, error, isOwn = false }: Props) {
  return (
    <>
      <TextInput
        label="Name"
        value={values.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={fieldError(error, 'name')}
        autoComplete="off"
        required
        data-autofocus
      />
      <TextInput
        label="Agent code"
        description="What they sign in with, and what the CRM names them by"
        value={values.agent_code}
        onChange={(event) => set({ agent_code: event.currentTarget.value })}
        error={fieldError(error, 'agent_code')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextInput
        label="E-mail"
        description="Optional; they may sign in with it too"
        type="email"
        value={values.email}
        onChange={(event) => set({ email: event.currentTarget.value })}
        error={fieldError(error, 'email')}
        autoComplete="off"
      />
      <Select
        label="Role"
        description={isOwn ? 'Another admin can change your role' : roleNotes[values.role]}
        data={roles.map((role) => ({ value: role, label: roleNames[role] }))}
        value={values.role}
        onChange={(id) => set({ role: roles.find((role) => role === id) ?? values.role })}
        error={fieldError(error, 'role')}
        allowDeselect={false}
        disabled={isOwn}
      />
    </>
  );
}
