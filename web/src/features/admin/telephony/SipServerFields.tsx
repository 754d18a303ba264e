import {
  ActionIcon,
  Anchor,
  Button,
  Fieldset,
  Group,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Trans, useTranslation } from 'react-i18next';
import { transferWays, usualTransferCodes } from '../../../../../src/contract/vocabulary.ts';
import { pageOf } from '../../../lib/sip/lineDiagnosis.ts';
import type { Form } from '../../../shared/form/useRecordForm.ts';
import { type IceFields, iceLogIns, storedCredential, type TelephonyFields } from './telephonyDraft.ts';

type Props = { form: Form<TelephonyFields> };

/** What is a line of text. `named`: by the catalogs. */
const plain = [
  { name: 'sip_domain', named: 'domain', placeholder: 'pbx.example.com' },
  { name: 'call_id_header', named: 'callIdHeader', placeholder: undefined },
  { name: 'dialed_number_header', named: 'dialedNumberHeader', placeholder: 'X-DID' },
  { name: 'queue_header', named: 'queueHeader', placeholder: 'X-Queue' },
  { name: 'caller_id_header', named: 'callerIdHeader', placeholder: undefined },
  { name: 'echo_number', named: 'echoNumber', placeholder: '*43' },
] as const satisfies { name: keyof TelephonyFields; named: string; placeholder: string | undefined }[];

/** Where the company's PBX is, and how voice finds its way to it. */
export function SipServerFields({ form }: Props) {
  const { t } = useTranslation();
  const { sip_wss_url: address } = form.values;
  return (
    <>
      <TextInput
        label={t('admin.telephony.sip.url')}
        description={t('admin.telephony.sip.urlHint')}
        placeholder="wss://pbx.example.com/ws"
        {...form.getInputProps('sip_wss_url')}
        spellCheck={false}
        required
      />
      {isSecureAddress(address) && (
        <Text size="sm">
          <Trans
            t={t}
            i18nKey="admin.telephony.sip.certificate"
            values={{ host: new URL(address).host }}
            components={{
              anchor: <Anchor href={pageOf(address)} target="_blank" rel="noreferrer" size="sm" underline="always" />,
            }}
          />
        </Text>
      )}
      {plain.map(({ name, named, placeholder }) => (
        <TextInput
          key={name}
          label={t(`admin.telephony.sip.${named}`)}
          description={t(`admin.telephony.sip.${named}Hint`)}
          placeholder={placeholder}
          {...form.getInputProps(name)}
          spellCheck={false}
        />
      ))}
      <Select
        label={t('admin.telephony.sip.transferBy')}
        description={t('admin.telephony.sip.transferByHint')}
        data={transferWays.map((value) => ({ value, label: t(`admin.telephony.sip.transferWays.${value}`) }))}
        {...form.getInputProps('transfer_by')}
        allowDeselect={false}
      />
      <TextInput
        label={t('admin.telephony.sip.transferCode')}
        description={t('admin.telephony.sip.transferCodeHint')}
        placeholder={usualTransferCodes[form.values.transfer_by]}
        {...form.getInputProps('transfer_code')}
        spellCheck={false}
      />
      <IceServerList form={form} />
    </>
  );
}

function isSecureAddress(url: string): boolean {
  return url.startsWith('wss:') && URL.canParse(url);
}

const empty: IceFields = { urls: '', logIn: 'secret', username: '', credential: '', secret: '', storedFor: null };

/** STUN and TURN servers, by which voice gets through home and office networks. */
function IceServerList({ form }: Props) {
  const { t } = useTranslation();
  return (
    <Fieldset legend={t('admin.telephony.ice.legend')} p="sm">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('admin.telephony.ice.note')}
        </Text>
        {form.values.ice_servers.map((server, index) => (
          // A server is known by its place: its URL is what is being typed.
          <IceServerRow key={index} form={form} server={server} index={index} />
        ))}
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('ice_servers', empty)}
          >
            {t('admin.telephony.ice.add')}
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}

type IceServerRowProps = Props & { server: IceFields; index: number };

/** One STUN or TURN server. */
function IceServerRow({ form, server, index }: IceServerRowProps) {
  const { t } = useTranslation();
  const path = `ice_servers.${String(index)}` as const;
  const place = { row: String(index + 1) };
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" flex={1}>
        <TextInput
          label={t('admin.telephony.ice.urls')}
          aria-label={t('admin.telephony.ice.urlsOf', place)}
          placeholder="turn:turn.example.com:3478"
          {...form.getInputProps(`${path}.urls`)}
          spellCheck={false}
        />
        <Select
          label={t('admin.telephony.ice.logIn')}
          aria-label={t('admin.telephony.ice.logInOf', place)}
          data={iceLogIns.map((value) => ({ value, label: t(`admin.telephony.ice.logInBy.${value}`) }))}
          {...form.getInputProps(`${path}.logIn`)}
          allowDeselect={false}
        />
        {server.logIn === 'user' && (
          <TextInput
            label={t('admin.telephony.ice.user')}
            aria-label={t('admin.telephony.ice.userOf', place)}
            placeholder={t('admin.telephony.ice.forTurn')}
            {...form.getInputProps(`${path}.username`)}
            autoComplete="off"
          />
        )}
        <WrittenOnly form={form} server={server} index={index} />
      </SimpleGrid>
      <ActionIcon
        variant="subtle"
        color="gray"
        mt={26}
        aria-label={t('admin.telephony.ice.remove', place)}
        onClick={() => form.removeListItem('ice_servers', index)}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}

/** The secret or the credential of a server, which nobody can read back. */
function WrittenOnly({ form, server, index }: IceServerRowProps) {
  const { t } = useTranslation();
  const field = server.logIn === 'secret' ? 'secret' : 'credential';
  const path = `ice_servers.${String(index)}` as const;
  const stored = storedCredential(server);
  const isDropped = stored === 'dropped' && server[field] === '';
  const hint = field === 'secret' ? t('admin.telephony.ice.secretHint') : undefined;
  return (
    <PasswordInput
      label={t(`admin.telephony.ice.${field}`)}
      aria-label={t(`admin.telephony.ice.${field}Of`, { row: String(index + 1) })}
      placeholder={t(`admin.telephony.ice.stored.${stored}`)}
      {...form.getInputProps(`${path}.${field}`)}
      // The gateway misses the user first.
      error={form.errors[`${path}.${field}`] ?? (field === 'secret' ? form.errors[`${path}.username`] : undefined)}
      description={isDropped ? t('admin.telephony.ice.dropped') : hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="new-password"
    />
  );
}
