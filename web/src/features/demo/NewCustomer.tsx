import { type FormEvent, useState } from 'react';
import { Alert, Button, Paper, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DemoCustomer } from '../../../../src/contract/demo.ts';
import type { InboundPush } from '../../../../src/contract/screenPops.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem, messageOf } from '../../lib/gateway/apiProblem.ts';
import classes from './NewCustomer.module.css';

type Props = { onPushed: (customer: DemoCustomer) => void };

/** Pushes a customer as a CRM does when a record changes. */
export function NewCustomer({ onPushed }: Props) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<string | null>(null);
  const [pushed, setPushed] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function push(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [name, phone, company] = ['name', 'phone', 'company'].map((field) => text(fields, field));
    if (name === undefined || phone === undefined || company === undefined) return;
    setSending(true);
    setProblem(null);
    try {
      const body: InboundPush = { phone_number: phone, data: { name, company }, external_system: 'demo-crm', tier: 'gold' };
      const { phone_number } = await api.post<{ phone_number: string }>('/api/integrations/inbound', body);
      onPushed({ phone_number, name, company, tier: 'gold', behaviour: 'answers' });
      setPushed(name);
    } catch (error) {
      setProblem((error instanceof ApiProblem ? error.of('phone_number') : null) ?? messageOf(error));
    }
    setSending(false);
  }

  return (
    <Paper withBorder p="sm" component="section" aria-labelledby="new-customer">
      <form onSubmit={(event) => void push(event)}>
        <Title order={2} id="new-customer">
          {t('demo.newCustomer.title')}
        </Title>
        <div className={classes.fields}>
          <TextInput size="xs" label={t('demo.newCustomer.name')} name="name" defaultValue="Margaret Hamilton" required withAsterisk={false} />
          <TextInput size="xs" label={t('demo.newCustomer.company')} name="company" defaultValue="Tranquility Software" required withAsterisk={false} />
          <TextInput size="xs" label={t('demo.newCustomer.phone')} name="phone" defaultValue="+1 555 123 1969" required withAsterisk={false} />
          <Button type="submit" size="xs" loading={isSending}>
            {t('demo.newCustomer.push')}
          </Button>
        </div>
        <div aria-live="polite">
          {problem !== null && (
            <Alert color="red" variant="light" py="xs" mt="xs">
              {problem}
            </Alert>
          )}
          {problem === null && pushed !== null && (
            <Alert color="green" variant="light" py="xs" mt="xs">
              {t('demo.newCustomer.known', { name: pushed })}
            </Alert>
          )}
        </div>
      </form>
    </Paper>
  );
}

function text(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
