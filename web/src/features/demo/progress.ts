import type { DemoDelivery } from '../../../../src/contract/demo.ts';
import type { EmbedState } from '../../../../src/contract/embed.ts';

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
