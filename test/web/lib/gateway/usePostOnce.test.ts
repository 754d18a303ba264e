// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { usePostOnce } from '../../../../web/src/lib/gateway/usePostOnce.ts';
import { useHook } from '../../../support/components/hook.ts';

/** A gateway that answers so, one after the other; what keys it was asked under. */
function gateway(...statuses: number[]): string[] {
  const keys: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_path, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key') ?? '');
    return Response.json({}, { status: statuses.shift() ?? 201 });
  });
  return keys;
}
afterEach(() => void vi.restoreAllMocks());

it('sends what failed again under the same key, and what is another under another', async () => {
  const keys = gateway(503, 503, 201);
  const { result } = useHook(() => usePostOnce(), undefined);
  for (const name of ['Navy', 'Navy', 'Navy Ltd'])
    await result.current('/api/crm/organisations', { name }).catch(() => null);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

it('makes the same once more after it was made', async () => {
  const keys = gateway();
  const { result } = useHook(() => usePostOnce(), undefined);
  for (let notes = 0; notes < 2; notes += 1) await result.current('/api/crm/activities', { text: 'Called, no answer' });
  expect(new Set(keys).size).toBe(2);
});
