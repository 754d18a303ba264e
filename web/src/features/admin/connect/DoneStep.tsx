import { Anchor, Button, List } from '@mantine/core';
import { Link } from 'react-router';
import { CodeSample } from '../components/CodeSample.tsx';
import { StepPanel } from './StepPanel.tsx';

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
          <Anchor component={Link} to="/agents" underline="always" size="sm">
            Create the agents
          </Anchor>{' '}
          who take calls.
        </List.Item>
        <List.Item>
          <Anchor component={Link} to="/telephony" underline="always" size="sm">
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

const push = (origin: string) => `curl ${origin}/api/integrations/inbound \\
  -H 'content-type: application/json' -H "X-Service-Api-Key: $READYLINE_KEY" \\
  -d '{"phone_number": "+15551230001", "data": {"name": "Grace Hopper", "open_tickets": 2}, "tier": "gold"}'`;

const click = (origin: string) => `curl ${origin}/api/integrations/cti/click-to-dial \\
  -H 'content-type: application/json' -H "X-Service-Api-Key: $READYLINE_KEY" \\
  -d '{"phone_number": "+15551230001"}'`;

/** The two requests that a CRM makes, ready to be pasted into a terminal. */
export function Snippets() {
  const { origin } = window.location;
  return (
    <>
      <CodeSample title="Push a customer" text={push(origin)} />
      <CodeSample title="Click to dial, while an agent is Ready" text={click(origin)} />
    </>
  );
}
