import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/adapters/observability/logger.ts';
import { createMetrics } from '../../src/adapters/observability/metrics.ts';
import { createObserver } from '../../src/adapters/observability/observer.ts';
import { asKey, serve, type Line } from './serve.ts';

describe('metrics', () => {
  it('count requests by pattern and status, never by address or company', async () => {
    const { url } = await serve();
    await request(url).get('/api/integrations/lookup?phone=%2B15551230001').set(asKey);
    await request(url).get('/+15551230001');
    const { text, type } = await request(url).get('/metrics');
    expect(type).toBe('text/plain');
    expect(text).toContain(
      'readyline_http_request_duration_seconds_count{method="GET",route="/api/integrations/lookup",status="404"} 1',
    );
    expect(text).toContain('route="none",status="404"} 1');
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toMatch(/15551230001|0190a000/);
  });

  it('count what the use cases observe', async () => {
    const metrics = createMetrics();
    const lines: Line[] = [];
    const logger = createLogger('info', { write: (text) => void lines.push(JSON.parse(text) as Line) });
    const observer = createObserver({ logger, metrics });
    observer.click('dialing', 12);
    observer.offer('declined');
    observer.delivery('retried', 250);
    observer.firstAttempt(40);
    observer.endpoint('paused', { company_id: 'c1' });
    observer.endpoint('recovered', { company_id: 'c1' });
    observer.push(500);
    observer.repaired('unrecorded_dial');
    observer.problem('the reaper failed', new Error('away'), { run: 7 });
    metrics.gauge({ name: 'readyline_sockets', help: 'Open sockets', read: () => 3 });
    metrics.gauge({ name: 'readyline_backlog', help: 'Waiting', read: () => Promise.reject(new Error('away')) });
    const { text } = await metrics.expose();
    for (const sample of [
      'readyline_click_to_dial_duration_seconds_sum{outcome="dialing"} 0.012',
      'readyline_offers_total{outcome="declined"} 1',
      'readyline_webhook_attempt_duration_seconds_sum{outcome="retried"} 0.25',
      'readyline_webhook_first_attempt_delay_seconds_sum 0.04',
      'readyline_webhook_endpoint_changes_total{change="paused"} 1',
      'readyline_webhook_endpoint_changes_total{change="disabled"} 0',
      'readyline_pushed_customers_total 500',
      'readyline_repairs_total{what="unrecorded_dial"} 1',
      'readyline_problems_total 1',
      'readyline_sockets 3',
    ]) {
      expect(text).toContain(sample);
    }
    expect(text).not.toMatch(/^readyline_backlog \d/m);
    expect(lines).toMatchObject([
      { level: 40, msg: 'a webhook endpoint was paused', company_id: 'c1' },
      { level: 30, msg: 'a webhook endpoint has recovered', company_id: 'c1' },
      { msg: 'repaired' },
      { msg: 'the reaper failed', run: 7, err: { message: 'away' } },
    ]);
  });

  it('fill the gauges of one reading with one reading, and leave them out when it fails', async () => {
    const metrics = createMetrics();
    const readings = [{ due: 3, paused: 0, age: 1.5 }, null];
    const left = readings.values();
    const read = async () => {
      const reading = left.next().value;
      if (!reading) throw new Error('away');
      return reading;
    };
    metrics.gauges(read, [
      { name: 'readyline_waiting', help: 'Waiting', label: 'state', of: ({ due, paused }) => ({ due, paused }) },
      { name: 'readyline_age', help: 'Age', label: 'state', of: ({ age }) => ({ due: age }) },
    ]);
    const first = (await metrics.expose()).text;
    expect(first.match(/^readyline_(waiting|age)\{.*/gm)).toEqual([
      'readyline_waiting{state="due"} 3',
      'readyline_waiting{state="paused"} 0',
      'readyline_age{state="due"} 1.5',
    ]);
    const second = (await metrics.expose()).text;
    expect(second).not.toMatch(/^readyline_(waiting|age)\{/m);
    expect(second).toContain('process_cpu_seconds_total');
  });
});
