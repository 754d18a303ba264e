import { Group, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../../src/contract/calls.ts';
import { CustomerFields, popFields } from '../../../shared/customerDetails/CustomerFields.tsx';
import type { ExactAnswer } from '../../../shared/customerDetails/exactAnswer.ts';
import type { ShownPop } from '../../../shared/customerDetails/shownPop.ts';
import { Tier } from '../../../shared/customerDetails/Tier.tsx';
import { recordAddress, RecordLink } from '../../../shared/RecordLink.tsx';

type Props = { call: ExactAnswer<Pick<CallView, 'phone' | 'screen_pop'>> };

/**
 * What the agent saw of the customer when the call came, but for the name;
 * as the CRM has it, however the company arranges it by now.
 */
export function PoppedRecord({ call: { exact, phone, screen_pop: known } }: Props) {
  const { t } = useTranslation();
  if (known === null) return null;
  const pop: ShownPop = {
    phone_number: phone,
    screen_pop: known,
    ...(exact?.crm === undefined ? {} : { exact: { crm: exact.crm } }),
  };
  const isEmpty =
    popFields(t, pop).length === 0 && recordAddress(known.record_url ?? '') === null && (known.vip_tier ?? '') === '';
  if (isEmpty) return null;
  return (
    <section>
      <Title order={3}>{t('calls.record.title')}</Title>
      <Group gap="xs">
        <Tier of={known} />
        <RecordLink record={known} />
      </Group>
      <CustomerFields pop={pop} layout={null} />
    </section>
  );
}
