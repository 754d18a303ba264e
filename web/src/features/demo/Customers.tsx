import { useState } from 'react';
import { Alert, Button, Table, Title } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import type { ClickToDialAnswer, ClickToDialRequest } from '../../../../src/contract/clickToDial.ts';
import type { DemoBehaviour, DemoCustomer } from '../../../../src/contract/demo.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';
import classes from './Customers.module.css';

type Props = { customers: readonly DemoCustomer[]; agentCode: string; onDialed: () => void };

const behaviours: Record<DemoBehaviour, string> = {
  answers: 'answers',
  busy: 'is busy',
  declines: 'declines',
  unknown: 'no such number',
  never_answers: 'never answers',
  hangs_up: 'hangs up soon',
};

/** The CRM's list, with a button that calls click-to-dial as any CRM would. */
export function Customers({ customers, agentCode, onDialed }: Props) {
  const [dialing, setDialing] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<{ isBad: boolean; text: string } | null>(null);

  async function dial({ phone_number, name }: DemoCustomer): Promise<void> {
    setDialing(phone_number);
    setOutcome(null);
    try {
      const click: ClickToDialRequest = { phone_number, agent_code: agentCode };
      const { agent } = await api.post<ClickToDialAnswer>('/api/integrations/cti/click-to-dial', click);
      setOutcome({ isBad: false, text: `201: ${agent.name} is dialing ${name}.` });
      onDialed();
    } catch (error) {
      setOutcome({ isBad: true, text: said(error) });
    }
    setDialing(null);
  }

  return (
    <section aria-labelledby="customers" className={classes.customers}>
      <Title order={2} id="customers">
        Customers
      </Title>
      <Table verticalSpacing={3} horizontalSpacing="xs" fz="sm" highlightOnHover className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th className={classes.company}>Company</Table.Th>
            <Table.Th className={classes.number}>Number</Table.Th>
            <Table.Th>When called</Table.Th>
            <Table.Th aria-label="Call" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {customers.map((customer) => (
            <Table.Tr key={customer.phone_number}>
              <Table.Td>{customer.name}</Table.Td>
              <Table.Td className={classes.company}>{customer.company}</Table.Td>
              <Table.Td className={classes.number}>{customer.phone_number}</Table.Td>
              <Table.Td>{behaviours[customer.behaviour]}</Table.Td>
              <Table.Td ta="end">
                <Button
                  size="compact-sm"
                  leftSection={<IconPhone size={14} aria-hidden />}
                  aria-label={`Dial ${customer.name}`}
                  loading={dialing === customer.phone_number}
                  disabled={dialing !== null && dialing !== customer.phone_number}
                  onClick={() => void dial(customer)}
                >
                  Dial
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <div aria-live="polite">
        {outcome !== null && (
          <Alert color={outcome.isBad ? 'red' : 'green'} variant="light" py="xs" mt="xs">
            {outcome.text}
          </Alert>
        )}
      </div>
    </section>
  );
}

/** What a CRM would show, and whoever is new here can do about it. */
function said(error: unknown): string {
  if (!(error instanceof ApiProblem)) return 'The click failed.';
  const help = error.code === 'agent_not_ready' ? ' Only an agent who is Ready can be dialed from: press Ready in the softphone.' : '';
  return `${String(error.status)}: ${error.message}${help}`;
}
