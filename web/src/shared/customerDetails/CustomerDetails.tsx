import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PopLayout } from '../../../../src/contract/popLayout.ts';
import { OtherEnd } from '../phoneNumbers/OtherEnd.tsx';
import { RecordLink } from '../RecordLink.tsx';
import classes from './CustomerDetails.module.css';
import { CustomerFields } from './CustomerFields.tsx';
import { LookingUp } from './LookingUp.tsx';
import type { ShownPop } from './shownPop.ts';
import { Tier } from './Tier.tsx';

type Props = {
  pop: ShownPop;
  /** How the fields are shown; null: as the CRM has them. */
  layout: PopLayout | null;
  /** Beside the link to the record in the CRM. */
  links?: ReactNode;
  /** Who spoke to the customer last. */
  lastSpoken?: ReactNode;
  /** The calls before, and what is known of the contact of the built-in CRM. */
  contact?: ReactNode;
  /** Name and number stand above already. */
  isNamed?: boolean;
};

/** A customer's name, tier, links and fields. */
export function CustomerDetails({ pop, layout, links, lastSpoken, contact, isNamed = false }: Props) {
  const { t } = useTranslation();
  const { screen_pop: known } = pop;
  const name = known.name?.trim() ?? '';
  const end = { phone: pop.phone_number, caller: pop.caller };
  const isKnown = Object.entries(known).some(([key, value]) => key !== 'phone' && value !== null && value !== '');
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="xs">
        {!isNamed && (
          <Title order={2} className={classes.name}>
            <OtherEnd name={name} {...end} />
          </Title>
        )}
        <Tier of={known} />
      </Group>
      {name !== '' && !isNamed && (
        <Text size="sm">
          <OtherEnd {...end} />
        </Text>
      )}
      {lastSpoken}
      {pop.looking_up === true && <LookingUp />}
      {!isKnown && pop.looking_up !== true && <Text size="sm">{t('softphone.customer.unknown')}</Text>}
      <Group gap="xs" className={classes.record ?? ''}>
        <RecordLink record={known} />
        {links}
      </Group>
      <CustomerFields pop={pop} layout={layout}>
        {contact}
      </CustomerFields>
    </>
  );
}
