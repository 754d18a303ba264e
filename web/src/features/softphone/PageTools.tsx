import { ActionIcon, Group } from '@mantine/core';
import { IconKey, IconLogout } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoginAnswer } from '../../../../src/contract/auth.ts';
import { LanguageMenu } from '../../lib/i18n/LanguageMenu.tsx';
import { setSignIn } from '../../lib/gateway/signIn.ts';
import type { ChangePassword } from '../../shared/ChangePassword.tsx';
import { ColorSchemeToggle } from '../../shared/ColorSchemeToggle.tsx';
import { keepsSignedIn } from '../calls/callWords.ts';
import { ColleagueDirectory } from '../colleagues/ColleagueDirectory.tsx';
import { MyDay } from '../day/MyDay.tsx';
import { RingTools } from '../ring/RingTools.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { ShortcutHelp } from './ShortcutHelp.tsx';

/** What the page itself offers, that nobody needs at first: language, colours, help, password, signing out. */
export function PageTools({ onSignOut }: { onSignOut: () => void }) {
  const { t } = useTranslation();
  const { view, workplace, run } = useWorkplace();
  /** Loaded when it is asked for, as few ever do; null: closed. */
  const [Form, setForm] = useState<typeof ChangePassword | null>(null);
  const isCalling = keepsSignedIn(view);
  useEffect(watchOverLoading, []);

  async function goOnWith(answer: LoginAnswer): Promise<void> {
    // At once: the log-in before has ended, whatever becomes of the connection.
    setSignIn(answer);
    await workplace.renewToken(answer.token);
  }

  return (
    <Group gap={2} wrap="nowrap">
      <LanguageMenu />
      <ColorSchemeToggle />
      <ColleagueDirectory />
      <MyDay />
      <RingTools />
      <ShortcutHelp />
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

/** From now on the browser says why, where it cannot load this page. Within a CRM's page that is the CRM's business. */
function watchOverLoading(): void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (window.top === window) serviceWorker?.register('/sw.js').catch(() => {});
}
