import { ActionIcon, Anchor, CloseButton, Group, Loader, Paper, Text, Title } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignedInAgent } from '../../../../src/contract/auth.ts';
import { signOutEverywhere, useSignIn } from '../../lib/gateway/signIn.ts';
import { LanguageMenu } from '../../lib/i18n/LanguageMenu.tsx';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import { Boundary } from '../../shared/Boundary.tsx';
import { ColorSchemeToggle } from '../../shared/ColorSchemeToggle.tsx';
import { SignInForm } from '../../shared/SignInForm.tsx';
import { failureText } from '../calls/callWords.ts';
import { WorkplaceContext, type WorkplaceContextValue } from '../workplace/workplaceContext.ts';
import { absentView, absentWorkplace } from './absentWorkplace.ts';
import classes from './CrmAlonePage.module.css';

const CrmArea = lazyPart(async () => (await import('../crm/CrmArea.tsx')).CrmArea);

/**
 * The page at `/crm`: contacts, callbacks and deals for whoever does not telephone here, as supervisors;
 * they stay out of the queue.
 */
export function CrmAlonePage() {
  const { t } = useTranslation();
  const agent = useSignIn()?.agent ?? null;
  const title = t('crmArea.alone.title');
  useEffect(() => void (document.title = `${title} · Readyline`), [title]);
  return agent === null ? <SignInForm title={title} /> : <Alone key={agent.id} agent={agent} />;
}

function Alone({ agent }: { agent: SignedInAgent }) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<{ error: unknown } | null>(null);
  const run = useCallback<WorkplaceContextValue['run']>((what) => {
    setProblem(null);
    what({}).catch((error: unknown) => setProblem({ error }));
  }, []);
  return (
    <WorkplaceContext value={{ workplace: absentWorkplace, view: absentView, agentId: agent.id, run }}>
      <Group component="header" justify="space-between" px="sm" py={6} wrap="nowrap">
        <Title order={1} size="h3" lineClamp={1}>
          {agent.name}
        </Title>
        <Group gap={2} wrap="nowrap">
          {agent.role !== 'agent' && (
            <Anchor href="/admin" size="sm" me="xs">
              {t('crmArea.alone.console')}
            </Anchor>
          )}
          <LanguageMenu />
          <ColorSchemeToggle />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('softphone.header.signOut')}
            title={t('softphone.header.signOut')}
            onClick={signOutEverywhere}
          >
            <IconLogout size={18} stroke={1.75} />
          </ActionIcon>
        </Group>
      </Group>
      <div aria-live="polite">
        {problem !== null && (
          <Paper withBorder mx="sm" p="xs">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm">{failureText(t, problem.error)}</Text>
              <CloseButton size="sm" aria-label={t('softphone.notice.dismiss')} onClick={() => setProblem(null)} />
            </Group>
          </Paper>
        )}
      </div>
      <main className={classes.area}>
        <Boundary name={t('softphone.crm.crm')} isWholePage>
          <Suspense fallback={<Loader size="sm" m="md" />}>
            <CrmArea />
          </Suspense>
        </Boundary>
      </main>
    </WorkplaceContext>
  );
}
