import { Paper, Text, Title } from '@mantine/core';
import { crmFields } from '../../../../src/client/crmFields.ts';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import classes from './CustomerRecord.module.css';
import { otherEndText } from '../../shared/otherEnd.ts';

/** The record that the CRM has opened because the softphone told it to. */
export function CustomerRecord({ pop }: { pop: CrmScreenPop | null }) {
  return (
    <Paper withBorder p="sm" component="section" aria-label="Record">
      <Title order={2}>{pop === null ? 'No record is open' : (pop.screen_pop.name ?? otherEndText({ phone: pop.phone_number, caller: pop.caller }))}</Title>
      <div aria-live="polite">{pop === null ? <Hint /> : <Fields pop={pop} />}</div>
    </Paper>
  );
}

function Hint() {
  return (
    <Text size="sm" c="dimmed">
      It opens by itself with the next call, in or out: the softphone tells this page whom it is about (
      <code>readyline:pop</code>).
    </Text>
  );
}

function Fields({ pop }: { pop: CrmScreenPop }) {
  const { screen_pop, phone_number, caller, direction, found } = pop;
  const rows: [string, string | null | undefined][] = [
    ['Number', otherEndText({ phone: phone_number, caller })],
    ['Tier', screen_pop.vip_tier],
    ['E-mail', screen_pop.email],
    ...crmFields(pop)
      .filter(([name]) => !shownElsewhere.includes(name))
      .map(([name, text]): [string, string] => [name.replaceAll('_', ' '), text]),
    ['Reference', screen_pop.external_id],
  ];
  return (
    <>
      <Text size="sm" c="dimmed">
        Opened by {direction === 'inbound' ? 'a call from this customer' : 'the call to this customer'}
        {found ? '.' : '; nothing was pushed about the number.'}
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
