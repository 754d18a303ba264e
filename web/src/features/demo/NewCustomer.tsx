import type { FormEvent } from 'react';
import { Alert, Button, Paper, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DemoCustomer } from '../../../../src/contract/demo.ts';
import type { InboundPush } from '../../../../src/contract/screenPops.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem, messageOf } from '../../lib/gateway/apiProblem.ts';
import classes from './NewCustomer.module.css';

type Typed = { name: string; company: string; phone: string };

type Props = { onPushed: (customer: DemoCustomer) => void };

/** Pushes a customer as a CRM does when a record changes. */
export function NewCustomer({ onPushed }: Props) {
  const { t } = useTranslation();
  const push = useMutation({
    mutationFn: ({ name, company, phone }: Typed) => {
      const body: InboundPush = { phone_number: phone, data: { name, company }, external_system: 'demo-crm', tier: 'gold' };
      return api.post<{ phone_number: string }>('/api/integrations/inbound', body);
    },
    onSuccess: ({ phone_number }, { name, company }) => onPushed({ phone_number, name, company, tier: 'gold', behaviour: 'answers' }),
  });

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    push.mutate({ name: text(fields, 'name'), phone: text(fields, 'phone'), company: text(fields, 'company') });
  }

  return (
    <Paper withBorder p="sm" component="section" aria-labelledby="new-customer">
      <form onSubmit={submit}>
        <Title order={2} id="new-customer">
          {t('demo.newCustomer.title')}
        </Title>
        <div className={classes.fields}>
          <TextInput size="xs" label={t('demo.newCustomer.name')} name="name" defaultValue="Margaret Hamilton" required withAsterisk={false} />
          <TextInput size="xs" label={t('demo.newCustomer.company')} name="company" defaultValue="Tranquility Software" required withAsterisk={false} />
          <TextInput size="xs" label={t('demo.newCustomer.phone')} name="phone" defaultValue="+1 555 123 1969" required withAsterisk={false} />
          <Button type="submit" size="xs" loading={push.isPending}>
            {t('demo.newCustomer.push')}
          </Button>
        </div>
        <div aria-live="polite">
          {push.isError && (
            <Alert color="red" variant="light" py="xs" mt="xs">
              {(push.error instanceof ApiProblem ? push.error.of('phone_number') : null) ?? messageOf(t, push.error)}
            </Alert>
          )}
          {push.isSuccess && (
            <Alert color="green" variant="light" py="xs" mt="xs">
              {t('demo.newCustomer.known', { name: push.variables.name })}
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
