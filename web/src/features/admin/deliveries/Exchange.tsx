import { Stack, Text } from '@mantine/core';
import type { AttemptView } from '../../../../../src/contract/deliveries.ts';
import { indented } from '../../../shared/indented.ts';
import { CodeSample } from '../components/CodeSample.tsx';

type Props = {
  attempt: AttemptView;
  /** Shown with its body, byte for byte the same at every attempt. */
  sent?: { event: string; rawBody: string };
};

/** What one attempt sent, and what came back. */
export function Exchange({ attempt, sent }: Props) {
  return (
    <Stack gap="sm">
      <CodeSample title={sent === undefined ? 'Sent' : `Sent: ${sent.event}`} text={`POST ${attempt.url}\n${headerLines(attempt.request_headers)}`} />
      {sent !== undefined && <CodeSample title="Body" text={indented(sent.rawBody)} raw={sent.rawBody} />}
      {attempt.status_code === null ? (
        <Text size="sm">
          <strong>Came back:</strong> nothing. {attempt.error}
        </Text>
      ) : (
        <>
          <CodeSample
            title={`Came back: ${String(attempt.status_code)}`}
            text={headerLines(attempt.response_headers ?? {}) || 'No headers'}
          />
          {attempt.response_body !== null && attempt.response_body !== '' && (
            <CodeSample title="Body of the answer" text={indented(attempt.response_body)} />
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
