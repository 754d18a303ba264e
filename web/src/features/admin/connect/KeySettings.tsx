import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { IntegrationView } from '../../../../../src/contract/integrations.ts';
import { useUpdateIntegration } from './integrationQueries.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Section.tsx';
import { ShownOnce } from './ShownOnce.tsx';

type Props = { integration: IntegrationView };

/** The company's API key: its beginning, and a new one in its place. */
export function KeySettings({ integration: { api_key_prefix: prefix, api_key_issued_at: issuedAt } }: Props) {
  const rotate = useUpdateIntegration();
  const [isAsking, { open, close }] = useDisclosure(false);

  function ask(): void {
    // What an earlier answer was is no part of a new question.
    rotate.reset();
    open();
  }

  return (
    <Section
      title="API key"
      note="What the CRM pushes customers and dials with."
      actions={
        <Button variant="default" size="xs" onClick={ask}>
          {prefix === null ? 'Make a key' : 'Rotate the key'}
        </Button>
      }
    >
      {prefix === null ? (
        <Text size="sm">The company has no key, so that no CRM can push customers or dial.</Text>
      ) : (
        <Text size="sm">
          Begins with <code>{prefix}</code>
          {issuedAt !== null && (
            <>
              , issued <Moment at={issuedAt} />
            </>
          )}
          . The rest was shown once and is kept nowhere: if nobody copied it, rotate the key.
        </Text>
      )}
      <Confirm
        isOpen={isAsking}
        title={prefix === null ? 'Make a key?' : 'Rotate the API key?'}
        action={prefix === null ? 'Make a key' : 'Rotate the key'}
        isBusy={rotate.isPending}
        error={rotate.error}
        onClose={close}
        onConfirm={() => rotate.mutate({ rotate_api_key: true }, { onSuccess: close })}
      >
        <Text size="sm">
          {prefix === null
            ? 'The key is shown once.'
            : `The key that begins with ${prefix} ends at once: pushes, look-ups and clicks of every CRM or middleware that uses it are refused (401) until they have the new one. The new key is shown once.`}
        </Text>
      </Confirm>
      <ShownOnce saved={rotate.data} isExpected={rotate.isPending} onStored={rotate.reset} />
    </Section>
  );
}
