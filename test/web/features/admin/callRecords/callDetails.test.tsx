// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { CallView } from '../../../../../src/contract/calls.ts';
import type { ScreenPop } from '../../../../../src/contract/screenPops.ts';
import { CallCourse } from '../../../../../web/src/features/admin/callRecords/CallCourse.tsx';
import { CallDeliveries } from '../../../../../web/src/features/admin/callRecords/CallDeliveries.tsx';
import { PoppedRecord } from '../../../../../web/src/features/admin/callRecords/PoppedRecord.tsx';
import { showInConsole } from '../../../../support/components/console.tsx';
import { answerRequests } from '../../../../support/components/page.tsx';

const at = (seconds: number) => new Date(Date.parse('2026-11-21T10:00:00Z') + seconds * 1_000).toISOString();

describe('one call in the console', () => {
  it('shows each step with how long it lasted and who did it', async () => {
    const steps = [
      { step: 'arrived', at: at(0), by: 'agent', person: { id: 'a', name: 'Ada' }, seconds: 4 },
      { step: 'answered', at: at(4), by: 'agent', person: null, seconds: 60 },
      { step: 'held', at: at(64), by: 'agent', person: null, seconds: 83 },
      { step: 'ended', at: at(147), by: 'supervisor', person: { id: 'b', name: 'The boss' }, seconds: null },
    ];
    answerRequests(() => ({ status: 200, body: { steps } }));
    const page = showInConsole(<CallCourse call={{ id: 'c1', transferred_to: null } as CallView} />);
    await page.findByText('On hold');
    const { textContent } = page.container;
    expect(textContent).toMatch(/Arrived.* for 0:04 · Ada.*Answered.* for 1:00 · by the agent.*On hold.*Ended/);
    expect(textContent).toMatch(/On hold.* for 1:23 · by the agent.*Ended.*The boss/);
  });

  it('shows to whom it was handed on', async () => {
    answerRequests(() => ({
      status: 200,
      body: { steps: [{ step: 'transferred', at: at(9), by: 'agent', person: null, seconds: 3 }] },
    }));
    const page = showInConsole(<CallCourse call={{ id: 'c1', transferred_to: '200' } as CallView} />);
    await page.findByText(/Transferred to/);
    expect(page.container.textContent).toMatch(/Transferred to 200.*by the agent/);
  });

  it('shows what was sent of it and how far that is', async () => {
    const delivery = {
      id: 'd1',
      target: 'webhook',
      event: 'call_answered',
      state: 'pending',
      attempts: 2,
      next_attempt_at: at(300),
      last_status_code: 500,
      created_at: at(4),
      finished_at: null,
    };
    answerRequests(() => ({
      status: 200,
      body: {
        deliveries: [
          delivery,
          {
            ...delivery,
            id: 'd2',
            target: 'crm',
            event: 'call_log',
            state: 'delivered',
            attempts: 1,
            next_attempt_at: null,
            last_status_code: 201,
          },
        ],
      },
    }));
    const page = showInConsole(<CallDeliveries id="c1" />);
    await page.findByText('A call is answered');
    await page.findByText('A call is logged in the CRM');
    expect(page.container.textContent).toMatch(
      /Waiting.*Webhook · 2 attempts · last answer 500 · next attempt .*Delivered.*CRM · 1 attempt · last answer 201/,
    );
    expect((await page.findByRole('link', { name: 'All of it in the delivery log' })).getAttribute('href')).toBe(
      '/deliveries?call_id=c1',
    );
  });

  it('shows the record that popped as agents see it, but for the name, with every digit', async () => {
    const crm = { name: 'Grace Hopper', plan: 'pro', address: { lines: ['1 Navy Way', 'Suite 2'] } };
    const call = {
      phone: '+15551230001',
      screen_pop: { name: 'Grace Hopper', vip_tier: 'gold', crm, record_url: 'https://crm.example.com/1' },
      exact: { crm: JSON.stringify(crm).replace('"pro"', '12345678901234567890') },
    };
    const page = showInConsole(<PoppedRecord call={call} />);
    await page.findByText('Address › Lines');
    expect(page.container.textContent).toMatch(/gold.*12345678901234567890.*1 Navy Way\s+Suite 2/s);
    expect(page.queryByText('Grace Hopper')).toBeNull();
    expect(page.getByRole('link', { name: /^Open/ }).getAttribute('href')).toBe('https://crm.example.com/1');
  });

  it('shows a record of which there is the address or the tier alone, and none where there is nothing', async () => {
    const shown = (screen_pop: ScreenPop | null) =>
      showInConsole(<PoppedRecord call={{ phone: '+15551230001', screen_pop }} />);
    const page = shown({ record_url: 'https://crm.example.com/1' });
    await page.findByRole('heading', { name: 'The record that popped' });
    expect(page.getByRole('link', { name: /^Open/ }).getAttribute('href')).toBe('https://crm.example.com/1');
    page.unmount();
    const other = shown({ vip_tier: 'gold' });
    await other.findByText('gold');
    other.unmount();
    for (const pop of [{}, { name: 'Grace Hopper', vip_tier: null }, { record_url: 'javascript:alert(1)' }, null])
      expect(shown(pop).queryByRole('heading')).toBeNull();
  });
});
