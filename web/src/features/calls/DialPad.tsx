import { ActionIcon, Button, CloseButton, Group, Paper, Text, TextInput } from '@mantine/core';
import { IconDialpad, IconPhone } from '@tabler/icons-react';
import { useId, useState, type FormEvent } from 'react';
import { lasts } from './callWords.ts';
import { dialBlocker } from './dialBlocker.ts';
import { Keys } from './Keys.tsx';
import { lookupText, useLookup } from './useLookup.ts';
import { messageOf } from '../../lib/gateway/messageOf.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Props = { number: string; onNumber: (number: string) => void };

/** Dials by hand; while a number is typed or pasted, it says whose it is. */
export function DialPad({ number, onNumber }: Props) {
  const { view, workplace } = useWorkplace();
  const [showsKeys, setShowsKeys] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const lookup = useLookup(number, view.settings?.default_country != null);
  const hintId = useId();
  if (lasts(view.call) || view.agent?.state === 'reserved') return null;
  const blocker = dialBlocker(view);

  function change(next: string): void {
    setProblem(null);
    onNumber(next);
  }

  async function dial(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (blocker !== null || isBusy || number.trim() === '') return;
    setBusy(true);
    setProblem(null);
    try {
      await workplace.dial(number.trim());
      onNumber('');
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Paper component="section" withBorder p="sm" aria-label="Dial">
      <form onSubmit={(event) => void dial(event)}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            type="tel"
            aria-label="Phone number"
            aria-describedby={hintId}
            placeholder="Phone number"
            autoComplete="off"
            maxLength={64}
            value={number}
            onChange={(event) => change(event.currentTarget.value)}
            rightSection={number === '' ? null : <CloseButton size="sm" aria-label="Clear the number" onClick={() => change('')} />}
          />
          <ActionIcon
            size="lg"
            variant={showsKeys ? 'filled' : 'default'}
            aria-label="Number keys"
            aria-expanded={showsKeys}
            onClick={() => setShowsKeys(!showsKeys)}
          >
            <IconDialpad size={16} />
          </ActionIcon>
          <Button type="submit" loading={isBusy} disabled={blocker !== null || number.trim() === ''} leftSection={<IconPhone size={16} aria-hidden />}>
            Dial
          </Button>
        </Group>
        <Text id={hintId} size="xs" mt={4} aria-live="polite" data-testid="lookup" lineClamp={2}>
          {number === '' ? 'Type or paste a number; Enter dials.' : (blocker ?? lookupText(lookup))}
        </Text>
        {problem !== null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
      </form>
      {showsKeys && <Keys label="Number keys" onKey={(key) => change(number + key)} />}
    </Paper>
  );
}
