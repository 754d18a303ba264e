import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import type { SavedIntegration } from '../../../../../src/contract/integrations.ts';
import { CopyField } from '../components/CopyField.tsx';
import { askToLeave, useLeaveGuard } from '../shell/leaveGuard.tsx';

type Props = {
  saved: SavedIntegration | undefined;
  /** A key or secret may be on its way. */
  isExpected: boolean;
  /** Forgets what was shown. */
  onStored: () => void;
};

/** Shows a new key or secret until it is said to be stored; the page is not left by mistake before. */
export function ShownOnce({ saved, isExpected, onStored }: Props) {
  const hasSecrets = saved?.api_key !== undefined || saved?.webhook_secret !== undefined;
  useLeaveGuard(hasSecrets ? 'notYetStored' : isExpected ? 'beingMade' : null);
  const leave = () => askToLeave(onStored);
  return (
    <Modal opened={hasSecrets} onClose={leave} title="Shown only now" size="lg" centered closeOnClickOutside={false}>
      <Stack>
        <Alert variant="light" icon={<IconEye size={18} />} role="note">
          Copy it to where it is needed. Afterwards nobody can see it again.
        </Alert>
        {saved !== undefined && <Secrets saved={saved} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

type SecretsProps = { saved: SavedIntegration };

/** A key and a secret that have just been made. */
export function Secrets({ saved }: SecretsProps) {
  return (
    <>
      {saved.api_key !== undefined && (
        <CopyField
          label="API key"
          description="For your CRM: the header X-Service-Api-Key of each request"
          value={saved.api_key}
        />
      )}
      {saved.webhook_secret !== undefined && (
        <CopyField
          label="Webhook secret"
          description="For the receiver of webhooks: it checks X-Service-Signature with it"
          value={saved.webhook_secret}
        />
      )}
    </>
  );
}
