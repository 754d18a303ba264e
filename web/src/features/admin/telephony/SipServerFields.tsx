import {
  ActionIcon,
  Anchor,
  Button,
  Fieldset,
  Group,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Trans, useTranslation } from 'react-i18next';
import { pageOf } from '../../../lib/sip/lineDiagnosis.ts';
import type { Form } from '../form/useEditForm.ts';
import { type IceFields, storedCredential, type TelephonyFields } from './telephonyDraft.ts';

type Props = { form: Form<TelephonyFields> };

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
      <TextInput
        label={t('admin.telephony.sip.domain')}
        description={t('admin.telephony.sip.domainHint')}
        placeholder="pbx.example.com"
        {...form.getInputProps('sip_domain')}
        spellCheck={false}
      />
      <IceServerList form={form} />
    </>
  );
}

function isSecureAddress(url: string): boolean {
  return url.startsWith('wss:') && URL.canParse(url);
}

const empty: IceFields = { urls: '', username: '', credential: '', storedFor: null };

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
  const stored = storedCredential(server);
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs" flex={1}>
        <TextInput
          label={t('admin.telephony.ice.urls')}
          aria-label={t('admin.telephony.ice.urlsOf', place)}
          placeholder="turn:turn.example.com:3478"
          {...form.getInputProps(`${path}.urls`)}
          spellCheck={false}
        />
        <TextInput
          label={t('admin.telephony.ice.user')}
          aria-label={t('admin.telephony.ice.userOf', place)}
          placeholder={t('admin.telephony.ice.forTurn')}
          {...form.getInputProps(`${path}.username`)}
          autoComplete="off"
        />
        <PasswordInput
          label={t('admin.telephony.ice.credential')}
          aria-label={t('admin.telephony.ice.credentialOf', place)}
          placeholder={t(`admin.telephony.ice.stored.${stored}`)}
          {...form.getInputProps(`${path}.credential`)}
          description={stored === 'dropped' && server.credential === '' ? t('admin.telephony.ice.dropped') : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
        />
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
