import { useTranslation } from 'react-i18next';
import type { SavedIntegration } from '../../../../../src/contract/integrations.ts';
import { CopyField } from '../components/Copyable.tsx';
import { ShownUntilStored } from '../components/ShownUntilStored.tsx';

type Props = {
  saved: SavedIntegration | undefined;
  /** A key or secret may be on its way. */
  isExpected: boolean;
  /** Forgets what was shown. */
  onStored: () => void;
};

/** Shows a new key or secret until it is said to be stored. */
export function ShownOnce({ saved, isExpected, onStored }: Props) {
  const hasSecrets = saved?.api_key !== undefined || saved?.webhook_secret !== undefined;
  return (
    <ShownUntilStored isShown={hasSecrets} isExpected={isExpected} onStored={onStored}>
      {saved !== undefined && <Secrets saved={saved} />}
    </ShownUntilStored>
  );
}

type SecretsProps = { saved: SavedIntegration };

/** A key and a secret that have just been made. */
export function Secrets({ saved }: SecretsProps) {
  const { t } = useTranslation();
  return (
    <>
      {saved.api_key !== undefined && (
        <CopyField
          label={t('admin.connect.shown.key')}
          description={t('admin.connect.shown.keyHint')}
          value={saved.api_key}
        />
      )}
      {saved.webhook_secret !== undefined && (
        <CopyField
          label={t('admin.connect.shown.secret')}
          description={t('admin.connect.shown.secretHint')}
          value={saved.webhook_secret}
        />
      )}
    </>
  );
}
