import perfHooks from 'node:perf_hooks';
import { expect, it, vi } from 'vitest';
import { createMetrics } from '../../../src/adapters/observability/metrics.ts';

it('measures the process once, however many gateways it has had, and tells of it at each', async () => {
  const first = createMetrics();
  const [lag, collections] = [
    vi.spyOn(perfHooks, 'monitorEventLoopDelay'),
    vi.spyOn(perfHooks.PerformanceObserver.prototype, 'observe'),
  ];
  try {
    const second = createMetrics();
    second.problem();
    expect([lag.mock.calls, collections.mock.calls], 'what measures the process cannot be ended').toEqual([[], []]);
    for (const metrics of [first, second])
      expect((await metrics.expose()).text).toMatch(/^process_cpu_seconds_total \d/m);
    const problems = await Promise.all(
      [first, second].map(
        async (metrics) => /^readyline_problems_total (\d+)$/m.exec((await metrics.expose()).text)?.[1],
      ),
    );
    expect(problems).toEqual(['0', '1']);
  } finally {
    lag.mockRestore();
    collections.mockRestore();
  }
});
