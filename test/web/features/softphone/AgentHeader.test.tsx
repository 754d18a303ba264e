// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { AgentHeader } from '../../../../web/src/features/softphone/AgentHeader.tsx';
import { sessionSettings, showInSoftphone } from '../../../support/components/softphone.tsx';

const settings = sessionSettings({ not_ready_reasons: [{ code: 'school', label: 'At school' }] });
type Needs = Parameters<typeof showInSoftphone>[1];

/** The head of the softphone, and what its buttons asked for. */
function header({ agent = {}, view = {} }: Pick<Needs, 'agent' | 'view'> = {}) {
  const asked: unknown[] = [];
  const workplace = {
    setReady: async () => void asked.push('ready'),
    setNotReady: async (reason?: string) => void asked.push(['not_ready', reason]),
    takeOver: () => void asked.push('take over'),
  };
  const page = showInSoftphone(<AgentHeader name="Ada Lovelace" isPassive={false} onSignOut={() => {}} />, {
    workplace,
    agent,
    view: { settings, ...view },
  });
  const button = (name: string) => page.getByRole('button', { name });
  const areDisabled = () => ['Ready', 'Not Ready'].map((name) => button(name).hasAttribute('disabled'));
  return { page, asked, button, areDisabled };
}

describe('the buttons of an agent’s state', () => {
  it('offer the standard reasons and the company’s own, and Not Ready without any', async () => {
    const { page, asked, button } = header();
    await page.user.click(button('Not Ready'));
    const names = (await page.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    expect(names).toEqual(expect.arrayContaining(['Break', 'Meal', 'At school', 'No reason']));
    await page.user.click(page.getByRole('menuitem', { name: 'At school' }));
    await page.user.click(button('Not Ready'));
    await page.user.click(await page.findByRole('menuitem', { name: 'No reason' }));
    await page.user.click(button('Ready'));
    expect(asked).toEqual([['not_ready', 'school'], ['not_ready', undefined], 'ready']);
  });

  it('tell during a call what comes after it, by the reason the agent chose', () => {
    const { page, button } = header({
      agent: { state: 'on_call', pending_state: 'not_ready', pending_reason: 'school' },
    });
    expect(page.getByTestId('pending-state').textContent).toBe('Not Ready (At school) after this call');
    page.become({ agent: { pending_state: 'ready', pending_reason: null } });
    expect(page.getByTestId('pending-state').textContent).toBe('Ready after this call');
    expect(button('Ready').getAttribute('aria-pressed')).toBe('true');
    page.become({ agent: { pending_state: null } });
    expect(page.queryByTestId('pending-state')).toBeNull();
  });

  it('can be pressed only while the gateway hears them', () => {
    const { page, button, areDisabled } = header({ view: { line: 'reconnecting' } });
    expect(areDisabled()).toEqual([true, true]);
    expect(button('Ready').getAttribute('aria-pressed')).toBe('false');
    page.become({ view: { line: 'connected' } });
    expect(areDisabled()).toEqual([false, false]);
    expect(button('Ready').getAttribute('aria-pressed')).toBe('true');
  });

  it('are one to log in again for who was logged out', async () => {
    const { page, asked } = header({ agent: { state: 'offline' } });
    expect([page.queryByRole('button', { name: 'Ready' }), page.queryByRole('button', { name: 'Not Ready' })]).toEqual([
      null,
      null,
    ]);
    await page.user.click(page.getByRole('button', { name: 'Log in again' }));
    expect(asked).toEqual(['take over']);
  });
});

it('names the agent, the state, its reason and how long it has lasted', () => {
  const { page } = header({
    agent: { state: 'not_ready', reason: 'school', since: new Date(Date.now() - 65_500).toISOString() },
  });
  expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeTruthy();
  expect(page.getByTestId('agent-state').textContent).toMatch(/^Not ReadyAt school1:0\d$/);
});

it('claims no state while the gateway does not hear the agent', () => {
  const { page } = header({ agent: { state: 'ready' }, view: { line: 'reconnecting' } });
  expect(page.getByTestId('agent-state').textContent).not.toContain('Ready');
});
