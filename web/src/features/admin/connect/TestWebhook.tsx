import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TestWebhookAnswer } from '../../../../../src/contract/integrations.ts';
import { causeText } from '../../../lib/gateway/causeText.ts';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { Exchange } from '../deliveries/Exchange.tsx';
import { StepPanel } from './StepPanel.tsx';
import { type TestedWebhook, useTestWebhook } from './integrationQueries.ts';

type Props = { url: string | null; onNext: () => void };

/** Sends a webhook that means nothing, to see it arrive. */
export function TestStep({ url, onNext }: Props) {
  const { t } = useTranslation();
  const test = useTestWebhook();
  if (url === null) {
    return (
      <StepPanel
        title={t('admin.connect.test.nothing')}
        note={t('admin.connect.test.nothingNote')}
        actions={<Button type="submit">{t('admin.common.continue')}</Button>}
        onSubmit={onNext}
      >
        {null}
      </StepPanel>
    );
  }
  const isGood = test.data?.answer.outcome === 'success';
  const sendText = t(test.data === undefined ? 'admin.connect.test.send' : 'admin.connect.test.sendAnother');
  return (
    <StepPanel
      title={t('admin.connect.test.arrive')}
      note={t('admin.connect.test.arriveNote')}
      onSubmit={() => (isGood ? onNext() : test.run())}
      actions={
        <>
          <Button type="submit" loading={test.isPending}>
            {isGood ? t('admin.common.continue') : sendText}
          </Button>
          {!isGood && (
            <Button variant="subtle" onClick={onNext} disabled={test.isPending}>
              {t(test.data === undefined ? 'admin.connect.test.skip' : 'admin.connect.test.without')}
            </Button>
          )}
        </>
      }
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('admin.connect.test.to', { url })}
      </Text>
      <TestResult tested={test.data ?? null} isBusy={test.isPending} />
      <Problem error={test.error} />
    </StepPanel>
  );
}

type TestSettingsProps = { url: string };

/** A webhook that means nothing, to see whether one arrives. */
export function TestSettings({ url }: TestSettingsProps) {
  const { t } = useTranslation();
  const test = useTestWebhook();
  return (
    <Section
      title={t('admin.connect.test.title')}
      note={t('admin.connect.test.note', { url })}
      actions={
        <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.run()}>
          {t('admin.connect.test.send')}
        </Button>
      }
    >
      <TestResult tested={test.data ?? null} isBusy={test.isPending} />
      <Problem error={test.error} />
    </Section>
  );
}

const colors = { success: 'teal', skipped: 'gray', fail: 'red' } as const;

type TestResultProps = { tested: TestedWebhook | null; isBusy: boolean };

/** How a test went: the outcome, what was sent and what came back. */
function TestResult({ tested, isBusy }: TestResultProps) {
  const { t } = useTranslation();
  const shown = isBusy ? null : tested;
  const delivery = shown?.delivery ?? null;
  const attempt = delivery?.log.at(-1);
  return (
    <Stack gap="sm">
      {/* Read out as it changes; the headers and bodies below are for looking up. */}
      <div aria-live="polite">
        {isBusy && (
          <Text size="sm" c="dimmed">
            {t('admin.connect.test.waiting')}
          </Text>
        )}
        {shown !== null && <Outcome answer={shown.answer} />}
      </div>
      {delivery !== null && attempt !== undefined && (
        <Exchange attempt={attempt} sent={{ event: delivery.event, rawBody: delivery.raw_body }} />
      )}
    </Stack>
  );
}

function Outcome({ answer }: { answer: TestWebhookAnswer }) {
  const { t } = useTranslation();
  const { status_code: status, latency_ms: latency } = answer;
  return (
    <Alert
      variant="light"
      color={colors[answer.outcome]}
      title={t(`admin.connect.test.${answer.outcome}`)}
      role="note"
      p="sm"
    >
      {status !== undefined && (
        <Text size="sm">
          {latency === undefined
            ? t('admin.connect.test.answer', { status: String(status) })
            : t('admin.connect.test.answerAfter', { status: String(status), latency })}
        </Text>
      )}
      {answer.detail !== undefined && <Text size="sm">{causeText(t, answer.cause, answer.detail)}</Text>}
    </Alert>
  );
}
