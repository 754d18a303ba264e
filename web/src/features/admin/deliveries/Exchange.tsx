import { Stack, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import type { AttemptView } from '../../../../../src/contract/deliveries.ts';
import { causeText } from '../../../lib/gateway/causeText.ts';
import { indented } from '../../../shared/indented.ts';
import { CodeSample } from '../components/Copyable.tsx';

type Props = {
  attempt: AttemptView;
  /** Shown with its body, byte for byte the same at every attempt. */
  sent?: { event: string; rawBody: string };
};

/** What one attempt sent, and what came back. */
export function Exchange({ attempt, sent }: Props) {
  const { t } = useTranslation();
  const { url, method } = attempt;
  return (
    <Stack gap="sm">
      {url !== null && (
        <CodeSample
          title={
            sent === undefined
              ? t('admin.deliveries.exchange.sent')
              : t('admin.deliveries.exchange.sentEvent', { event: sent.event })
          }
          text={[`${method ?? 'POST'} ${url}`, headerLines(attempt.request_headers)].join('\n')}
        />
      )}
      {attempt.request_body !== null && attempt.request_body !== '' && (
        <CodeSample
          title={t('admin.deliveries.one.body')}
          text={indented(attempt.request_body)}
          raw={attempt.request_body}
        />
      )}
      {sent !== undefined && (
        <CodeSample title={t('admin.deliveries.one.body')} text={indented(sent.rawBody)} raw={sent.rawBody} />
      )}
      {attempt.status_code === null ? (
        <Text size="sm">
          <Trans
            t={t}
            i18nKey="admin.deliveries.exchange.nothing"
            values={{ error: causeText(t, attempt.error_cause, attempt.error ?? '') }}
            components={{ strong: <strong /> }}
          />
        </Text>
      ) : (
        <>
          <CodeSample
            title={t('admin.deliveries.exchange.cameBack', { status: String(attempt.status_code) })}
            text={headerLines(attempt.response_headers ?? {}) || t('admin.deliveries.exchange.noHeaders')}
          />
          {attempt.response_body !== null && attempt.response_body !== '' && (
            <CodeSample title={t('admin.deliveries.exchange.answerBody')} text={indented(attempt.response_body)} />
          )}
        </>
      )}
    </Stack>
  );
}

/** Headers as lines. */
function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
