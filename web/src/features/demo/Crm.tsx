import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Alert, Anchor, Badge, Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { type CrmScreenPop, embedSoftphone, type EmbedState } from '../../../../src/client/embed.ts';
import type { DemoStart } from '../../../../src/contract/demo.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { setSignIn, type SignIn } from '../../lib/gateway/signIn.ts';
import { LanguageMenu } from '../../lib/i18n/LanguageMenu.tsx';
import { ColorSchemeToggle } from '../../shared/ColorSchemeToggle.tsx';
import classes from './Crm.module.css';
import { CustomerRecord } from './CustomerRecord.tsx';
import { Customers } from './Customers.tsx';
import { did, DemoGuide, nothingYet, sawDelivery, sawState, type Step } from './DemoGuide.tsx';
import { Inspector } from './Inspector.tsx';
import { NewCustomer } from './NewCustomer.tsx';
import { RingAgent } from './RingAgent.tsx';
import { useDemoStart } from './useDemoStart.ts';
import { useInbox } from './useInbox.ts';

/** The agent whom the demo is made for, where nobody is signed in on the softphone yet. */
const usualAgent = 'a100';

/** The demo CRM of an admin who is signed in: guide, customers, softphone and inspector. */
export function Crm({ signIn }: { signIn: SignIn }) {
  const { t } = useTranslation();
  const { start, problem, retry, addCustomer } = useDemoStart(signIn.token);
  const [progress, setProgress] = useState(nothingYet);
  const [opened, setOpened] = useState<CrmScreenPop | null>(null);
  const done = (step: Step) => setProgress((before) => did(before, step));
  const { frame, state } = useSoftphone({
    onState: (before, now) => setProgress((progressed) => sawState(progressed, before, now)),
    onPop: setOpened,
  });
  const inbox = useInbox(signIn.token, (delivery) => setProgress((before) => sawDelivery(before, delivery)));
  const agentCode = state?.agent?.agent_code ?? usualAgent;

  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Group gap="sm">
          <Title order={1}>{t('demo.title')}</Title>
          <Badge variant="default" tt="none">
            {t('demo.subtitle')}
          </Badge>
        </Group>
        <Group gap="md">
          <Anchor href="/admin" size="sm" target="_blank">
            {t('demo.console')}
          </Anchor>
          <Anchor href="/docs" size="sm" target="_blank">
            {t('demo.documentation')}
          </Anchor>
          <LanguageMenu />
          <ColorSchemeToggle />
          <Button size="compact-sm" variant="default" onClick={() => setSignIn(null)}>
            {t('demo.signOut', { name: signIn.agent.name })}
          </Button>
        </Group>
      </header>
      <aside className={classes.guide} aria-label={t('demo.guide.label')}>
        <DemoGuide progress={progress} start={start} agentCode={agentCode} />
      </aside>
      <main className={classes.main}>
        <StartProblem start={start} problem={problem} retry={retry} />
        {start !== null && (
          <Stack gap="sm">
            <Customers customers={start.customers} agentCode={agentCode} onDialed={() => done('click')} />
            <NewCustomer
              onPushed={(customer) => {
                addCustomer(customer);
                done('push');
              }}
            />
            <CustomerRecord pop={opened} />
          </Stack>
        )}
      </main>
      <section className={classes.softphone} aria-label={t('demo.softphone')}>
        <iframe ref={frame} className={classes.frame} src="/" title={t('demo.frame')} allow="microphone; autoplay" />
        {start?.carrier === true && <RingAgent agentCode={agentCode} />}
        <Text size="xs" c="dimmed">
          {t('demo.frameNote')}
        </Text>
      </section>
      <section className={classes.inspector} aria-label={t('demo.inspector.label')}>
        <Inspector deliveries={inbox.deliveries} isOpen={inbox.isOpen} />
      </section>
    </div>
  );
}

type Props = { start: DemoStart | null; problem: unknown; retry: () => void };

/** What keeps the demo from working as it should; nothing when nothing does. */
function StartProblem({ start, problem, retry }: Props) {
  const { t } = useTranslation();
  if (problem !== null) {
    return (
      <Alert color="red" variant="light" title={t('demo.start.failed')} mb="md">
        <Group justify="space-between">
          <Text size="sm">{messageOf(t, problem)}</Text>
          <Button size="compact-sm" variant="default" onClick={retry}>
            {t('demo.start.again')}
          </Button>
        </Group>
      </Alert>
    );
  }
  if (start === null) return <Loader size="sm" aria-label={t('demo.start.making')} />;
  return (
    <>
      {start.webhooks === 'elsewhere' && (
        <Alert variant="light" mb="md">
          <Trans
            t={t}
            i18nKey="demo.start.elsewhere"
            values={{ url: start.webhook_url }}
            components={{ console: <Anchor href="/admin" inherit target="_blank" /> }}
          />
        </Alert>
      )}
      {start.webhooks === 'refused' && (
        <Alert color="yellow" variant="light" mb="md">
          {t('demo.start.refused')}
        </Alert>
      )}
      {!start.carrier && (
        <Alert color="yellow" variant="light" mb="md">
          {t('demo.start.noCarrier')}
        </Alert>
      )}
    </>
  );
}

type Listener = {
  onState: (before: EmbedState | null, now: EmbedState) => void;
  /** Open this customer's record. */
  onPop: (pop: CrmScreenPop) => void;
};

/** The softphone in a frame of this page, as any CRM would hold it. Null until it has told. */
function useSoftphone(listener: Listener): { frame: RefObject<HTMLIFrameElement | null>; state: EmbedState | null } {
  const frame = useRef<HTMLIFrameElement>(null);
  const last = useRef<EmbedState | null>(null);
  const [state, setState] = useState<EmbedState | null>(null);

  const takeState = useEffectEvent((now: EmbedState) => {
    listener.onState(last.current, now);
    last.current = now;
    setState(now);
  });
  const takePop = useEffectEvent((pop: CrmScreenPop) => listener.onPop(pop));

  useEffect(() => {
    if (frame.current === null) return;
    const softphone = embedSoftphone(frame.current, { origin: window.location.origin });
    softphone.onState((now) => takeState(now));
    softphone.onPop((pop) => takePop(pop));
    return () => softphone.close();
  }, []);

  return { frame, state };
}
