import { Paper, Text, Title } from '@mantine/core';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { otherEndText } from '../../shared/otherEnd.ts';

/** A click in the CRM is about to become a call: the phone dials by itself in a moment. */
export function PreviewDial() {
  const { pop } = useWorkplace().view;
  return (
    <Paper component="section" withBorder p="sm" aria-label="Call">
      <Title order={2}>About to dial</Title>
      <Text size="sm">{pop === null ? 'A call is coming.' : `A click in the CRM: ${otherEndText({ phone: pop.phone_number })} is dialed in a moment.`}</Text>
    </Paper>
  );
}
