import { Button, Code, CopyButton, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled, IconCircleDot } from '@tabler/icons-react';
import { Trans, useTranslation } from 'react-i18next';
import type { DemoDelivery, DemoStart } from '../../../../src/contract/demo.ts';
import type { EmbedState } from '../../../../src/contract/embed.ts';
import classes from './DemoGuide.module.css';

type Props = { progress: Progress; start: DemoStart | null; agentCode: string };

/** The main job, step by step; each is ticked by what really happens. */
export function DemoGuide({ progress, start, agentCode }: Props) {
  const { t } = useTranslation();
  const next = nextStep(progress);
  return (
    <>
      <Title order={2} mb="xs">
        {t('demo.guide.title')}
      </Title>
      <ol className={classes.steps}>
        {steps.map((step) => {
          const title = t(`demo.steps.${step}.title`);
          const isNext = step === next;
          const curl = curlOf(step, { key: start?.api_key ?? null, agentCode });
          return (
            <li key={step} className={classes.step} aria-current={isNext ? 'step' : undefined}>
              <Mark isDone={progress[step]} isNext={isNext} />
              <div>
                <Text fw={isNext ? 600 : 500}>
                  {title}
                  <VisuallyHidden>{progress[step] ? t('demo.guide.done') : ''}</VisuallyHidden>
                </Text>
                {isNext && <Text size="sm">{t(`demo.steps.${step}.todo`)}</Text>}
                <Text size="xs" c="dimmed">
                  {t(`demo.steps.${step}.underneath`)}
                </Text>
                {curl !== null && <Curl text={curl} title={title} />}
              </div>
            </li>
          );
        })}
      </ol>
      <Text size="sm" component="output">
        {next === null ? t('demo.guide.whole') : ''}
      </Text>
      {start?.api_key !== undefined && (
        <Text size="xs" c="dimmed" mt="xs">
          <Trans
            t={t}
            i18nKey="demo.guide.key"
            values={{ key: start.api_key }}
            components={{ key: <Code style={{ overflowWrap: 'anywhere' }} /> }}
          />
        </Text>
      )}
    </>
  );
}

function Mark({ isDone, isNext }: { isDone: boolean; isNext: boolean }) {
  if (isDone) return <IconCircleCheckFilled size={20} className={classes.done} aria-hidden />;
  return isNext ? (
    <IconCircleDot size={20} className={classes.next} aria-hidden />
  ) : (
    <IconCircle size={20} aria-hidden />
  );
}

function Curl({ text, title }: { text: string; title: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          size="compact-xs"
          variant="default"
          onClick={copy}
          title={text}
          aria-label={t('demo.guide.curlOf', { title })}
          mt={2}
        >
          {t(copied ? 'demo.guide.copied' : 'demo.guide.curl')}
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

/** The main job, in its order. */
export const steps = ['push', 'ready', 'click', 'talk', 'wrap_up', 'webhooks'] as const;
export type Step = (typeof steps)[number];

/** What has happened so far, by what really happened. */
export type Progress = Readonly<Record<Step, boolean>>;
export const nothingYet: Progress = {
  push: false,
  ready: false,
  click: false,
  talk: false,
  wrap_up: false,
  webhooks: false,
};

/** Marks a step as done. */
export function did(progress: Progress, step: Step): Progress {
  return progress[step] ? progress : { ...progress, [step]: true };
}

/** What the softphone tells: Ready, talking, and wrapped up once it has left the wrap-up that it was seen in. */
export function sawState(progress: Progress, before: EmbedState | null, now: EmbedState): Progress {
  if (now.state === 'ready' && !progress.ready) return did(progress, 'ready');
  if (now.call?.state === 'connected') return did(progress, 'talk');
  const isWrappedUp = before?.state === 'wrap_up' && (now.state === 'ready' || now.state === 'not_ready');
  return isWrappedUp && progress.talk ? did(progress, 'wrap_up') : progress;
}

/** What the inspector shows: the disposition is the last webhook of a call. */
export function sawDelivery(progress: Progress, { event }: DemoDelivery): Progress {
  return event === 'disposition' && progress.talk ? did(progress, 'webhooks') : progress;
}

/** The first that is not done yet; null: all are. */
export function nextStep(progress: Progress): Step | null {
  return steps.find((step) => !progress[step]) ?? null;
}
