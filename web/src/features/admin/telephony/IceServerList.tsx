import { Button, Fieldset, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { IceServerRow } from './IceServerRow.tsx';
import type { IceFields } from './telephonyDraft.ts';

const empty: IceFields = { urls: '', username: '', credential: '', storedFor: null };

type Props = { servers: readonly IceFields[]; error: unknown; onChange: (servers: IceFields[]) => void };

/** STUN and TURN servers, by which voice gets through home and office networks. */
export function IceServerList({ servers, error, onChange }: Props) {
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
