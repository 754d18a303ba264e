import { ActionIcon, Anchor, Button, Fieldset, Group, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { pageOf } from '../../../lib/sip/lineDiagnosis.ts';
import type { Form } from '../form/useEditForm.ts';
import { type IceFields, storedCredential, type StoredCredential, type TelephonyFields } from './telephonyDraft.ts';

type Props = { form: Form<TelephonyFields> };

/** Where the company's PBX is, and how voice finds its way to it. */
export function SipServerFields({ form }: Props) {
  const { sip_wss_url: address } = form.values;
  return (
    <>
      <TextInput
        label="WebSocket address of the PBX"
        description="SIP over WebSocket (RFC 7118); it has to begin with wss://"
        placeholder="wss://pbx.example.com/ws"
        {...form.getInputProps('sip_wss_url')}
        spellCheck={false}
        required
      />
      {isSecureAddress(address) && (
        <Text size="sm">
          To see whether browsers trust its certificate,{' '}
          <Anchor href={pageOf(address)} target="_blank" rel="noreferrer" size="sm" underline="always">
            open {new URL(address).host}
          </Anchor>
          : a warning there means that no agent’s telephone can connect, and an error of its server that the certificate is fine.
        </Text>
      )}
      <TextInput
        label="SIP domain"
        description="What stands behind the @ of the agents’ SIP addresses; empty is the host of the address above"
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
  return (
    <Fieldset legend="STUN and TURN servers" p="sm">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          They help voice through networks that stand between agents and the PBX. None are needed where agents reach the
          PBX directly; one that cannot be reached delays each call a little.
        </Text>
        {form.values.ice_servers.map((server, index) => (
          // A server is known by its place: its URL is what is being typed.
          <IceServerRow key={index} form={form} server={server} index={index} />
        ))}
        <div>
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={() => form.insertListItem('ice_servers', empty)}>
            Add a server
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}

const hints: Record<StoredCredential, string> = { none: 'For TURN', kept: 'Set; not shown', dropped: 'Type it anew' };

type IceServerRowProps = Props & { server: IceFields; index: number };

/** One STUN or TURN server. */
function IceServerRow({ form, server, index }: IceServerRowProps) {
  const path = `ice_servers.${String(index)}` as const;
  const place = `server ${String(index + 1)}`;
  const stored = storedCredential(server);
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs" flex={1}>
        <TextInput
          label="URLs"
          aria-label={`URLs of ${place}`}
          placeholder="turn:turn.example.com:3478"
          {...form.getInputProps(`${path}.urls`)}
          spellCheck={false}
        />
        <TextInput
          label="User"
          aria-label={`User of ${place}`}
          placeholder="For TURN"
          {...form.getInputProps(`${path}.username`)}
          autoComplete="off"
        />
        <PasswordInput
          label="Credential"
          aria-label={`Credential of ${place}`}
          placeholder={hints[stored]}
          {...form.getInputProps(`${path}.credential`)}
          description={
            stored === 'dropped' && server.credential === ''
              ? 'The stored one belongs to the former URLs and user, and ends with them.'
              : undefined
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
        />
      </SimpleGrid>
      <ActionIcon variant="subtle" color="gray" mt={26} aria-label={`Remove ${place}`} onClick={() => form.removeListItem('ice_servers', index)}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
