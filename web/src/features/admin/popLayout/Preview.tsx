import { Alert, Button, Group, Paper, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../../../src/contract/calls.ts';
import type { PopLayout } from '../../../../../src/contract/popLayout.ts';
import { ApiProblem } from '../../../lib/gateway/apiProblem.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { otherEndText } from '../../../shared/otherEnd.ts';
import { usePhoneText } from '../../../shared/phoneNumbers/phoneText.ts';
import { CustomerDetails } from '../../../shared/customerDetails/CustomerDetails.tsx';
import type { ShownPop } from '../../../shared/customerDetails/shownPop.ts';
import { problemText } from '../components/Loaded.tsx';
import { chosenPop } from './chosenPop.ts';
import { latestCallsQuery, type Previewed } from './popLayoutQueries.ts';

type ChooserProps = { of: Previewed | null; onChoose: (of: Previewed) => void };

/** Whom the preview shows: the customer of a recent call, or whoever has a number. */
export function PreviewChooser({ of, onChoose }: ChooserProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const phoneText = usePhoneText();
  const calls = useQuery(latestCallsQuery);
  const [phone, setPhone] = useState('');
  const labelOf = (call: CallSummary) =>
    `${call.customer_name ?? otherEndText(t, phoneText, call)} · ${format.moment(call.created_at)}`;
  return (
    <>
      {(calls.data?.length ?? 0) > 0 && (
        <Select
          size="xs"
          label={t('popLayout.preview.call')}
          data={calls.data?.map((call) => ({ value: call.id, label: labelOf(call) })) ?? []}
          value={of !== null && 'call' in of ? of.call : null}
          onChange={(call) => call !== null && onChoose({ call })}
        />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (phone.trim() !== '') onChoose({ phone: phone.trim() });
        }}
      >
        <Group gap="xs" align="flex-end">
          <TextInput
            style={{ flex: '1 1 10rem' }}
            size="xs"
            type="tel"
            label={t('popLayout.preview.number')}
            value={phone}
            maxLength={64}
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
          <Button size="xs" variant="default" type="submit">
            {t('popLayout.preview.show')}
          </Button>
        </Group>
      </form>
    </>
  );
}

type PreviewProps = { query: { data: ShownPop | undefined; error: unknown; isFetching: boolean }; layout: PopLayout };

/** A customer as agents see them: the same card. */
export function Preview({ query: { data, error, isFetching }, layout }: PreviewProps) {
  const { t } = useTranslation();
  if (error !== null && !isFetching) {
    const isUnknown = error instanceof ApiProblem && error.code === 'unknown_phone';
    return <Alert variant="light">{isUnknown ? t('popLayout.preview.unknown') : problemText(t, error)}</Alert>;
  }
  if (data === undefined)
    return <Text size="sm">{t(isFetching ? 'popLayout.preview.reading' : 'popLayout.preview.choose')}</Text>;
  return <Card key={JSON.stringify(data.screen_pop.candidates ?? null)} pop={data} layout={layout} />;
}

/** Of several records with the number one may be looked at after the other, which tells nobody. */
function Card({ pop, layout }: { pop: ShownPop; layout: PopLayout }) {
  const { t } = useTranslation();
  const candidates = pop.screen_pop.candidates ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const candidate = candidates[Number(chosen)];
  return (
    <>
      {candidates.length > 0 && (
        <Select
          size="xs"
          label={t('softphone.customer.several', { count: candidates.length })}
          data={candidates.map(({ name, object, id }, index) => ({
            value: String(index),
            label: `${name ?? id} · ${object}`,
          }))}
          value={chosen}
          onChange={setChosen}
          clearable
        />
      )}
      <Paper
        component="section"
        withBorder
        p="sm"
        maw={420}
        aria-label={t('softphone.customer.label')}
        data-testid="customer-card"
      >
        <CustomerDetails
          pop={chosen === null || candidate === undefined ? pop : chosenPop(pop, candidate)}
          layout={layout}
        />
      </Paper>
    </>
  );
}
