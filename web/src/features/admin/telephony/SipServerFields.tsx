import { ActionIcon, Anchor, Button, Fieldset, Group, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { pageOf } from '../../../lib/sip/lineDiagnosis.ts';
import { fieldError, fieldErrorWithin } from '../form/fieldErrors.ts';
import { type IceFields, storedCredential, type StoredCredential, type TelephonyFields } from './telephonyDraft.ts';

type Props = { values: TelephonyFields; set: (change: Partial<TelephonyFields>) => void; error: unknown };

/** Where the company's PBX is, and how voice finds its way to it. */
export function SipServerFields({ values, set, error }: Props) {
  return (
    <>
      <TextInput
        label="WebSocket address of the PBX"
        description="SIP over WebSocket (RFC 7118); it has to begin with wss://"
        placeholder="wss://pbx.example.com/ws"
        value={values.sip_wss_url}
        onChange={(event) => set({ sip_wss_url: event.currentTarget.value })}
        error={fieldError(error, 'sip_wss_url')}
        spellCheck={false}
        required
      />
      {isSecureAddress(values.sip_wss_url) && (
        <Text size="sm">
          To see whether browsers trust its certificate,{' '}
          <Anchor href={pageOf(values.sip_wss_url)} target="_blank" rel="noreferrer" size="sm" underline="always">
            open {new URL(values.sip_wss_url).host}
          </Anchor>
          : a warning there means that no agent’s telephone can connect, and an error of its server that the certificate is fine.
        </Text>
      )}
      <TextInput
        label="SIP domain"
        description="What stands behind the @ of the agents’ SIP addresses; empty is the host of the address above"
        placeholder="pbx.example.com"
        value={values.sip_domain}
        onChange={(event) => set({ sip_domain: event.currentTarget.value })}
        error={fieldError(error, 'sip_domain')}
        spellCheck={false}
      />
      <IceServerList servers={values.ice_servers} error={error} onChange={(servers) => set({ ice_servers: servers })} />
    </>
  );
}

function isSecureAddress(url: string): boolean {
  return url.startsWith('wss:') && URL.canParse(url);
}

const empty: IceFields = { urls: '', username: '', credential: '', storedFor: null };

type IceServerListProps = { servers: readonly IceFields[]; error: unknown; onChange: (servers: IceFields[]) => void };

/** STUN and TURN servers, by which voice gets through home and office networks. */
function IceServerList({ servers, error, onChange }: IceServerListProps) {
  return (
    <Fieldset legend="STUN and TURN servers" p="sm">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          They help voice through networks that stand between agents and the PBX. None are needed where agents reach the
          PBX directly; one that cannot be reached delays each call a little.
        </Text>
        {servers.map((server, index) => (
          <IceServerRow
            // A server is known by its place: its URL is what is being typed.
            key={index}
            server={server}
            index={index}
            error={error}
            onChange={(changed) => onChange(servers.map((other, place) => (place === index ? changed : other)))}
            onRemove={() => onChange(servers.filter((_other, place) => place !== index))}
          />
        ))}
        <div>
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={() => onChange([...servers, empty])}>
            Add a server
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}

const hints: Record<StoredCredential, string> = { none: 'For TURN', kept: 'Set; not shown', dropped: 'Type it anew' };

type IceServerRowProps = {
  server: IceFields;
  index: number;
  error: unknown;
  onChange: (server: IceFields) => void;
  onRemove: () => void;
};

/** One STUN or TURN server. */
function IceServerRow({ server, index, error, onChange, onRemove }: IceServerRowProps) {
  const path = `ice_servers.${String(index)}`;
  const place = `server ${String(index + 1)}`;
  const stored = storedCredential(server);
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs" flex={1}>
        <TextInput
          label="URLs"
          aria-label={`URLs of ${place}`}
          placeholder="turn:turn.example.com:3478"
          value={server.urls}
          onChange={(event) => onChange({ ...server, urls: event.currentTarget.value })}
          error={fieldErrorWithin(error, `${path}.urls`)}
          spellCheck={false}
        />
        <TextInput
          label="User"
          aria-label={`User of ${place}`}
          placeholder="For TURN"
          value={server.username}
          onChange={(event) => onChange({ ...server, username: event.currentTarget.value })}
          error={fieldError(error, `${path}.username`)}
          autoComplete="off"
        />
        <PasswordInput
          label="Credential"
          aria-label={`Credential of ${place}`}
          placeholder={hints[stored]}
          value={server.credential}
          onChange={(event) => onChange({ ...server, credential: event.currentTarget.value })}
          error={fieldError(error, `${path}.credential`)}
          description={
            stored === 'dropped' && server.credential === ''
              ? 'The stored one belongs to the former URLs and user, and ends with them.'
              : undefined
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
        />
      </SimpleGrid>
      <ActionIcon variant="subtle" color="gray" mt={26} aria-label={`Remove ${place}`} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
