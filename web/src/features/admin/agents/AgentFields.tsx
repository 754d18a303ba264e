import { Fieldset, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AgentView, CreateAgentRequest, UpdateAgentRequest } from '../../../../../src/contract/agents.ts';
import { type Role, roles } from '../../../../../src/contract/vocabulary.ts';
import type { Form } from '../../../shared/form/useRecordForm.ts';
import { LedTeamsField } from './LedTeamsField.tsx';

type Props = {
  form: Form<AgentFields>;
  /** Whether it is the reader's own account, whose role another admin changes. */
  isOwn?: boolean;
};

/** Who somebody is and what they may do. */
export function WhoFields({ form, isOwn = false }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('admin.agents.fields.name')}
        {...form.getInputProps('name')}
        autoComplete="off"
        required
        data-autofocus
      />
      <TextInput
        label={t('admin.agents.fields.code')}
        description={t('admin.agents.fields.codeHint')}
        {...form.getInputProps('agent_code')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextInput
        label={t('admin.agents.fields.email')}
        description={t('admin.agents.fields.emailHint')}
        type="email"
        {...form.getInputProps('email')}
        autoComplete="off"
      />
      <Select
        label={t('admin.agents.role')}
        description={isOwn ? t('admin.agents.fields.roleOwn') : t(`admin.agents.roleNotes.${form.values.role}`)}
        data={roles.map((role) => ({ value: role, label: t(`admin.roles.${role}`) }))}
        {...form.getInputProps('role')}
        allowDeselect={false}
        disabled={isOwn}
      />
      <LedTeamsField form={form} />
    </>
  );
}

type SipFieldsProps = {
  form: Form<AgentFields>;
  isSecretSet?: boolean;
};

/** The account at the company's PBX. */
export function SipFields({ form, isSecretSet = false }: SipFieldsProps) {
  const { t } = useTranslation();
  return (
    <Fieldset legend={t('admin.agents.sip.legend')} p="sm">
      <Stack gap="sm">
        <TextInput
          label={t('admin.agents.sip.user')}
          description={t(isSecretSet ? 'admin.agents.sip.userRemoves' : 'admin.agents.sip.userHint')}
          {...form.getInputProps('sip_user')}
          autoComplete="off"
          spellCheck={false}
        />
        <PasswordInput
          label={t('admin.agents.sip.secret')}
          description={t(isSecretSet ? 'admin.agents.sip.secretSet' : 'admin.agents.sip.secretHint')}
          placeholder={isSecretSet ? t('admin.agents.sip.unchanged') : ''}
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
  /** Of a supervisor; null: everybody is seen. */
  led_team_ids: string[] | null;
  active: boolean;
  password: string;
  sip_user: string;
  sip_secret: string;
};

/** The fields that show their own faults. */
export const agentFields = [
  'name',
  'agent_code',
  'email',
  'role',
  'led_team_ids',
  'password',
  'sip_user',
  'sip_secret',
];

/** The field that shows what is said of a path. */
export function agentFieldOf(path: string): string {
  return path.startsWith('led_team_ids') ? 'led_team_ids' : path;
}

/** What the form begins with. */
export function fieldsOf(agent: AgentView | null): AgentFields {
  return {
    name: agent?.name ?? '',
    agent_code: agent?.agent_code ?? '',
    email: agent?.email ?? '',
    role: agent?.role ?? 'agent',
    led_team_ids: agent?.led_team_ids ?? null,
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
    ...(fields.role === 'supervisor' && fields.led_team_ids !== null ? { led_team_ids: fields.led_team_ids } : {}),
    ...(email === '' ? {} : { email }),
    ...(sipUser === '' ? {} : { sip_user: sipUser }),
    ...(fields.sip_secret === '' ? {} : { sip_secret: fields.sip_secret }),
  };
}

/** The request that makes these changes. @param shown all that the form shows */
export function toUpdate(changes: Partial<AgentFields>, shown: AgentFields): UpdateAgentRequest {
  const {
    name,
    agent_code: code,
    email,
    role,
    led_team_ids: led,
    active,
    password,
    sip_user: sipUser,
    sip_secret: sipSecret,
  } = changes;
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(code === undefined ? {} : { agent_code: code.trim() }),
    ...(email === undefined ? {} : { email: email.trim() === '' ? null : email.trim() }),
    ...(role === undefined ? {} : { role }),
    // Of other roles nothing was shown of it.
    ...(led === undefined || shown.role !== 'supervisor' ? {} : { led_team_ids: led }),
    ...(active === undefined ? {} : { active }),
    ...(password === undefined ? {} : { password }),
    ...(sipUser === undefined ? {} : { sip_user: sipUser.trim() === '' ? null : sipUser.trim() }),
    ...(sipSecret === undefined ? {} : { sip_secret: sipSecret }),
  };
}
