import { cleanup, renderHook, type RenderHookResult } from '@testing-library/react';
import { onTestFinished } from 'vitest';
import { ownTest } from './ownTest.ts';

/** Uses a hook outside of any component; ended after the test. `rerender` uses it with other props. */
export function useHook<Props, Result>(
  hook: (props: Props) => Result,
  initialProps: Props,
): RenderHookResult<Result, Props> {
  ownTest();
  onTestFinished(cleanup);
  return renderHook(hook, { initialProps });
}

/** A promise that the test settles when it is time. */
export function later<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let [resolve, reject]: [(value: T) => void, (error: unknown) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((give, refuse) => ([resolve, reject] = [give, refuse]));
  return { promise, resolve, reject };
}
