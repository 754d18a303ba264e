import type { SavedIntegration } from '../../../../../src/contract/integrations.ts';
import { CopyField } from '../components/CopyField.tsx';

type Props = { saved: SavedIntegration };

/** A key and a secret that have just been made. */
export function Secrets({ saved }: Props) {
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
