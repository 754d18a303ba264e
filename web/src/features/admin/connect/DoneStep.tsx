import { Anchor, Button, List } from '@mantine/core';
import { Link } from 'wouter';
import { StepPanel } from './StepPanel.tsx';
import { Snippets } from './Snippets.tsx';

type Props = {
  /** Chosen, and nothing is exchanged with them. */
  unconnected: readonly string[];
  onDone: () => void;
};

/** What to do with the key. */
export function DoneStep({ unconnected, onDone }: Props) {
  const isWhole = unconnected.length === 0;
  return (
    <StepPanel
      title={isWhole ? 'Connected' : `Ready for requests. ${unconnected.join(' and ')}: not connected`}
      note={
        isWhole
          ? 'Two requests are all that the CRM needs. Put the key in place of $READYLINE_KEY.'
          : `${unconnected.join(' and ')}: a label in webhooks for now, nothing is exchanged by itself. A program of your own connects it with two requests. Put the key in place of $READYLINE_KEY.`
      }
      actions={<Button type="submit">To the settings</Button>}
      onSubmit={onDone}
    >
      <Snippets />
      <List size="sm" spacing={4}>
        <List.Item>
          <Anchor component={Link} href="/agents" underline="always" size="sm">
            Create the agents
          </Anchor>{' '}
          who take calls.
        </List.Item>
        <List.Item>
          <Anchor component={Link} href="/telephony" underline="always" size="sm">
            Say how they telephone
          </Anchor>
          .
        </List.Item>
        <List.Item>
          <Anchor href="/docs" underline="always" size="sm">
            Every request and webhook
          </Anchor>{' '}
          of the interface.
        </List.Item>
      </List>
    </StepPanel>
  );
}
