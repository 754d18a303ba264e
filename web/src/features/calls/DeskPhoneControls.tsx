import { Anchor, Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconPhoneCheck, IconPhoneOff } from '@tabler/icons-react';
import type { CallView } from '../../../../src/contract/calls.ts';
import type { PhoneEnd } from '../../lib/sip/phone.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** Why an own telephone did not get through, as its agent hears it. */
const unanswered: readonly { label: string; end: PhoneEnd }[] = [
  { label: 'Busy', end: { reason: 'busy', endedBy: 'customer' } },
  { label: 'No answer', end: { reason: 'no_answer' } },
  { label: 'Declined', end: { reason: 'rejected', endedBy: 'customer' } },
  { label: 'I gave up', end: { reason: 'canceled', endedBy: 'agent' } },
  { label: 'Could not be reached', end: { reason: 'failed' } },
];

const answered: readonly { label: string; end: PhoneEnd }[] = [
  { label: 'I hung up', end: { reason: 'completed', endedBy: 'agent' } },
  { label: 'The customer hung up', end: { reason: 'completed', endedBy: 'customer' } },
];

/** With a telephone of their own, agents say themselves when a call was answered and how it ended. */
export function DeskPhoneControls({ call }: { call: CallView }) {
  const { view, workplace } = useWorkplace();
  const telephony = view.settings?.telephony;
  const scheme = telephony?.mode === 'desk_phone' ? telephony.scheme : 'tel';
  const isAnswered = call.state === 'connected' || call.state === 'held';
  return (
    <>
      {!isAnswered && call.phone !== null && (
        <Text size="sm" mt="xs">
          <Anchor inherit href={`${scheme}:${call.phone}`}>
            Dial {call.phone} on your telephone
          </Anchor>
          , then tell what happens.
        </Text>
      )}
      <Group mt="sm" grow>
        {!isAnswered && (
          <Button
            color="green"
            leftSection={<IconPhoneCheck size={16} aria-hidden />}
            aria-keyshortcuts="Alt+A"
            onClick={() => workplace.reportAnswered()}
          >
            Answered
          </Button>
        )}
        <Menu position="bottom-end" shadow="sm">
          <Menu.Target>
            <Button
              color="red"
              leftSection={<IconPhoneOff size={16} aria-hidden />}
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              Ended
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {(isAnswered ? answered : unanswered).map(({ label, end }) => (
              <Menu.Item key={label} onClick={() => workplace.reportEnded(end)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
    </>
  );
}
