// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useRead } from '../../../../web/src/lib/gateway/useRead.ts';
import { later, useHook } from '../../../support/components/hook.ts';

type Props = { key: string | null; version?: string; pauseMs?: number };

/** Reads as the test lets it be answered: `asked` has what was read, in order. */
function reading(first: Props) {
  const asked: ({ key: string | null; signal: AbortSignal } & ReturnType<typeof later<string>>)[] = [];
  const hook = useHook(
    ({ key, version, pauseMs }: Props) =>
      useRead({
        key,
        ...(version === undefined ? {} : { version }),
        ...(pauseMs === undefined ? {} : { pauseMs }),
        read: (signal) => {
          const answer = later<string>();
          asked.push({ key, signal, ...answer });
          return answer.promise;
        },
      }),
    first,
  );
  const isAsked = (times: number) => waitFor(() => expect(asked).toHaveLength(times));
  const shown = () => hook.result.current;
  return { ...hook, asked, isAsked, shown };
}

afterEach(() => void vi.useRealTimers());

describe('what is read from the gateway', () => {
  it('is being fetched until it is there', async () => {
    const { asked, isAsked, shown } = reading({ key: 'ada' });
    expect(shown()).toMatchObject({ data: undefined, error: null, isFetching: true });
    await isAsked(1);
    await act(async () => asked[0]!.resolve('Ada'));
    expect(shown()).toMatchObject({ data: 'Ada', error: null, isFetching: false });
  });

  it('is read again after a failure, and keeps what was read before until then', async () => {
    const { asked, isAsked, shown } = reading({ key: 'ada' });
    await isAsked(1);
    await act(async () => asked[0]!.resolve('Ada'));
    act(() => shown().refetch());
    await isAsked(2);
    const failure = new Error('away');
    await act(async () => asked[1]!.reject(failure));
    expect(shown()).toMatchObject({ data: 'Ada', error: failure, isFetching: false });
    act(() => shown().refetch());
    expect(shown()).toMatchObject({ data: 'Ada', isFetching: true });
    await isAsked(3);
    await act(async () => asked[2]!.resolve('Ada Lovelace'));
    expect(shown()).toMatchObject({ data: 'Ada Lovelace', error: null });
  });

  it('is aborted when nobody waits for it any more: the page has gone, or something else is asked for', async () => {
    const { asked, isAsked, rerender, unmount } = reading({ key: 'ada' });
    await isAsked(1);
    rerender({ key: 'grace' });
    await isAsked(2);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    unmount();
    expect(asked[1]!.signal.aborted).toBe(true);
  });

  it('never shows the late answer or failure of an earlier question', async () => {
    const { asked, isAsked, shown, rerender } = reading({ key: 'ada' });
    await isAsked(1);
    rerender({ key: 'grace' });
    await isAsked(2);
    rerender({ key: 'mary' });
    await isAsked(3);
    await act(async () => asked[2]!.resolve('Mary'));
    await act(async () => asked[0]!.resolve('Ada'));
    await act(async () => asked[1]!.reject(new Error('late')));
    expect(shown()).toMatchObject({ data: 'Mary', error: null });
  });

  it('shows nothing of one key for another', async () => {
    const { asked, isAsked, shown, rerender } = reading({ key: 'ada' });
    await isAsked(1);
    await act(async () => asked[0]!.reject(new Error('away')));
    rerender({ key: 'grace' });
    expect(shown()).toMatchObject({ data: undefined, error: null, isFetching: true });
    await isAsked(2);
    await act(async () => asked[1]!.resolve('Grace'));
    rerender({ key: 'mary' });
    expect(shown()).toMatchObject({ data: undefined, error: null });
  });

  it('is read anew for another version of the same, which stays to be seen meanwhile', async () => {
    const { asked, isAsked, shown, rerender } = reading({ key: 'calls', version: 'first' });
    await isAsked(1);
    await act(async () => asked[0]!.resolve('one call'));
    rerender({ key: 'calls', version: 'second' });
    expect(shown()).toMatchObject({ data: 'one call', isFetching: true });
    await isAsked(2);
    await act(async () => asked[1]!.resolve('two calls'));
    expect(shown().data).toBe('two calls');
  });

  it('rests without a key, stays to be seen, and is read again afterwards', async () => {
    const { asked, isAsked, shown, rerender } = reading({ key: 'calls' });
    await isAsked(1);
    await act(async () => asked[0]!.resolve('one call'));
    rerender({ key: null });
    expect(shown()).toMatchObject({ data: 'one call', isFetching: false });
    rerender({ key: 'calls' });
    expect(shown()).toMatchObject({ data: 'one call', isFetching: true });
    await isAsked(2);
  });

  it('is asked for once, at the pause after a burst of changes', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { asked, rerender } = reading({ key: '1', pauseMs: 250 });
    for (const key of ['12', '123', '1234']) {
      vi.advanceTimersByTime(249);
      rerender({ key, pauseMs: 250 });
    }
    expect(asked).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(asked.map(({ key }) => key)).toEqual(['1234']);
  });
});
