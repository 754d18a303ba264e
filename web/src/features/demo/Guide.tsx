import { Button, Code, CopyButton, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled, IconCircleDot } from '@tabler/icons-react';
import type { DemoStart } from '../../../../src/contract/demo.ts';
import classes from './Guide.module.css';
import { nextStep, type Progress, type Step, steps } from './progress.ts';

type Props = { progress: Progress; start: DemoStart | null; agentCode: string };

/** What to do, and what happens underneath. */
const words: Record<Step, { title: string; todo: string; underneath: string }> = {
  push: {
    title: 'Push a customer',
    todo: 'Press “Push to Readyline”.',
    underneath: 'POST /api/integrations/inbound keeps the customer for the moment of the call.',
  },
  ready: {
    title: 'Go Ready',
    todo: 'In the softphone, press Ready.',
    underneath: 'The socket’s set_state: from now on the gateway gives this agent calls.',
  },
  click: {
    title: 'Click to dial',
    todo: 'Press Dial beside a customer who answers.',
    underneath: 'POST /api/integrations/cti/click-to-dial: 201 means that one softphone has taken it, the record open.',
  },
  talk: {
    title: 'Talk',
    todo: 'Say something: you hear yourself.',
    underneath: 'SIP and WebRTC to an answering machine in the gateway; call_progress tells how the call goes.',
  },
  wrap_up: {
    title: 'Wrap up',
    todo: 'Hang up, choose how the call went, and save.',
    underneath: 'submit_disposition; the agent is Ready again.',
  },
  webhooks: {
    title: 'See the webhooks arrive',
    todo: 'Below: open one to see its signature and body.',
    underneath: 'Signed POSTs to the CRM, in order per call, retried until they are taken.',
  },
};

/** The main job, step by step; each is ticked by what really happens. */
export function Guide({ progress, start, agentCode }: Props) {
  const next = nextStep(progress);
  return (
    <>
      <Title order={2} mb="xs">
        The main job, in a minute
      </Title>
      <ol className={classes.steps}>
        {steps.map((step) => {
          const { title, todo, underneath } = words[step];
          const isNext = step === next;
          const curl = curlOf(step, { key: start?.api_key ?? null, agentCode });
          return (
            <li key={step} className={classes.step} aria-current={isNext ? 'step' : undefined}>
              <Mark isDone={progress[step]} isNext={isNext} />
              <div>
                <Text fw={isNext ? 600 : 500}>
                  {title}
                  <VisuallyHidden>{progress[step] ? ', done' : ''}</VisuallyHidden>
                </Text>
                {isNext && <Text size="sm">{todo}</Text>}
                <Text size="xs" c="dimmed">
                  {underneath}
                </Text>
                {curl !== null && <Curl text={curl} title={title} />}
              </div>
            </li>
          );
        })}
      </ol>
      <Text size="sm" component="output">
        {next === null ? 'That is the whole job. Call again, or ring the agent.' : ''}
      </Text>
      {start?.api_key !== undefined && (
        <Text size="xs" c="dimmed" mt="xs">
          The company’s API key was made just now, and is shown this once: <Code style={{ overflowWrap: 'anywhere' }}>{start.api_key}</Code>
        </Text>
      )}
    </>
  );
}

function Mark({ isDone, isNext }: { isDone: boolean; isNext: boolean }) {
  if (isDone) return <IconCircleCheckFilled size={20} className={classes.done} aria-hidden />;
  return isNext ? <IconCircleDot size={20} className={classes.next} aria-hidden /> : <IconCircle size={20} aria-hidden />;
}

function Curl({ text, title }: { text: string; title: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy} title={text} aria-label={`Copy as curl: ${title}`} mt={2}>
          {copied ? 'Copied' : 'Copy as curl'}
        </Button>
      )}
    </CopyButton>
  );
}

/**
 * The requests of a step as commands to paste. @param key null: none was made in this visit, and the reader has one
 */
function curlOf(step: Step, { key, agentCode }: { key: string | null; agentCode: string }): string | null {
  const origin = window.location.origin;
  const head = `-H 'content-type: application/json' -H "X-Service-Api-Key: ${key ?? '$KEY'}"`;
  if (step === 'push') {
    const body = { phone_number: '+15551231969', data: { name: 'Margaret Hamilton', company: 'Tranquility Software' } };
    return `curl ${origin}/api/integrations/inbound ${head} \\\n  -d '${JSON.stringify(body)}'`;
  }
  if (step === 'click') {
    const body = { phone_number: '+15551230001', agent_code: agentCode };
    return `curl ${origin}/api/integrations/cti/click-to-dial ${head} \\\n  -d '${JSON.stringify(body)}'`;
  }
  return null;
}
