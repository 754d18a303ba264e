import { ActionIcon, Group, PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { fieldError, fieldErrorWithin } from '../form/fieldErrors.ts';
import { storedCredential, type IceFields, type StoredCredential } from './telephonyDraft.ts';

const hints: Record<StoredCredential, string> = { none: 'For TURN', kept: 'Set; not shown', dropped: 'Type it anew' };

type Props = {
  server: IceFields;
  index: number;
  error: unknown;
  onChange: (server: IceFields) => void;
  onRemove: () => void;
};

/** One STUN or TURN server. */
export function IceServerRow({ server, index, error, onChange, onRemove }: Props) {
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
