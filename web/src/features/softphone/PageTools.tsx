import { ActionIcon, Group } from '@mantine/core';
import { IconKey, IconLogout } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoginAnswer } from '../../../../src/contract/auth.ts';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import { LanguageMenu } from '../../lib/i18n/LanguageMenu.tsx';
import { setSignIn } from '../../lib/gateway/signIn.ts';
import type { ChangePassword } from '../../shared/ChangePassword.tsx';
import { ColorSchemeToggle } from '../../shared/ColorSchemeToggle.tsx';
import { keepsSignedIn } from '../calls/callWords.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

const LazyTools = lazyPart(
  async () => (await import('./LazyTools.tsx')).LazyTools,
  async () => ({
    audio: (await import('../../locales/en/audio.json')).default,
    colleagues: (await import('../../locales/en/colleagues.json')).default,
    day: (await import('../../locales/en/day.json')).default,
    ring: (await import('../../locales/en/ring.json')).default,
  }),
);

/** What the page itself offers: language, colours, help, the own password, signing out. */
export function PageTools({ onSignOut }: { onSignOut: () => void }) {
  const { t } = useTranslation();
  const { view, workplace, run } = useWorkplace();
  /** Loaded when it is asked for, as few ever do; null: closed. */
  const [Form, setForm] = useState<typeof ChangePassword | null>(null);
  const isCalling = keepsSignedIn(view);

  async function goOnWith(answer: LoginAnswer): Promise<void> {
    // At once: the log-in before has ended, whatever becomes of the connection.
    setSignIn(answer);
    await workplace.renewToken(answer.token);
  }

  return (
    <Group gap={2} wrap="nowrap">
      <LanguageMenu />
      <ColorSchemeToggle />
      <Suspense fallback={<span style={{ width: 118 }} />}>
        <LazyTools />
      </Suspense>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('shared.password.change')}
        title={t('shared.password.change')}
        bg="transparent"
        onClick={() =>
          run(async () => {
            const loaded = await import('../../shared/ChangePassword.tsx');
            setForm(() => loaded.ChangePassword);
          })
        }
      >
        <IconKey size={18} stroke={1.75} />
      </ActionIcon>
      {Form !== null && <Form isOpen onClose={() => setForm(null)} onChanged={goOnWith} />}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('softphone.header.signOut')}
        title={t(isCalling ? 'softphone.header.hangUpFirst' : 'softphone.header.signOut')}
        disabled={isCalling}
        bg="transparent"
        onClick={onSignOut}
      >
        <IconLogout size={18} stroke={1.75} />
      </ActionIcon>
    </Group>
  );
}
