import { Alert, Button, Paper, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DemoCustomer } from '../../../../src/contract/demo.ts';
import type { InboundPush } from '../../../../src/contract/screenPops.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem, fieldText, messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useSmallForm } from '../../shared/useSmallForm.ts';
import classes from './NewCustomer.module.css';

type NewCustomerFields = { name: string; company: string; phone: string };

const example: NewCustomerFields = {
  name: 'Margaret Hamilton',
  company: 'Tranquility Software',
  phone: '+1 555 123 1969',
};

type Props = { onPushed: (customer: DemoCustomer) => void };

/** Pushes a customer as a CRM does when a record changes. */
export function NewCustomer({ onPushed }: Props) {
  const { t } = useTranslation();
  const form = useSmallForm({ initialValues: example });
  const push = useAction(async (fields: NewCustomerFields) => {
    const [name, company] = [fields.name.trim(), fields.company.trim()];
    const body: InboundPush = {
      phone_number: fields.phone.trim(),
      data: { name, company },
      external_system: 'demo-crm',
      tier: 'gold',
    };
    const { phone_number } = await api.post<{ phone_number: string }>('/api/integrations/inbound', body);
    onPushed({ phone_number, name, company, tier: 'gold', behaviour: 'answers' });
    return name;
  });
  const phoneFault =
    push.error instanceof ApiProblem ? push.error.errors.find(({ path }) => path === 'phone_number') : undefined;
  const phoneError = phoneFault === undefined ? null : fieldText(t, phoneFault);

  return (
    <Paper withBorder p="sm" component="section" aria-labelledby="new-customer">
      <form onSubmit={form.onSubmit((fields) => push.run(fields))}>
        <Title order={2} id="new-customer">
          {t('demo.newCustomer.title')}
        </Title>
        <div className={classes.fields}>
          <TextInput
            size="xs"
            label={t('demo.newCustomer.name')}
            {...form.getInputProps('name')}
            required
            withAsterisk={false}
          />
          <TextInput
            size="xs"
            label={t('demo.newCustomer.company')}
            {...form.getInputProps('company')}
            required
            withAsterisk={false}
          />
          <TextInput
            size="xs"
            label={t('demo.newCustomer.phone')}
            {...form.getInputProps('phone')}
            error={phoneError}
            required
            withAsterisk={false}
          />
          <Button type="submit" size="xs" loading={push.isPending}>
            {t('demo.newCustomer.push')}
          </Button>
        </div>
        <div aria-live="polite">
          {push.error !== null && phoneError === null && (
            <Alert color="red" variant="light" py="xs" mt="xs">
              {messageOf(t, push.error)}
            </Alert>
          )}
          {push.data !== undefined && (
            <Alert color="green" variant="light" py="xs" mt="xs">
              {t('demo.newCustomer.known', { name: push.data })}
            </Alert>
          )}
        </div>
      </form>
    </Paper>
  );
}
