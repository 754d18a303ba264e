import { type FormEvent, useState } from 'react';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Problem } from '../components/Loaded.tsx';
import { toast } from '../components/toast.ts';
import { integrationQuery } from '../connect/integrationQueries.ts';
import { fieldError } from '../form/fieldErrors.ts';
import { fromLocalInput, toLocalInput } from './DeliveryFilters.tsx';
import { useRecover } from './deliveryQueries.ts';

type Props = { isOpen: boolean; onClose: () => void };

/** Sends all again that was given up since a time. */
export function RecoverDialog({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Send again what was given up" centered>
      <RecoverForm onClose={onClose} />
    </Modal>
  );
}

function RecoverForm({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const recover = useRecover();
  const [since, setSince] = useState(() => {
    const webhook = queries.getQueryData(integrationQuery.queryKey)?.status.webhook;
    return suggested(webhook?.failing_since ?? webhook?.disabled_at ?? null);
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    recover.mutate(fromLocalInput(since), {
      onSuccess: ({ redelivering }) => {
        toast(wordsFor(redelivering));
        onClose();
      },
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          Every delivery that was given up and was made at that time or later is sent again, those of one call in their
          order. A disabled webhook is enabled by it. Doing it twice does no harm.
        </Text>
        <TextInput
          label="Since"
          type="datetime-local"
          step={1}
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
          error={fieldError(recover.error, 'since')}
          required
          data-autofocus
        />
        <Problem error={recover.error} fields={['since']} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={recover.isPending}>
            Send again
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** An hour before the trouble, or a day ago, as the field takes it. */
function suggested(trouble: string | null): string {
  const from = trouble === null ? Date.now() - 24 * 3_600_000 : Date.parse(trouble) - 3_600_000;
  return toLocalInput(new Date(from).toISOString());
}

function wordsFor(count: number): string {
  if (count === 0) return 'Nothing was given up since then.';
  return count === 1 ? 'One delivery is sent again.' : `${String(count)} deliveries are sent again.`;
}
