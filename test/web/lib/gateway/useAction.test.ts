// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useAction } from '../../../../web/src/lib/gateway/useAction.ts';
import { later, useHook } from '../../../support/components/hook.ts';

/** Does what the test lets it do: `runs` has what was asked for, in order. */
function action() {
  const runs: ({ input: string } & ReturnType<typeof later<string>>)[] = [];
  const told: unknown[] = [];
  const hook = useHook(
    () =>
      useAction((input: string) => {
        const end = later<string>();
        runs.push({ input, ...end });
        return end.promise;
      }),
    {},
  );
  const shown = () => hook.result.current;
  const run = (input: string) =>
    act(() => shown().run(input, { onSuccess: (data) => told.push(data), onError: (error) => told.push(error) }));
  return { ...hook, runs, told, shown, run };
}

describe('something that a person does', () => {
  it('is pending until it is done, and tells what came of it', async () => {
    const { runs, told, shown, run } = action();
    expect(shown()).toMatchObject({ isPending: false, data: undefined, error: null });
    run('save');
    expect(shown()).toMatchObject({ isPending: true, input: 'save' });
    await act(async () => runs[0]!.resolve('saved'));
    expect(shown()).toMatchObject({ isPending: false, input: 'save', data: 'saved', error: null });
    expect(told).toEqual(['saved']);
  });

  it('is done once, however often the button is pressed meanwhile', async () => {
    const { runs, told, shown, run } = action();
    run('first');
    run('second');
    await act(async () => runs[0]!.resolve('done'));
    expect([runs.length, told, shown().input]).toEqual([1, ['done'], 'first']);
    run('third');
    expect(runs.map(({ input }) => input)).toEqual(['first', 'third']);
  });

  it('that fails says so until it is tried again, or the failure is forgotten', async () => {
    const { runs, told, shown, run } = action();
    const failure = new Error('away');
    run('save');
    await act(async () => runs[0]!.reject(failure));
    expect(shown()).toMatchObject({ isPending: false, error: failure });
    expect(told).toEqual([failure]);
    run('save');
    expect(shown()).toMatchObject({ isPending: true, error: null });
    await act(async () => runs[1]!.reject(failure));
    act(() => shown().reset());
    expect(shown()).toMatchObject({ isPending: false, error: null, input: undefined });
  });

  it('is neither ended nor begun a second time by forgetting how it went before', async () => {
    const { runs, shown, run } = action();
    run('save');
    act(() => shown().reset());
    expect(shown().isPending).toBe(true);
    run('save');
    await act(async () => runs[0]!.resolve('saved'));
    expect([runs.length, shown().data]).toEqual([1, 'saved']);
  });

  it('goes on without the component, which is told nothing any more', async () => {
    const { runs, told, run, unmount } = action();
    run('save');
    unmount();
    await act(async () => runs[0]!.resolve('saved'));
    expect(told).toEqual([]);
  });
});
