import { Alert, Button, Text } from '@mantine/core';
import type { SavedIntegration } from '../../../../../src/contract/integrations.ts';
import { Problem } from '../components/Loaded.tsx';
import { askToLeave, useLeaveGuard } from '../shell/leaveGuard.tsx';
import { Secrets } from './ShownOnce.tsx';
import { StepPanel } from './StepPanel.tsx';
import { useUpdateIntegration } from './integrationQueries.ts';

type Props = { saved: SavedIntegration; onRotated: (saved: SavedIntegration) => void; onStored: () => void };

/** The key and the secret, shown this once. */
export function KeyStep({ saved, onRotated, onStored }: Props) {
  const rotate = useUpdateIntegration();
  const hasSecrets = saved.api_key !== undefined || saved.webhook_secret !== undefined;
  useLeaveGuard(rotate.isPending ? 'beingMade' : hasSecrets ? 'notYetStored' : null);
  return (
    <StepPanel
      title="Copy your API key"
      note="Copy it to where your CRM keeps its secrets. It is shown only now; afterwards only its beginning is."
      actions={<Button type="submit">Continue</Button>}
      onSubmit={() => askToLeave(onStored)}
    >
      <Secrets saved={saved} />
      {saved.api_key === undefined && (
        <Alert variant="light" title="The company has a key already">
          <Text size="sm" mb="xs">
            It begins with {saved.integration.api_key_prefix} and goes on working. If nobody has it any more, make a new
            one; the former ends at once.
          </Text>
          <Button
            size="xs"
            variant="default"
            loading={rotate.isPending}
            onClick={() => rotate.mutate({ rotate_api_key: true }, { onSuccess: (next) => onRotated({ ...saved, ...next }) })}
          >
            Make a new key
          </Button>
          <Problem error={rotate.error} />
        </Alert>
      )}
    </StepPanel>
  );
}
