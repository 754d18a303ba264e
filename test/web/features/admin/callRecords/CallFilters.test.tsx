// @vitest-environment happy-dom
import { fireEvent, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { CallFilters } from '../../../../../web/src/features/admin/callRecords/CallFilters.tsx';
import { type CallFilter, callFilters } from '../../../../../web/src/features/admin/callRecords/callQueries.ts';
import { dayRanges } from '../../../../../web/src/features/admin/callRecords/Days.tsx';
import { answerRequests, show } from '../../../../support/components/page.tsx';

const any = Object.fromEntries(callFilters.map((name) => [name, ''])) as CallFilter;

/** The filters above the list, and what they said so far, the latest last. */
function filters(first: Partial<CallFilter> = {}) {
  answerRequests(() => ({
    status: 200,
    body: { teams: [], colleagues: [], dispositions: [], tags: [], free_tags: false },
  }));
  const said: Partial<CallFilter>[] = [];
  function Shown() {
    const [filter, setFilter] = useState({ ...any, ...first });
    const change = (next: Partial<CallFilter>) => {
      said.push(next);
      setFilter((before) => ({ ...before, ...next }));
    };
    return <CallFilters filter={filter} isFiltered={false} error={null} onChange={change} />;
  }
  return { page: show(<Shown />), said };
}

describe('the filters of the calls', () => {
  it('search as somebody types, once the typing pauses, and forget what was sought when it is cleared', async () => {
    const { page, said } = filters({ phone: '+15551230001' });
    const field = page.getByRole('searchbox', { name: 'Search' });
    expect(field).toHaveProperty('value', '+15551230001');
    fireEvent.change(field, { target: { value: 'hop' } });
    fireEvent.change(field, { target: { value: 'hop 0001 ' } });
    await waitFor(() => expect(said).toEqual([{ q: 'hop 0001', phone: '' }]));
    expect(field).toHaveProperty('value', 'hop 0001 ');
    fireEvent.change(field, { target: { value: '' } });
    await waitFor(() => expect(said.at(-1)).toEqual({ q: '', phone: '' }));
  });

  it('take today, yesterday and seven days at one press, and any time at another', async () => {
    const { page, said } = filters();
    const { today, yesterday, week } = dayRanges(Date.now());
    for (const name of ['Today', 'Yesterday', '7 days']) await page.user.click(page.getByRole('button', { name }));
    expect(page.getByRole('button', { name: '7 days', pressed: true })).toBeTruthy();
    await page.user.click(page.getByRole('button', { name: '7 days' }));
    expect(said).toEqual([today, yesterday, week, { since: '', until: '' }]);
  });

  it('know that a day may have an hour less', () => {
    // In the zone of this machine, whichever it is, a day begins at midnight.
    const { today, yesterday, week } = dayRanges(new Date(2026, 2, 30, 12).getTime());
    expect(
      [today.since, yesterday.since, yesterday.until, week.since].map((at) => new Date(at).toLocaleString('sv')),
    ).toEqual(['2026-03-30 00:00:00', '2026-03-29 00:00:00', '2026-03-30 00:00:00', '2026-03-24 00:00:00']);
  });
});
