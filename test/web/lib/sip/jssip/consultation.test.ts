import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Consult, ConsultOptions, PhoneProblem } from '../../../../../web/src/lib/sip/phoneCall.ts';
import { headerOf, type PbxDialog } from '../../../../support/sip/scriptedPbx.ts';
import { going, useScriptedPhone, wayOf } from '../../../../support/sip/scriptedPhone.ts';
import { sdp } from '../../../../support/sip/mutePeer.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();
const to = '1001';
/** How much of what the PBX was told the test has read. */
let read = 0;

beforeEach(() => {
  read = 0;
});
afterEach(() => vi.useRealTimers());

/** What the telephone says next in that call, be it in words of the test's before or after others. */
async function next(method: string, callId?: string): Promise<string> {
  const found = await at().pbx.hears(new RegExp(`^${method} [^]*^Call-ID: ${callId ?? ''}`, 'm'), read);
  read = at().pbx.told.indexOf(found, read) + 1;
  return found;
}

/** The telephone offers the voice of a call anew, and the PBX agrees. @returns which way it is to go */
async function reoffers(dialog: PbxDialog): Promise<string> {
  const offer = await next('INVITE', dialog.callId);
  const way = wayOf(offer);
  at().pbx.answer(offer, '200 OK', going(way === 'sendonly' ? 'recvonly' : 'sendrecv'));
  await next('ACK', dialog.callId);
  return way;
}

const consulting = (step: string, whom = 'colleague') => ['consult', { to, step, with: whom }];
const isStep = (step: string) =>
  at().told.some(([event, consult]) => event === 'consult' && (consult as Consult | null)?.step === step);
const lastConsult = () =>
  at()
    .told.filter(([event]) => event === 'consult')
    .at(-1)?.[1];
const ends = () => at().told.filter(([event]) => event === 'ended');

/**
 * The agent asks a colleague, with the customer on hold.
 * @returns the customer's call, and the INVITE to the colleague
 */
async function asks(options: ConsultOptions = {}): Promise<{ customer: PbxDialog; invite: string }> {
  const customer = await at().dials();
  read = at().pbx.told.length;
  at().call?.consult(to, options);
  expect(await reoffers(customer)).toBe('sendonly');
  await at().tells('held', true);
  const invite = await next('INVITE');
  expect(invite).toMatch(/^INVITE sip:1001@pbx\.test /);
  expect(headerOf(invite, 'Call-ID')).not.toBe(customer.callId);
  await eventually(() => isStep('calling'));
  return { customer, invite };
}

/** The same, and the colleague has answered. */
async function talks(options: ConsultOptions = {}): Promise<{ customer: PbxDialog; colleague: PbxDialog }> {
  const { customer, invite } = await asks(options);
  at().pbx.answer(invite, '180 Ringing');
  await eventually(() => isStep('ringing'));
  at().pbx.answer(invite, '200 OK', sdp);
  await next('ACK');
  await eventually(() => isStep('talking'));
  return { customer, colleague: at().dialogOf(invite) };
}

