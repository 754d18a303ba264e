import { useState } from 'react';
import { Alert, Anchor, Badge, Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import type { DemoStart } from '../../../../src/contract/demo.ts';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import { setSignIn, type SignIn } from '../../lib/gateway/signIn.ts';
import { ColorSchemeToggle } from '../../shared/ColorSchemeToggle.tsx';
import classes from './Crm.module.css';
import { CustomerRecord } from './CustomerRecord.tsx';
import { Customers } from './Customers.tsx';
import { Guide } from './Guide.tsx';
import { Inspector } from './Inspector.tsx';
import { NewCustomer } from './NewCustomer.tsx';
import { RingAgent } from './RingAgent.tsx';
import { did, nothingYet, sawDelivery, sawState, type Step } from './progress.ts';
import { useDemoStart } from './useDemoStart.ts';
import { useInbox } from './useInbox.ts';
import { useSoftphone } from './useSoftphone.ts';

/** The agent whom the demo is made for, where nobody is signed in on the softphone yet. */
const usualAgent = 'a100';

/** The demo CRM of an admin who is signed in: guide, customers, softphone and inspector. */
export function Crm({ signIn }: { signIn: SignIn }) {
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
          <Title order={1}>Acme CRM</Title>
          <Badge variant="default" tt="none">
            a demo, as your CRM could be
          </Badge>
        </Group>
        <Group gap="md">
          <Anchor href="/admin" size="sm" target="_blank">
            Console
          </Anchor>
          <Anchor href="/docs" size="sm" target="_blank">
            API documentation
          </Anchor>
          <ColorSchemeToggle />
          <Button size="compact-sm" variant="default" onClick={() => setSignIn(null)}>
            Sign out {signIn.agent.name}
          </Button>
        </Group>
      </header>
      <aside className={classes.guide} aria-label="Guide">
        <Guide progress={progress} start={start} agentCode={agentCode} />
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
      <section className={classes.softphone} aria-label="Softphone">
        <iframe
          ref={frame}
          className={classes.frame}
          src="/"
          title="Readyline softphone"
          allow="microphone; autoplay"
        />
        {start?.carrier === true && <RingAgent agentCode={agentCode} />}
        <Text size="xs" c="dimmed">
          The softphone page in an iframe. It tells this page of states and screen pops by postMessage.
        </Text>
      </section>
      <section className={classes.inspector} aria-label="Webhooks">
        <Inspector deliveries={inbox.deliveries} isOpen={inbox.isOpen} />
      </section>
    </div>
  );
}

type Props = { start: DemoStart | null; problem: string | null; retry: () => void };

/** What keeps the demo from working as it should; nothing when nothing does. */
function StartProblem({ start, problem, retry }: Props) {
  if (problem !== null) {
    return (
      <Alert color="red" variant="light" title="The demo could not be made ready" mb="md">
        <Group justify="space-between">
          <Text size="sm">{problem}</Text>
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
        </Group>
      </Alert>
    );
  }
  if (start === null) return <Loader size="sm" aria-label="Making the demo ready" />;
  return (
    <>
      {start.webhooks === 'elsewhere' && (
        <Alert variant="light" mb="md">
          The webhooks of this company go to {start.webhook_url}, as its admin has set; they do not come to the inspector below. To see
          them here, remove the webhook URL in the <Anchor href="/admin" inherit target="_blank">console</Anchor> and load this page again.
        </Alert>
      )}
      {start.webhooks === 'refused' && (
        <Alert color="yellow" variant="light" mb="md">
          WEBHOOK_ALLOW_PRIVATE_NETWORKS keeps webhooks from this machine, so the inspector below stays empty.
        </Alert>
      )}
      {!start.carrier && (
        <Alert color="yellow" variant="light" mb="md">
          There is no carrier that answers: the optional package werift is not installed. The agent can still work by a desk
          phone.
        </Alert>
      )}
    </>
  );
}
