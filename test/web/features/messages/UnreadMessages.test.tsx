// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { MessageNotice } from '../../../../src/contract/messages.ts';
import { UnreadMessages } from '../../../../web/src/features/messages/UnreadMessages.tsx';
import { ApiProblem } from '../../../../web/src/lib/gateway/apiProblem.ts';
import { showInSoftphone } from '../../../support/components/softphone.tsx';

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

function message(changes: Partial<MessageNotice> = {}): MessageNotice {
  const to = { kind: 'team', id: 'sales', name: 'Sales' } as const;
  return {
    id: 'm1',
    from: { id: 'boss', name: 'Margaret Hamilton' },
    to,
    text: 'Price list\nfrom noon on',
    created_at: inMinutes(-1),
    expires_at: inMinutes(60),
    ...changes,
  };
}

describe('messages at the softphone', () => {
  it('say who wrote to whom, and go when they are read', async () => {
    const read: string[] = [];
    const acknowledgeMessage = async (id: string) => void read.push(id);
    const page = showInSoftphone(
      <UnreadMessages
        messages={[message(), message({ id: 'm2', text: 'Well done', to: { kind: 'agent', id: 'me', name: 'Me' } })]}
      />,
      { workplace: { acknowledgeMessage } },
    );
    const [first, second] = page.getAllByRole('listitem');
    expect(first?.textContent).toContain('Margaret Hamilton to the team \u2068Sales\u2069');
    expect(second?.textContent).toContain('Margaret Hamilton to you');
    expect(page.getAllByRole('blockquote', { name: 'Message from Margaret Hamilton' })[0]?.textContent).toBe(
      'Price list\nfrom noon on',
    );
    expect(page.getByRole('status').textContent).toBe('Message from Margaret Hamilton: Well done');
    await page.user.click(page.getAllByRole('button', { name: 'Read: message from Margaret Hamilton' })[0]!);
    expect(read).toEqual(['m1']);
    expect(document.activeElement?.textContent).toBe('Messages');
  });

  it('stay, and say so, where reading could not be told', async () => {
    const acknowledgeMessage = () => Promise.reject(new ApiProblem(503, { code: 'dependency_unavailable' }));
    const page = showInSoftphone(<UnreadMessages messages={[message()]} />, { workplace: { acknowledgeMessage } });
    await page.user.click(page.getByRole('button', { name: /^Read/ }));
    expect((await page.findByRole('alert')).textContent).not.toBe('');
    expect(page.getByText(/Price list/, { selector: 'blockquote' })).toBeDefined();
  });

  it('are not shown any more when their time is over', () => {
    const page = showInSoftphone(<UnreadMessages messages={[message({ expires_at: inMinutes(-1) })]} />, {});
    expect(page.queryByRole('listitem')).toBeNull();
    expect(page.getByTestId('messages').hidden).toBe(true);
  });
});
