import type { ReactNode } from 'react';
import { Paper, Text, Title } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { crmFields } from '../../../../src/client/crmFields.ts';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import classes from './CustomerRecord.module.css';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';

/** The record that the CRM has opened because the softphone told it to. */
export function CustomerRecord({ pop }: { pop: CrmScreenPop | null }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('demo.record.label')}>
      <Title order={2}>
        {pop === null ? (
          t('demo.record.none')
        ) : (
          <OtherEnd name={pop.screen_pop.name} phone={pop.phone_number} caller={pop.caller} />
        )}
      </Title>
      <div aria-live="polite">{pop === null ? <Hint /> : <Fields pop={pop} />}</div>
    </Paper>
  );
}

function Hint() {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed">
      <Trans t={t} i18nKey="demo.record.hint" components={{ code: <code /> }} />
    </Text>
  );
}

function Fields({ pop }: { pop: CrmScreenPop }) {
  const { t } = useTranslation();
  const { screen_pop, phone_number, caller, direction, found } = pop;
  const rows: [string, ReactNode][] = [
    [t('demo.record.number'), <OtherEnd key="number" phone={phone_number} caller={caller} />],
    [t('demo.record.tier'), screen_pop.vip_tier],
    [t('demo.record.email'), screen_pop.email],
    ...crmFields(pop)
      .filter(([name]) => !shownElsewhere.includes(name))
      .map(([name, text]): [string, string] => [name.replaceAll('_', ' '), text]),
    [t('demo.record.reference'), screen_pop.external_id],
  ];
  return (
    <>
      <Text size="sm" c="dimmed">
        {t(`demo.record.${found ? direction : (`${direction}Unknown` as const)}`)}
      </Text>
      <dl className={classes.fields}>
        {rows.flatMap(([name, value]) =>
          value === undefined || value === null || value === ''
            ? []
            : [
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>,
              ],
        )}
      </dl>
    </>
  );
}

/** Fields of the push that are fields of the screen pop, too. */
const shownElsewhere = ['name', 'email'];
