// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import type { MessageView } from '../../../../src/contract/messages.ts';
import { MessagesDialog } from '../../../../web/src/features/messages/MessagesDialog.tsx';
import { answerRequests, type AskedRequest, show } from '../../../support/components/page.tsx';
import { eventually } from '../../../support/time/waiting.ts';

const teams = [{ id: 'b7c2f0e4-0000-4000-8000-000000000001', code: 'sales', name: 'Ventas Málaga', agent_ids: [] }];
const grace = { id: 'b7c2f0e4-0000-4000-8000-000000000002', name: 'Grace Hopper', agent_code: 'g1', state: 'offline' };

function view(changes: Partial<MessageView> = {}): MessageView {
  const at = new Date().toISOString();
  const to = { kind: 'everybody', id: null, name: null } as const;
  return {
    id: 'm1',
    from: { id: 'boss', name: 'Boss' },
    to,
    text: 'Fire drill at noon',
    created_at: at,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    taken_back_at: null,
    readers: 3,
    read: 1,
    ...changes,
  };
}

/** The dialog before a gateway that has written these, the latest first. */
function dialog({
  agent = null as { id: string; name: string } | null,
  written = [] as MessageView[],
  refusal = null as object | null,
} = {}) {
  const requests = answerRequests((asked: AskedRequest) => {
    const { pathname, searchParams } = new URL(asked.path, 'http://gateway');
    if (asked.method === 'POST') {
      if (refusal !== null) return { status: 409, body: refusal };
      const made = view({
        id: `m${written.length + 10}`,
        text: (asked.body as { text: string }).text,
        readers: 2,
        read: 0,
      });
      written.unshift(made);
      return { status: 201, body: made };
    }
    if (asked.method === 'DELETE') {
      written.splice(0, 1, { ...written[0]!, taken_back_at: new Date().toISOString() });
      return { status: 200, body: {} };
    }
    if (pathname === '/api/teams') return { status: 200, body: { teams } };
    if (pathname === '/api/colleagues') {
      return {
        status: 200,
        body: { colleagues: grace.name.toLowerCase().includes(searchParams.get('q') ?? '') ? [grace] : [] },
      };
    }
    if (pathname.endsWith('/readers')) {
      return {
        status: 200,
        body: { readers: [{ id: 'a', name: 'Ada Lovelace', agent_code: 'a1', read_at: null }], next_cursor: null },
      };
    }
    return { status: 200, body: { messages: [...written], next_cursor: null } };
  });
  const posted = () => requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
  const page = show(<MessagesDialog agent={agent} onClose={() => {}} />);
  return { page, posted };
}

describe('writing messages', () => {
  it('goes to a team that is found without its accents, for as long as was chosen', async () => {
    const { page, posted } = dialog();
    const send = await page.findByRole('button', { name: 'Send' });
    await page.user.type(await page.findByRole('combobox', { name: 'To' }), 'malaga');
    await page.user.click(await page.findByRole('option', { name: 'Team Ventas Málaga' }));
    expect((send as HTMLButtonElement).disabled).toBe(true);
    await page.user.type(page.getByRole('textbox', { name: 'Message' }), 'New prices');
    await page.user.click(page.getByRole('combobox', { name: 'Shown for' }));
    await page.user.click(await page.findByRole('option', { name: '4 hours' }));
    await page.user.click(send);
    await page.findByText('Sent to 2 people.');
    expect(posted()).toEqual([{ to: { team_id: teams[0]!.id }, text: 'New prices', valid_minutes: 240 }]);
    await page.findByText('0 of 2 have read it');
  });

  it('finds people whether they are signed in or not, and begins with the agent it was opened for', async () => {
    const { page, posted } = dialog({ agent: { id: grace.id, name: grace.name } });
    expect(((await page.findByRole('combobox', { name: 'To' })) as HTMLInputElement).value).toBe('Grace Hopper');
    await page.user.type(page.getByRole('textbox', { name: 'Message' }), 'Call me');
    await page.user.click(page.getByRole('button', { name: 'Send' }));
    await eventually(() =>
      expect(posted()).toEqual([{ to: { agent_id: grace.id }, text: 'Call me', valid_minutes: 720 }]),
    );
  });

  it('sends the same key again for the same message after it failed, and another for another', async () => {
    const keys: unknown[] = [];
    const { page } = dialog({
      agent: { id: grace.id, name: grace.name },
      refusal: { code: 'conflict', cause: { code: 'no_readers' } },
    });
    const press = async () => {
      await page.user.click(page.getByRole('button', { name: 'Send' }));
      await page.findByRole('alert');
    };
    await page.user.type(await page.findByRole('textbox', { name: 'Message' }), 'One');
    await press();
    expect((await page.findByRole('alert')).textContent).toBe(
      'Nobody would read it: they cannot log in, or it is you who writes.',
    );
    await press();
    await page.user.type(page.getByRole('textbox', { name: 'Message' }), '!');
    await press();
    for (const [, init] of vi.mocked(globalThis.fetch).mock.calls) {
      if (init?.method === 'POST') keys.push((init.headers as Record<string, string>)['Idempotency-Key']);
    }
    expect(keys).toHaveLength(3);
    expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([true, false]);
  });
});

describe('what was written', () => {
  it('shows how many have read it, who has not, and takes it back', async () => {
    const { page } = dialog({ written: [view()] });
    await page.findByText('1 of 3 have read it');
    await page.user.click(page.getByRole('button', { name: /^Not read by: to Everybody/ }));
    await page.findByText('Ada Lovelace');
    await page.user.click(page.getByRole('button', { name: /^Take back/ }));
    await page.findByText('Taken back');
    expect(page.queryByRole('button', { name: /^Take back/ })).toBeNull();
  });

  it('says what is over, and that nothing was written', async () => {
    const { page } = dialog({ written: [view({ expires_at: new Date(Date.now() - 1_000).toISOString(), read: 3 })] });
    await page.findByText('Over');
    expect(page.queryByRole('button', { name: /^(?:Not read by|Take back)/ })).toBeNull();
    page.unmount();
    await dialog().page.findByText('Nothing was written yet.');
  });
});
