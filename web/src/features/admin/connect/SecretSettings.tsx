import { useState } from 'react';
import { Button, Text } from '@mantine/core';
import type { IntegrationView } from '../../../../../src/contract/integrations.ts';
import { useUpdateIntegration } from './integrationQueries.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Section.tsx';
import { toast } from '../components/toast.ts';
import { ShownOnce } from './ShownOnce.tsx';

type Wish = 'rotate' | 'revoke';

type Props = { integration: IntegrationView };

/** What webhooks are signed with. */
export function SecretSettings({ integration }: Props) {
  const { webhook_secret_set: isSet, webhook_secret_previous_until: previousUntil } = integration;
  const change = useUpdateIntegration();
  const [asked, setAsked] = useState<Wish | null>(null);
  const [last, setLast] = useState<Wish>('rotate');

  function ask(wish: Wish): void {
    change.reset();
    setLast(wish);
    setAsked(wish);
  }

  function confirm(): void {
    change.mutate(
      { webhook_secret: last === 'rotate' ? 'rotate' : null },
      {
        onSuccess: () => {
          setAsked(null);
          if (last === 'revoke') toast('Webhooks are not signed any more.');
        },
      },
    );
  }

  return (
    <Section
      title="Webhook secret"
      note="A receiver that checks the signature knows that a webhook comes from here."
      actions={
        <>
          <Button size="xs" variant="default" onClick={() => ask('rotate')}>
            {isSet ? 'Rotate the secret' : 'Create a secret'}
          </Button>
          {isSet && (
            <Button size="xs" variant="default" onClick={() => ask('revoke')}>
              Revoke
            </Button>
          )}
        </>
      }
    >
      <Text size="sm">
        {isSet ? 'A secret is set; it was shown once and is never shown again: if nobody copied it, rotate it.' : 'No secret is set: webhooks are not signed.'}
        {previousUntil !== null && (
          <>
            {' '}
            Until <Moment at={previousUntil} /> webhooks are signed with the one before it as well.
          </>
        )}
      </Text>
      <Confirm
        isOpen={asked !== null}
        title={last === 'revoke' ? 'Revoke the secret?' : isSet ? 'Rotate the secret?' : 'Create a secret?'}
        action={last === 'revoke' ? 'Revoke' : isSet ? 'Rotate' : 'Create'}
        isBusy={change.isPending}
        error={change.error}
        onClose={() => setAsked(null)}
        onConfirm={confirm}
      >
        <Text size="sm">{wordsFor(last, isSet)}</Text>
      </Confirm>
      <ShownOnce saved={change.data} isExpected={change.isPending && last === 'rotate'} onStored={change.reset} />
    </Section>
  );
}

function wordsFor(wish: Wish, isSet: boolean): string {
  if (wish === 'revoke') {
    return 'The secret, and the one before it, end at once: webhooks are sent without a signature, which receivers that check it refuse. To replace a leaked secret, revoke it and then create one.';
  }
  if (!isSet) return 'Webhooks are signed from now on. The secret is shown once.';
  return 'For 24 hours webhooks are signed with both secrets, so that receivers can change in peace; a second rotation in that time keeps only the two latest. The new secret is shown once.';
}
