import { useState } from 'react';
import { Alert, Button, Table, Title } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import type { ClickToDialAnswer, ClickToDialRequest } from '../../../src/contract/clickToDial.ts';
import type { DemoBehaviour, DemoCustomer } from '../../../src/contract/demo.ts';
import { api } from '../shared/api.ts';
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
      setOutcome({ isBad: true, text: error instanceof Error ? error.message : 'The click failed.' });
    }
    setDialing(null);
  }

  return (
    <section aria-labelledby="customers">
      <Title order={2} id="customers">
        Customers
      </Title>
      <Table verticalSpacing={3} horizontalSpacing="xs" fz="sm" highlightOnHover className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Company</Table.Th>
            <Table.Th>Number</Table.Th>
            <Table.Th>When called</Table.Th>
            <Table.Th aria-label="Call" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {customers.map((customer) => (
            <Table.Tr key={customer.phone_number}>
              <Table.Td>{customer.name}</Table.Td>
              <Table.Td className={classes.company}>{customer.company}</Table.Td>
              <Table.Td>{customer.phone_number}</Table.Td>
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
