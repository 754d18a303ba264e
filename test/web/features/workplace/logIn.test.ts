import { describe, expect, it } from 'vitest';
import { SoftphoneRefusal } from '../../../../src/client/softphone.ts';
import { keepsSignedIn } from '../../../../web/src/features/calls/callWords.ts';
import { messageOf } from '../../../../web/src/lib/gateway/apiProblem.ts';
import { createManualClock } from '../../../support/time/manualClock.ts';
import { customer, useWorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';
import { english } from '../../../support/web/english.ts';

const room = useWorkplaceRoom('log-in');

describe('a log-in that ends in mid-call', () => {
  it('leaves the voice, and what ended meanwhile is told under the next one', async () => {
    const agent = await room.someAgent();
    const { desk, call } = await room.talking(agent);
    const password = 'quite-another-password';
    await room
      .asAdmin(room.gateway.api.patch(`/api/agents/${agent.id}`))
      .send({ password })
      .expect(200);
    const { isEngaged } = await desk.sees('that it was refused', ({ line }) => line === 'refused');
    expect(isEngaged).toBe(true);
    expect(desk.phone.did.filter((deed) => ['stop', 'abandon', 'hang up'].includes(deed))).toEqual([]);
    desk.workplace.hangUp();
    expect(desk.workplace.view().isEngaged).toBe(true);
    const login = { agent_code: agent.agentCode, company_slug: room.company.slug, password };
    const { body } = await room.gateway.api.post('/api/auth/login').send(login).expect(200);
    await desk.workplace.renewToken((body as { token: string }).token);
    await desk.sees('that all is told', (view) => view.call?.state === 'ended' && !view.isEngaged);
    expect(await room.recorded(call.id)).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
  });
});

describe('signing out', () => {
  it('is refused while there is a call, and changes nothing', async () => {
    const agent = await room.someAgent();
    const { desk } = await room.talking(agent);
    await expect(desk.workplace.signOut()).rejects.toMatchObject({ why: 'hang_up_first' });
    expect(desk.workplace.view()).toMatchObject({ line: 'connected', call: { state: 'connected' } });
    expect(desk.phone.did).not.toContain('stop');
    expect(keepsSignedIn(desk.workplace.view())).toBe(true);
  });

  it('is done with for an agent whom a supervisor has logged out', async () => {
    const agent = await room.someAgent();
    const ends: string[] = [];
    const desk = await room.deskOf(agent, { onEnd: (how) => void ends.push(how) }).open();
    await room
      .asAdmin(room.gateway.api.put(`/api/agents/${agent.id}/state`))
      .send({ state: 'offline' })
      .expect(200);
    await desk.sees('that they are logged out', (view) => view.agent?.state === 'offline');
    await desk.workplace.signOut();
    expect(ends).toEqual(['signed_out']);
    expect(desk.phone.did).toContain('stop');
  });

  it('is possible in a tab whose call another one has taken over', async () => {
    const agent = await room.someAgent();
    const timers = createManualClock(Date.now());
    const { desk } = await room.talking(agent, { timers });
    await room.deskOf(agent).open();
    await desk.sees('that it was replaced', ({ line }) => line === 'replaced');
    expect(keepsSignedIn(desk.workplace.view())).toBe(true);
    await timers.advance(5_000);
    expect(desk.workplace.view().call?.state).toBe('connected');
    expect(keepsSignedIn(desk.workplace.view())).toBe(false);
    await desk.workplace.signOut();
  });
});

describe('a caller without a number', () => {
  it('is not hung up on who was answered before the gateway had no place for the call', async () => {
    const agent = await room.someAgent();
    const { desk, line } = await room.breakableDesk(agent);
    await room.click(agent).expect(201);
    await desk.hasCall('dialing');
    desk.phone.ends({ reason: 'failed' });
    await desk.sees('wrap-up', (view) => view.agent?.state === 'wrap_up');
    line.hold();
    desk.phone.isCalledBy({ phoneNumber: 'anonymous', displayName: null });
    desk.workplace.answer();
    line.release();
    await desk.sees('the caller', ({ call }) => call?.id === 'unrecorded' && call.state === 'connected');
    expect(desk.phone.did.at(-1)).toBe('answer');
  });
});

describe('the ringing tone', () => {
  it('is the network’s own from when it has one, and is not begun again over an announcement', async () => {
    const heard: string[] = [];
    const sounds = {
      ring: (which: string) => void heard.push(which),
      silence: () => void heard.push('silence'),
      chime: () => void heard.push('chime'),
    };
    const desk = await room.deskOf(await room.someAgent(), { sounds }).open();
    await desk.workplace.dial(customer);
    heard.length = 0;
    desk.phone.tells({ type: 'rings', hasSound: false });
    desk.phone.tells({ type: 'rings', hasSound: true });
    desk.phone.tells({ type: 'rings', hasSound: false });
    expect(heard).toEqual(['outgoing', 'silence']);
  });
});

describe('what was refused', () => {
  it('is told by what its code means, and never in the words of a program', () => {
    const detail = 'There is a call already.';
    expect(messageOf(english, new SoftphoneRefusal({ code: 'conflict', detail }))).toBe(detail);
    expect(messageOf(english, new SoftphoneRefusal({ code: 'token_expired', detail }))).toBe('Your log-in has ended.');
    expect(messageOf(english, new Error('socket has been disconnected'))).toBe('No answer from the server. Try again.');
  });
});
