import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { type BrowserRoom, signIn } from '../../../support/browser/browser.ts';
import { eventually } from '../../../support/time/waiting.ts';
import { shownNumber } from '../../../support/web/shownNumber.ts';
import type { ShiftRoom } from './shiftRoom.ts';
import type { ShiftSeat } from './shiftSeat.ts';

const endWords: Record<string, string> = {
  completed: 'Completed',
  transferred: 'Transferred',
  busy: 'Busy',
  no_answer: 'No answer',
  rejected: 'Declined',
  canceled: 'Canceled',
};

/** As the softphone tells how a call ended: more closely than the supervisor's list. */
function recentWord(record: CallSummary): string {
  const { direction, end_detail: detail, end_reason: reason, ended_by: by } = record;
  if (reason === 'canceled' && direction === 'inbound' && by === 'customer') return 'Caller hung up';
  return detail === 'consulted' ? `${endWord(record)}: a colleague only asked` : endWord(record);
}

function endWord({ end_reason: reason }: CallSummary): string {
  return endWords[reason ?? ''] ?? 'unknown';
}

/** The agent's own list: the latest calls, newest first, with how each went. */
export async function recentCallsAgree({ agent, phone }: ShiftSeat, records: readonly CallSummary[]): Promise<void> {
  const own = records.filter(({ agent_id: agentId }) => agentId === agent.id).toReversed();
  const rows = phone.recent.getByRole('listitem');
  const latest = own.slice(0, 20);
  await eventually(async () => {
    const texts = await rows.allTextContents();
    latest.forEach((record, index) => {
      expect(texts[index]).toContain(shownNumber(record.phone ?? ''));
      expect(texts[index]).toContain(recentWord(record));
      if (record.disposition !== null) expect(texts[index]).toContain(record.disposition.label);
    });
  });
}

/** The supervisor sees every call of the shift, and everybody Ready with no call. */
export async function supervisorsPagesAgree(
  room: ShiftRoom,
  browser: BrowserRoom,
  records: readonly CallSummary[],
): Promise<void> {
  const page = await browser.open(`${room.gateway.url}/admin/live`);
  await signIn(page, room.boss, room.company.slug);
  for (const { agentCode } of room.company.agents)
    await page.getByRole('row').filter({ hasText: agentCode }).getByText('Ready', { exact: true }).waitFor();
  await page.getByText('0 outbound · 0 inbound').waitFor();
  await page.goto(`${room.gateway.url}/admin/calls`);
  await showsAll(page, records);
}

/** Newest first, page by page. */
async function showsAll(page: Page, records: readonly CallSummary[]): Promise<void> {
  const list = page.locator('tbody').getByRole('row');
  await list.first().waitFor();
  while ((await list.count()) < records.length) {
    const before = await list.count();
    await page.getByRole('button', { name: 'Older calls' }).click();
    await eventually(async () => (await list.count()) > before);
  }
  const texts = await list.allTextContents();
  records.toReversed().forEach((record, index) => {
    expect(texts[index]).toContain(shownNumber(record.phone ?? ''));
    expect(texts[index]).toContain(endWord(record));
    if (record.disposition !== null) expect(texts[index]).toContain(record.disposition.label);
  });
}
