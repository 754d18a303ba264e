import { Alert, Button, Table, Title } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ClickToDialAnswer, ClickToAccountRequest } from '../../../../src/contract/clickToDial.ts';
import type { DemoCustomer } from '../../../../src/contract/demo.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem, messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { PhoneNumber } from '../../shared/phoneNumbers/PhoneNumber.tsx';
import classes from './Customers.module.css';

type Props = { customers: readonly DemoCustomer[]; agentCode: string; onDialed: () => void };

/** The CRM's list, with a button that calls click-to-dial as any CRM would. */
export function Customers({ customers, agentCode, onDialed }: Props) {
  const { t } = useTranslation();
  const dial = useAction(async ({ phone_number, name }: DemoCustomer) => {
    const click: ClickToAccountRequest = { phone_number, agent_code: agentCode };
    const { agent } = await api.post<ClickToDialAnswer>('/api/integrations/cti/click-to-dial', click);
    onDialed();
    return { agent: agent.name, name };
  });
  const dialing = dial.isPending ? (dial.input?.phone_number ?? null) : null;

  return (
    <section aria-labelledby="customers" className={classes.customers}>
      <Title order={2} id="customers">
        {t('demo.customers.title')}
      </Title>
      <div className={classes.scrolled}>
        <Table verticalSpacing={3} horizontalSpacing="xs" fz="sm" highlightOnHover className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('demo.customers.name')}</Table.Th>
              <Table.Th className={classes.company}>{t('demo.customers.company')}</Table.Th>
              <Table.Th className={classes.number}>{t('demo.customers.number')}</Table.Th>
              <Table.Th>{t('demo.customers.whenCalled')}</Table.Th>
              <Table.Th aria-label={t('demo.customers.call')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {customers.map((customer) => (
              <Table.Tr key={customer.phone_number}>
                <Table.Td>{customer.name}</Table.Td>
                <Table.Td className={classes.company} title={customer.company}>
                  {customer.company}
                </Table.Td>
                <Table.Td className={classes.number}>
                  <PhoneNumber number={customer.phone_number} />
                </Table.Td>
                <Table.Td className={classes.behaviour}>{t(`demo.behaviour.${customer.behaviour}`)}</Table.Td>
                <Table.Td ta="end">
                  <Button
                    size="compact-sm"
                    leftSection={<IconPhone size={14} aria-hidden />}
                    aria-label={t('demo.customers.dialName', { name: customer.name })}
                    loading={dialing === customer.phone_number}
                    disabled={dialing !== null && dialing !== customer.phone_number}
                    onClick={() => dial.run(customer)}
                  >
                    {t('demo.customers.dial')}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <div aria-live="polite">
        {dial.data !== undefined && (
          <Alert color="green" variant="light" py="xs" mt="xs">
            {t('demo.customers.dialing', dial.data)}
          </Alert>
        )}
        {dial.error !== null && (
          <Alert color="red" variant="light" py="xs" mt="xs">
            {said(t, dial.error)}
          </Alert>
        )}
      </div>
    </section>
  );
}

/** What a CRM would show, and whoever is new here can do about it. */
function said(t: Translate, error: unknown): string {
  if (!(error instanceof ApiProblem)) return messageOf(t, error);
  const refused = t('demo.customers.refused', { status: String(error.status), why: messageOf(t, error) });
  return error.code === 'agent_not_ready' ? `${refused} ${t('demo.customers.notReady')}` : refused;
}
