import { Anchor, Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconPhoneCheck, IconPhoneOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../src/contract/calls.ts';
import type { PhoneEnd } from '../../lib/sip/phoneCall.ts';
import { isTalking } from '../../shared/callState.tsx';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** Why a desk phone did not get through, as its agent hears it. */
const unanswered = [
  { what: 'busy', end: { reason: 'busy', endedBy: 'customer' } },
  { what: 'noAnswer', end: { reason: 'no_answer' } },
  { what: 'declined', end: { reason: 'rejected', endedBy: 'customer' } },
  { what: 'gaveUp', end: { reason: 'canceled', endedBy: 'agent' } },
  { what: 'unreachable', end: { reason: 'failed' } },
] as const satisfies readonly { what: string; end: PhoneEnd }[];

const answered = [
  { what: 'iHungUp', end: { reason: 'completed', endedBy: 'agent' } },
  { what: 'customerHungUp', end: { reason: 'completed', endedBy: 'customer' } },
  { what: 'transferred', end: { reason: 'transferred', endedBy: 'agent' } },
] as const satisfies readonly { what: string; end: PhoneEnd }[];

/** With a desk phone, agents say themselves when a call was answered and how it ended. */
export function DeskPhoneControls({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { view, workplace } = useWorkplace();
  const telephony = view.settings?.telephony;
  const scheme = telephony?.mode === 'desk_phone' ? telephony.scheme : 'tel';
  const isAnswered = isTalking(call);
  return (
    <>
      {!isAnswered && call.phone !== null && (
        <Text size="sm" mt="xs">
          <Anchor inherit href={`${scheme}:${call.phone}`}>
            {t('softphone.deskPhone.dial', { number: isolated(phoneText(call.phone)) })}
          </Anchor>{' '}
          {t('softphone.deskPhone.thenTell')}
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
            {t('softphone.deskPhone.answered')}
          </Button>
        )}
        <Menu position="bottom-end" shadow="sm">
          <Menu.Target>
            <Button
              color="red"
              leftSection={<IconPhoneOff size={16} aria-hidden />}
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              {t('softphone.deskPhone.ended')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {(isAnswered ? answered : unanswered).map(({ what, end }) => (
              <Menu.Item key={what} onClick={() => workplace.reportEnded(end)}>
                {t(`softphone.deskPhone.${what}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
    </>
  );
}
