import { expect, it } from 'vitest';
import type { DemoDelivery } from '../../../../src/contract/demo.ts';
import type { EmbedState } from '../../../../src/contract/embed.ts';
import {
  did,
  nextStep,
  nothingYet,
  sawDelivery,
  sawState,
  steps,
} from '../../../../web/src/features/demo/DemoGuide.tsx';
import { readEvents } from '../../../../web/src/features/demo/useInbox.ts';

const state = (name: EmbedState['state'], call: string | null = null) =>
  ({ state: name, call: call === null ? null : { state: call } }) as EmbedState;
const disposition = { event: 'disposition' } as DemoDelivery;

it('ticks the steps of the main job as they happen', () => {
  let progress = did(nothingYet, 'push');
  expect(nextStep(progress)).toBe('ready');
  progress = sawState(progress, null, state('ready'));
  progress = did(progress, 'click');
  progress = sawState(progress, state('ready'), state('on_call', 'ringing'));
  expect(nextStep(progress)).toBe('talk');
  progress = sawState(progress, state('on_call', 'ringing'), state('on_call', 'connected'));
  progress = sawState(progress, state('on_call', 'connected'), state('wrap_up', 'ended'));
  expect(nextStep(progress)).toBe('wrap_up');
  progress = sawState(progress, state('wrap_up', 'ended'), state('ready', 'ended'));
  expect(nextStep(progress)).toBe('webhooks');
  progress = sawDelivery(progress, disposition);
  expect(nextStep(progress)).toBeNull();
  expect(steps.every((step) => progress[step])).toBe(true);
});

it('takes nothing of an earlier visit for done', () => {
  expect(sawDelivery(nothingYet, disposition)).toEqual(nothingYet);
  expect(sawState(nothingYet, state('wrap_up'), state('not_ready'))).toEqual(nothingYet);
});

it('reads events however the network cuts them', async () => {
  const text = ':\n\nid: 7\nevent: delivery\ndata: {"a":"ä"}\n\n:\n\nid: 8\nevent: delivery\ndata: one\ndata: two\n\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 5, bytes.length]) {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let start = 0; start < bytes.length; start += size) controller.enqueue(bytes.slice(start, start + size));
        controller.close();
      },
    });
    const events = [];
    for await (const event of readEvents(body)) events.push(event);
    expect(events, `in pieces of ${size}`).toEqual([
      { id: '7', event: 'delivery', data: '{"a":"ä"}' },
      { id: '8', event: 'delivery', data: 'one\ntwo' },
    ]);
  }
});