/** The agent is with the customer as before, and nobody else is in a call. */
async function isBack(customer: PbxDialog): Promise<void> {
  expect(await reoffers(customer)).toBe('sendrecv');
  await at().tells('held', false);
  expect(lastConsult()).toBeNull();
  expect(ends()).toEqual([]);
  expect(await customer.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
  await at().tells('ended', { reason: 'completed', endedBy: 'customer' });
}

describe('a colleague who is asked first', () => {
  it('takes the customer over when the agent says so, and the agent is out of both calls', async () => {
    const { customer, colleague } = await talks();
    at().call?.completeConsult();
    const refer = await next('REFER', customer.callId);
    const replaced = `${colleague.callId};to-tag=${colleague.ownTag};from-tag=${colleague.theirTag}`;
    expect(headerOf(refer, 'Refer-To')).toBe(`<sip:1001@pbx.test?Replaces=${encodeURIComponent(replaced)}>`);
    at().pbx.answer(refer, '202 Accepted');
    // The PBX puts the customer in the agent's place.
    expect(await colleague.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    await eventually(() => lastConsult() === null);
    const done = [
      `Event: refer;id=${Number.parseInt(headerOf(refer, 'CSeq'))}`,
      'Subscription-State: terminated;reason=noresource',
    ];
    expect(await customer.ask('NOTIFY', done, 'SIP/2.0 200 OK\r\n')).toMatch(/^SIP\/2\.0 200 /);
    at().pbx.answer(await next('BYE', customer.callId), '200 OK');
    await at().tells('ended', { reason: 'transferred', endedBy: 'agent', transferredTo: to });
    expect(ends()).toHaveLength(1);
    expect(at().told.filter(([event]) => event === 'problem')).toEqual([]);
  });

  it('is left to the PBX for a while once it has hung up with the customer, and then hung up with', async () => {
    const { customer, colleague } = await talks();
    at().call?.completeConsult();
    at().pbx.answer(await next('REFER', customer.callId), '202 Accepted');
    await eventually(() => at().dialog?.transferTo === to);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expect(await customer.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('ended', { reason: 'transferred', endedBy: 'agent', transferredTo: to });
    expect(
      at()
        .pbx.told.slice(read)
        .some((text) => text.startsWith('BYE ')),
    ).toBe(false);
    await vi.advanceTimersByTimeAsync(4_000);
    await next('BYE', colleague.callId);
  });

  it('is called by the PBX in place of the agent where they have not answered yet', async () => {
    const { customer, invite } = await asks();
    at().pbx.answer(invite, '180 Ringing');
    await at().tells(...consulting('ringing'));
    at().call?.completeConsult();
    at().pbx.answer(await next('CANCEL', headerOf(invite, 'Call-ID')), '200 OK');
    at().pbx.answer(invite, '487 Request Terminated');
    const refer = at().pbx.told.find((text) => text.startsWith('REFER '))!;
    expect(headerOf(refer, 'Refer-To')).toBe('<sip:1001@pbx.test>');
    expect(headerOf(refer, 'Call-ID')).toBe(customer.callId);
    await eventually(() => lastConsult() === null);
    expect(at().told.filter(([event]) => event === 'problem')).toEqual([]);
  });

  it('waits while the agent talks to the customer, and the other way round: one is always on hold', async () => {
    const { customer, colleague } = await talks();
    at().call?.setHeld(false);
    expect(await reoffers(colleague)).toBe('sendonly');
    expect(await reoffers(customer)).toBe('sendrecv');
    await at().tells('held', false);
    expect(lastConsult()).toMatchObject({ with: 'customer', step: 'talking' });
    at().call?.setHeld(true);
    expect(await reoffers(customer)).toBe('sendonly');
    expect(await reoffers(colleague)).toBe('sendrecv');
    expect(lastConsult()).toMatchObject({ with: 'colleague', step: 'talking' });
    at().call?.endConsult();
    at().pbx.answer(await next('BYE', colleague.callId), '200 OK');
    await isBack(customer);
  });

  it('is held when they answer while the agent is back with the customer', async () => {
    const { customer, invite } = await asks();
    at().call?.setHeld(false);
    expect(await reoffers(customer)).toBe('sendrecv');
    at().pbx.answer(invite, '200 OK', sdp);
    await next('ACK');
    expect(await reoffers(at().dialogOf(invite))).toBe('sendonly');
    expect(lastConsult()).toMatchObject({ with: 'customer', step: 'talking' });
  });
});

describe('an agent who asked a colleague is back with the customer', () => {
  it('when they have enough of it', async () => {
    const { customer, colleague } = await talks();
    at().call?.endConsult();
    at().pbx.answer(await next('BYE', colleague.callId), '200 OK');
    await isBack(customer);
    expect(at().told.filter(([event]) => event === 'problem')).toEqual([]);
  });

  it('when they give up ringing', async () => {
    const { customer, invite } = await asks();
    at().pbx.answer(invite, '180 Ringing');
    await at().tells(...consulting('ringing'));
    at().call?.endConsult();
    at().pbx.answer(await next('CANCEL', headerOf(invite, 'Call-ID')), '200 OK');
    at().pbx.answer(invite, '487 Request Terminated');
    await isBack(customer);
  });

  it.each(['486 Busy Here', '603 Decline', '404 Not Found', '503 Service Unavailable'])(
    'when the colleague cannot be reached (%s)',
    async (status) => {
      let hasDeclined = false;
      const { customer, invite } = await asks({ onDeclined: () => void (hasDeclined = true) });
      at().pbx.answer(invite, status);
      await at().tells('problem', { code: 'consult_unanswered', who: to });
      expect(hasDeclined).toBe(status.startsWith('603'));
      await isBack(customer);
    },
  );

  it('when the PBX redirects to nobody whom it may call', async () => {
    const { customer, invite } = await asks();
    at().pbx.answer(invite, '302 Moved Temporarily', '', ['Contact: <sip:1002@elsewhere.example>']);
    await at().tells('problem', { code: 'consult_unanswered', who: to });
    await isBack(customer);
  });

  it('when the colleague hangs up', async () => {
    const { customer, colleague } = await talks();
    expect(await colleague.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('problem', { code: 'consult_over', who: to });
    await isBack(customer);
  });

  it('when the PBX does not hold the customer, and nobody is called', async () => {
    await at().dials();
    read = at().pbx.told.length;
    at().call?.consult(to);
    at().pbx.answer(await next('INVITE'), '488 Not Acceptable Here');
    await at().tells('problem', { code: 'hold_refused' });
    await eventually(() => lastConsult() === null);
    expect(
      at()
        .pbx.told.slice(read)
        .filter((text) => text.startsWith('INVITE ')),
    ).toEqual([]);
  });

  it.each([603, 302])('on hold, with the colleague still there, when the PBX does not join them (%i)', async (code) => {
    const { customer, colleague } = await talks();
    at().call?.completeConsult();
    at().pbx.answer(await next('REFER', customer.callId), `${code} No`);
    await at().tells('problem', { code: 'transfer_refused', who: to, sipCode: code });
    expect(lastConsult()).toMatchObject({ step: 'talking', with: 'colleague' });
    expect(await colleague.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('problem', { code: 'consult_over', who: to });
    await isBack(customer);
  });
});

describe('a colleague is let go', () => {
  it('when the customer hangs up', async () => {
    const { customer, colleague } = await talks();
    expect(await customer.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('ended', { reason: 'completed', endedBy: 'customer' });
    await next('BYE', colleague.callId);
  });

  it('when the page goes, whose next page takes the customer from hold', async () => {
    const { customer, colleague } = await talks();
    expect(at().dialog).toMatchObject({ callId: customer.callId, isHeld: true });
    at().phone.abandon();
    await next('BYE', colleague.callId);
    expect(
      at()
        .pbx.told.slice(read)
        .some((text) => text.startsWith('BYE ')),
    ).toBe(false);
  });
});

it('is with a colleague whom the PBX has moved (302), and who is joined as the one who answered', async () => {
  const { customer, invite } = await asks();
  at().pbx.answer(invite, '302 Moved Temporarily', '', ['Contact: <sip:1002@pbx.test>']);
  await next('ACK');
  const again = await next('INVITE');
  expect(again).toMatch(/^INVITE sip:1002@pbx\.test /);
  at().pbx.answer(again, '200 OK', sdp);
  await next('ACK');
  await eventually(() => isStep('talking'));
  at().call?.completeConsult();
  const refer = await next('REFER', customer.callId);
  expect(headerOf(refer, 'Refer-To')).toContain(encodeURIComponent(at().dialogOf(again).callId));
});

it('refuses to have the call moved while a colleague is asked', async () => {
  const { customer } = await talks();
  expect(await customer.ask('REFER', ['Refer-To: <sip:2002@pbx.test>'])).toMatch(/^SIP\/2\.0 491 /);
});

describe('a colleague whom the gateway has reserved', () => {
  const reserved = { name: 'Ben', forCall: '0192f0c4-0000-7000-8000-000000000001', joinsAtOnce: true };

  it('is told which call it is, and gets the customer as soon as they answer', async () => {
    const { customer, invite } = await asks(reserved);
    expect(headerOf(invite, 'X-Readyline-Call')).toBe(reserved.forCall);
    expect(lastConsult()).toMatchObject({ to, name: 'Ben' });
    at().pbx.answer(invite, '200 OK', sdp);
    await next('ACK');
    const refer = await next('REFER', customer.callId);
    expect(headerOf(refer, 'Refer-To')).toContain(encodeURIComponent(at().dialogOf(invite).callId));
  });

  it('is waited for where the agent wants to hand the call on before they answer', async () => {
    const { customer, invite } = await asks({ ...reserved, joinsAtOnce: false });
    at().call?.completeConsult();
    at().pbx.answer(invite, '200 OK', sdp);
    await next('ACK');
    await next('REFER', customer.callId);
    expect(at().pbx.told.some((text) => text.startsWith('CANCEL '))).toBe(false);
  });

  it('is given up within the time that is given, by their name', async () => {
    const { customer, invite } = await asks({ ...reserved, withinMs: 50 });
    at().pbx.answer(invite, '180 Ringing');
    at().pbx.answer(await next('CANCEL', headerOf(invite, 'Call-ID')), '200 OK');
    at().pbx.answer(invite, '487 Request Terminated');
    await at().tells('problem', { code: 'consult_unanswered', who: 'Ben' });
    await isBack(customer);
  });

  it('is not waited for any more once it is known that they will not answer', async () => {
    const { customer, invite } = await asks(reserved);
    at().pbx.answer(invite, '180 Ringing');
    await eventually(() => isStep('ringing'));
    at().call?.endConsult('unreachable');
    at().pbx.answer(await next('CANCEL', headerOf(invite, 'Call-ID')), '200 OK');
    at().pbx.answer(invite, '487 Request Terminated');
    await at().tells('problem', { code: 'consult_unanswered', who: 'Ben' });
    await isBack(customer);
  });
});

describe('all three', () => {
  it('talk, until the agent wants to talk to one of them alone', async () => {
    const { customer, colleague } = await talks();
    at().call?.confer();
    expect(await reoffers(customer)).toBe('sendrecv');
    expect(lastConsult()).toMatchObject({ with: 'both', step: 'talking' });
    at().call?.setHeld(true);
    expect(await reoffers(customer)).toBe('sendonly');
    expect(lastConsult()).toMatchObject({ with: 'colleague' });
    at().call?.confer();
    expect(await reoffers(customer)).toBe('sendrecv');
    at().call?.setHeld(false);
    expect(await reoffers(colleague)).toBe('sendonly');
    expect(lastConsult()).toMatchObject({ with: 'customer' });
    at().call?.confer();
    expect(await reoffers(colleague)).toBe('sendrecv');
    expect(lastConsult()).toMatchObject({ with: 'both' });
    at().call?.completeConsult();
    await next('REFER', customer.callId);
  });

  it('do not talk where the PBX does not take the customer from hold: the agent is with the colleague', async () => {
    await talks();
    at().call?.confer();
    at().pbx.answer(await next('INVITE'), '488 Not Acceptable Here');
    await at().tells('problem', { code: 'hold_refused' });
    await eventually(() => expect(lastConsult()).toMatchObject({ with: 'colleague', step: 'talking' }));
  });

  it('are two again when the colleague leaves, and the customer was never on hold for it', async () => {
    const { customer, colleague } = await talks();
    at().call?.confer();
    expect(await reoffers(customer)).toBe('sendrecv');
    expect(await colleague.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('problem', { code: 'consult_over', who: to });
    expect(lastConsult()).toBeNull();
    expect(await customer.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('ended', { reason: 'completed', endedBy: 'customer' });
  });
});

describe('a transfer that comes to nothing', () => {
  it('brings the customer back from hold, though the colleague has left meanwhile', async () => {
    const { customer, colleague } = await talks();
    at().call?.completeConsult();
    const refer = await next('REFER', customer.callId);
    at().pbx.answer(refer, '202 Accepted');
    expect(await colleague.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    await eventually(() => lastConsult() === null);
    const failed = [
      `Event: refer;id=${Number.parseInt(headerOf(refer, 'CSeq'))}`,
      'Subscription-State: terminated;reason=noresource',
    ];
    expect(await customer.ask('NOTIFY', failed, 'SIP/2.0 503 Service Unavailable\r\n')).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('problem', { code: 'transfer_refused', who: to, sipCode: 503 });
    await isBack(customer);
  });

  it('may be asked for again where the line was away', async () => {
    const { customer, colleague } = await talks();
    at().pbx.cut();
    // The telephone hears of the break in a moment.
    await eventually(() => {
      at().call?.completeConsult();
      return at().told.some(
        ([event, problem]) => event === 'problem' && (problem as PhoneProblem).code === 'network_unreachable',
      );
    });
    expect(lastConsult()).toMatchObject({ step: 'talking' });
    await at().pbx.hears(/^REGISTER /, read);
    await at().isReady();
    at().call?.completeConsult();
    await next('REFER', customer.callId);
    expect(colleague.callId).not.toBe(customer.callId);
  });
});
