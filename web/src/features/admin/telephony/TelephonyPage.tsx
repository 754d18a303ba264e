import { Alert, Anchor, List, NumberInput, Radio, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Trans, useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { TelephonyView } from '../../../../../src/contract/telephony.ts';
import { deskPhoneSchemes, type TelephonyMode, telephonyModes } from '../../../../../src/contract/vocabulary.ts';
import { agentsQuery } from '../../../shared/sharedQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page, Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { pick } from '../../../shared/form/diff.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { SipServerFields } from './SipServerFields.tsx';
import { fieldsOf, fieldsOfMode, type TelephonyFields, toUpdate } from './telephonyDraft.ts';
import { telephonyQuery, useUpdateTelephony } from './telephonyQueries.ts';

/** How the agents telephone. */
export function TelephonyPage() {
  const { t } = useTranslation();
  const telephony = useQuery(telephonyQuery);
  return (
    <Page title={t('admin.pages.telephony')} isNarrow>
      <Loaded query={telephony}>
        {(data) => (
          <>
            {data.demo_carrier && (
              <Alert
                variant="light"
                icon={<IconInfoCircle size={18} />}
                title={t('admin.telephony.demo.title')}
                role="note"
              >
                {t('admin.telephony.demo.text')}
              </Alert>
            )}
            <TelephonyForm telephony={data} />
            {data.mode === 'sip' && <AgentsWithoutAccount />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** More are told by their number. */
const namedAtMost = 20;

/**
 * Which agents cannot telephone for want of a SIP user or secret.
 * Supervisors and admins seldom telephone, and are not listed.
 */
function AgentsWithoutAccount() {
  const { t } = useTranslation();
  const agents = useQuery(agentsQuery);
  return (
    <Section title={t('admin.telephony.lacking.title')} note={t('admin.telephony.lacking.note')}>
      <Loaded query={agents}>
        {(all) => {
          const lacking = all.filter(
            (agent) => agent.active && agent.role === 'agent' && (agent.sip_user === null || !agent.sip_secret_set),
          );
          if (lacking.length === 0) return <Text size="sm">{t('admin.telephony.lacking.none')}</Text>;
          return (
            <>
              <List size="sm" spacing={2}>
                {lacking.slice(0, namedAtMost).map((agent) => (
                  <List.Item key={agent.id}>
                    <Trans
                      t={t}
                      i18nKey={
                        agent.sip_user === null ? 'admin.telephony.lacking.noUser' : 'admin.telephony.lacking.noSecret'
                      }
                      values={{ name: agent.name, code: agent.agent_code }}
                      components={{
                        anchor: (
                          <Anchor component={Link} to={`/agents?agent=${agent.id}`} size="sm" underline="always" />
                        ),
                      }}
                    />
                  </List.Item>
                ))}
              </List>
              {lacking.length > namedAtMost && (
                <Text size="sm">{t('admin.telephony.lacking.more', { number: lacking.length - namedAtMost })}</Text>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

type TelephonyFormProps = { telephony: TelephonyView };

/** A server's URLs are one field. */
const fieldOf = (path: string) => path.replace(/^(ice_servers\.\d+\.urls)\..*/, '$1');

/** The company's telephony, saved as a whole. */
function TelephonyForm({ telephony }: TelephonyFormProps) {
  const { t } = useTranslation();
  // What was typed for another way of telephoning is not saved with this one, where no field would show its faults.
  const shownOf = (changes: Partial<TelephonyFields>, { mode }: TelephonyFields) =>
    pick(changes, (name) => fieldsOfMode[mode].includes(name));
  const record = useRecordForm(fieldsOf(telephony), {
    action: useUpdateTelephony(),
    body: (changes, values) => toUpdate(shownOf(changes, values)),
    fieldOf,
    onSaved: () => toast(t('admin.telephony.saved')),
  });
  const { form, changes } = record;
  const isChanged = Object.keys(shownOf(changes, form.values)).length > 0;

  return (
    <Section title={t('admin.telephony.title')}>
      <RecordPanel record={{ ...record, isChanged }} fields={fieldsOfMode[form.values.mode]} gap="md">
        <ModeChoice {...form.getInputProps('mode')} />
        {form.values.mode === 'sip' && <SipServerFields form={form} />}
        {form.values.mode === 'desk_phone' && <DeskPhoneFields {...form.getInputProps('desk_phone_scheme')} />}
        {form.values.mode !== 'none' && (
          <NumberInput
            label={t('admin.telephony.giveUp')}
            description={t('admin.telephony.giveUpHint')}
            {...form.getInputProps('no_answer_seconds')}
            value={form.values.no_answer_seconds ?? ''}
            onChange={(value) => form.setFieldValue('no_answer_seconds', typeof value === 'number' ? value : null)}
            min={5}
            max={300}
            allowDecimal={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maw={360}
          />
        )}
      </RecordPanel>
    </Section>
  );
}

type ModeChoiceProps = { value?: TelephonyMode; error?: ReactNode; onChange: (mode: string) => void };

/** How the company's agents telephone, with what each way means. */
function ModeChoice(field: ModeChoiceProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group label={t('admin.telephony.way')} {...field}>
      <Stack gap="xs" mt={4}>
        {telephonyModes.map((mode) => (
          <Radio
            key={mode}
            value={mode}
            label={t(`admin.telephony.mode.${mode}.label`)}
            description={t(`admin.telephony.mode.${mode}.text`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

type Scheme = (typeof deskPhoneSchemes)[number];

type DeskPhoneFieldsProps = { value?: Scheme; error?: ReactNode; onChange: (scheme: string) => void };

/** The link that makes the agents' own telephones dial. */
function DeskPhoneFields(field: DeskPhoneFieldsProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group label={t('admin.telephony.link.label')} {...field}>
      <Stack gap="xs" mt={4}>
        {deskPhoneSchemes.map((scheme) => (
          <Radio key={scheme} value={scheme} label={t(`admin.telephony.link.${scheme}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
