import { Fieldset, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import type { AgentView, CreateAgentRequest, UpdateAgentRequest } from '../../../../../src/contract/agents.ts';
import { type Role, roles } from '../../../../../src/contract/vocabulary.ts';
import type { Form } from '../form/useEditForm.ts';

type Props = {
  form: Form<AgentFields>;
  /** Whether it is the reader's own account, whose role another admin changes. */
  isOwn?: boolean;
};

/** Who somebody is and what they may do. */
export function WhoFields({ form, isOwn = false }: Props) {
  return (
    <>
      <TextInput
        label="Name"
        {...form.getInputProps('name')}
        autoComplete="off"
        required
        data-autofocus
      />
      <TextInput
        label="Agent code"
        description="What they sign in with, and what the CRM names them by"
        {...form.getInputProps('agent_code')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextInput
        label="E-mail"
        description="Optional; they may sign in with it too"
        type="email"
        {...form.getInputProps('email')}
        autoComplete="off"
      />
      <Select
        label="Role"
        description={isOwn ? 'Another admin can change your role' : roleNotes[form.values.role]}
        data={roles.map((role) => ({ value: role, label: roleNames[role] }))}
        {...form.getInputProps('role')}
        allowDeselect={false}
        disabled={isOwn}
      />
    </>
  );
}

type SipFieldsProps = {
  form: Form<AgentFields>;
  isSecretSet?: boolean;
};

/** The account at the company's PBX. */
export function SipFields({ form, isSecretSet = false }: SipFieldsProps) {
  return (
    <Fieldset legend="SIP account at your PBX" p="sm">
      <Stack gap="sm">
        <TextInput
          label="SIP user"
          description={isSecretSet ? 'Empty removes the account' : 'Only where agents telephone by SIP'}
          {...form.getInputProps('sip_user')}
          autoComplete="off"
          spellCheck={false}
        />
        <PasswordInput
          label="SIP secret"
          description={isSecretSet ? 'One is set; it cannot be shown. Enter a new one to replace it.' : 'Given to this agent’s softphone alone'}
          placeholder={isSecretSet ? 'Unchanged' : ''}
          {...form.getInputProps('sip_secret')}
          autoComplete="new-password"
        />
      </Stack>
    </Fieldset>
  );
}

/** An account as a form has it; what is empty is not set. `password` and `sip_secret` are written, never read. */
export type AgentFields = {
  name: string;
  agent_code: string;
  email: string;
  role: Role;
  active: boolean;
  password: string;
  sip_user: string;
  sip_secret: string;
};

/** The fields that show their own faults. */
export const agentFields = ['name', 'agent_code', 'email', 'role', 'password', 'sip_user', 'sip_secret'];

/** What the form begins with. */
export function fieldsOf(agent: AgentView | null): AgentFields {
  return {
    name: agent?.name ?? '',
    agent_code: agent?.agent_code ?? '',
    email: agent?.email ?? '',
    role: agent?.role ?? 'agent',
    active: agent?.active ?? true,
    password: '',
    sip_user: agent?.sip_user ?? '',
    sip_secret: '',
  };
}

/** The request that makes an account of the form. */
export function toCreate(fields: AgentFields, password: string): CreateAgentRequest {
  const [email, sipUser] = [fields.email.trim(), fields.sip_user.trim()];
  return {
    name: fields.name.trim(),
    agent_code: fields.agent_code.trim(),
    role: fields.role,
    password,
    ...(email === '' ? {} : { email }),
    ...(sipUser === '' ? {} : { sip_user: sipUser }),
    ...(fields.sip_secret === '' ? {} : { sip_secret: fields.sip_secret }),
  };
}

/** The request that makes these changes. */
export function toUpdate(changes: Partial<AgentFields>): UpdateAgentRequest {
  const { name, agent_code: code, email, role, active, password, sip_user: sipUser, sip_secret: sipSecret } = changes;
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(code === undefined ? {} : { agent_code: code.trim() }),
    ...(email === undefined ? {} : { email: email.trim() === '' ? null : email.trim() }),
    ...(role === undefined ? {} : { role }),
    ...(active === undefined ? {} : { active }),
    ...(password === undefined ? {} : { password }),
    ...(sipUser === undefined ? {} : { sip_user: sipUser.trim() === '' ? null : sipUser.trim() }),
    ...(sipSecret === undefined ? {} : { sip_secret: sipSecret }),
  };
}

/** Each role by name. */
export const roleNames: Record<Role, string> = {
  admin: 'Admin',
  supervisor: 'Supervisor',
  agent: 'Agent',
  dialer: 'Dialer',
};

/** What each role may do. */
const roleNotes: Record<Role, string> = {
  admin: 'Everything, this console included',
  supervisor: 'The wallboard; sets the states of agents; takes calls too',
  agent: 'The softphone: takes and makes calls',
  dialer: 'A machine that dials or looks up for the company',
};
