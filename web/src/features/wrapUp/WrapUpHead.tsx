import { Group, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { RecordLink } from '../../shared/RecordLink.tsx';
import { nameOf, resultText } from '../calls/callWords.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { WrapUpCountdown } from './WrapUpCountdown.tsx';

/**
 * With whom the call was that is over, how it ended, and how long its wrap-up lasts still.
 * @param isLate its time is over
 */
export function WrapUpHead({ call, isLate }: { call: CallSummary; isLate: boolean }) {
  const { t } = useTranslation();
  const { pop } = useWorkplace().view;
  const name = nameOf(call, pop);
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ overflowWrap: 'anywhere' }}>
        <Title order={2}>
          <OtherEnd name={name} phone={call.phone} caller={call.caller} />
        </Title>
        <Text size="sm">
          {t('softphone.wrapUp.title')} · <span>{resultText(t, call)}</span>
          {name !== '' && (
            <>
              {' · '}
              <OtherEnd phone={call.phone} caller={call.caller} />
            </>
          )}
        </Text>
        {pop?.call_id !== call.id && <RecordLink record={call} />}
      </div>
      {!isLate && <WrapUpCountdown />}
    </Group>
  );
}
