import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PhoneDialog } from '../../../../../web/src/lib/sip/phoneCall.ts';
import { headerOf, type PbxDialog } from '../../../../support/sip/scriptedPbx.ts';
import { type ScriptedPhone, useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';
import { sdp } from '../../../../support/sip/mutePeer.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();
const to = '+15551230009';
const handedOn = { reason: 'transferred', endedBy: 'agent', transferredTo: to };

afterEach(() => vi.useRealTimers());

/** The agent hands the call on. @returns what the PBX was asked */
async function asks(target = to, after = at().pbx.told.length): Promise<string> {
  at().call?.transfer(target);
  const refer = await at().pbx.hears(/^REFER /, after);
  await at().tells('isTransferring', true);
  return refer;
}

/** The PBX says how its own call to whom it was handed on goes. */
function notify(dialog: PbxDialog, refer: string, status: string, state = 'active;expires=60'): Promise<string> {
  const id = Number.parseInt(headerOf(refer, 'CSeq'));
  return dialog.ask(
    'NOTIFY',
    [`Event: refer;id=${String(id)}`, `Subscription-State: ${state}`],
    `SIP/2.0 ${status}\r\n`,
  );
}

/** Seconds of the telephone's time, during which the line shows that it is alive. */
async function passes(seconds: number): Promise<void> {
  let left = seconds;
  await eventually(async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    left -= 1;
    return left === 0;
  });
}

const ends = () => at().told.filter(([event]) => event === 'ended');
const refusal = (sipCode: number | null) => ['problem', { code: 'transfer_refused', who: to, sipCode }];

/** The call is the agent's as before. */
async function goesOn(dialog: PbxDialog, sipCode: number | null): Promise<void> {
  await at().tells(...refusal(sipCode));
  expect(
    at()
      .told.filter(([event]) => event === 'isTransferring')
      .at(-1),
  ).toEqual(['isTransferring', false]);
  expect(ends()).toEqual([]);
  expect(at().dialog).toMatchObject({ callId: dialog.callId });
  expect(at().dialog?.transferTo).toBeUndefined();
  // It can be told by the customer as any.
  expect(await dialog.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
  await at().tells('ended', { reason: 'completed', endedBy: 'customer' });
}

describe('a call that is handed on', () => {
  it.each(['dials', 'answers'] as const)(
    'of an agent who $0 ends here when the network says that it is done',
    async (how) => {
      const dialog = await at()[how]();
      const refer = await asks();
      expect(headerOf(refer, 'Refer-To')).toBe(`<sip:${to}@pbx.test>`);
      expect(headerOf(refer, 'Call-ID')).toBe(dialog.callId);
      at().pbx.answer(refer, '202 Accepted');
      expect(await notify(dialog, refer, '100 Trying')).toMatch(/^SIP\/2\.0 200 /);
      expect(await notify(dialog, refer, '180 Ringing')).toMatch(/^SIP\/2\.0 200 /);
      expect(ends()).toEqual([]);
      expect(await notify(dialog, refer, '200 OK', 'terminated;reason=noresource')).toMatch(/^SIP\/2\.0 200 /);
      at().pbx.answer(await at().pbx.hears(/^BYE /), '200 OK');
      await at().tells('ended', handedOn);
      expect(ends()).toHaveLength(1);
    },
  );

  it('goes to an extension, or a code of the PBX, as it was dialed', async () => {
    await at().dials();
    const refer = await asks('*98');
    expect(headerOf(refer, 'Refer-To')).toBe('<sip:*98@pbx.test>');
    at().pbx.answer(refer, '603 Decline');
    await at().tells('problem', { code: 'transfer_refused', who: '*98', sipCode: 603 });
    expect(headerOf(await asks('1001'), 'Refer-To')).toBe('<sip:1001@pbx.test>');
  });

  it('is handed on where the network hangs up in place of saying so', async () => {
    const dialog = await at().dials();
    const refer = await asks();
    at().pbx.answer(refer, '202 Accepted');
    await eventually(() => at().dialog?.transferTo === to);
    expect(await dialog.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('ended', handedOn);
  });

  it('is handed on where the agent hangs up once the network has agreed', async () => {
    await at().dials();
    const refer = await asks();
    at().pbx.answer(refer, '202 Accepted');
    await eventually(() => at().dialog?.transferTo === to);
    at().call?.hangUp();
    await at().pbx.hears(/^BYE /);
    await at().tells('ended', handedOn);
  });

  it('is an ordinary end where the customer hangs up before the network has agreed', async () => {
    const dialog = await at().dials();
    const refer = await asks();
    expect(await dialog.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    at().pbx.answer(refer, '481 Call/Transaction Does Not Exist');
    await at().tells('ended', { reason: 'completed', endedBy: 'customer' });
    expect(ends()).toHaveLength(1);
    expect(at().told.filter(([event]) => event === 'problem')).toEqual([]);
  });
});

describe('a call that is not handed on', () => {
  it.each([603, 405, 503, 302])('since the network refuses to (%i) goes on', async (code) => {
    const dialog = await at().dials();
    const refer = await asks();
    at().pbx.answer(refer, `${String(code)} No`);
    await goesOn(dialog, code);
  });

  it.each([486, 503, 302])('since nobody could be reached (%i) goes on', async (code) => {
    const dialog = await at().dials();
    const refer = await asks();
    at().pbx.answer(refer, '202 Accepted');
    await notify(dialog, refer, '100 Trying');
    await notify(dialog, refer, `${String(code)} No`, 'terminated;reason=noresource');
    await goesOn(dialog, code);
  });

  it('since the network does not answer goes on, and what it says too late counts', async () => {
    const dialog = await at().dials();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const refer = await asks();
    await passes(19);
    expect(at().told).not.toContainEqual(refusal(null));
    await passes(1);
    vi.useRealTimers();
    await at().tells(...refusal(null));
    expect(ends()).toEqual([]);
    at().pbx.answer(refer, '202 Accepted');
    await eventually(() => at().dialog?.transferTo === to);
    await notify(dialog, refer, '200 OK', 'terminated;reason=noresource');
    await at().tells('ended', handedOn);
  });

  it('is asked for once at a time, and anew afterwards', async () => {
    const { pbx } = at();
    const dialog = await at().dials();
    const refer = await asks();
    at().call?.transfer('1001');
    pbx.answer(refer, '603 Decline');
    await at().tells(...refusal(603));
    expect(pbx.told.filter((text) => text.startsWith('REFER '))).toHaveLength(1);
    const again = await asks();
    pbx.answer(again, '202 Accepted');
    await notify(dialog, again, '200 OK', 'terminated;reason=noresource');
    await at().tells('ended', handedOn);
  });

  it('since nobody talks yet asks nobody', async () => {
    await at().isReady();
    at().dial();
    await at().pbx.hears(/^INVITE /);
    at().call?.transfer(to);
    at().pbx.answer(
      at().pbx.told.find((text) => text.startsWith('INVITE '))!,
      '200 OK',
      sdp,
    );
    await at().tells('connected');
    expect(at().pbx.told.filter((text) => text.startsWith('REFER '))).toEqual([]);
    expect(at().told.filter(([event]) => event === 'isTransferring')).toEqual([]);
  });
});

describe('a page that is loaded anew while a call is handed on', () => {
  const kept: PhoneDialog = {
    ...{
      callId: 'kept',
      localTag: 'here',
      remoteTag: 'there',
      localUri: 'sip:ada@pbx.test',
      remoteUri: 'sip:customer@pbx.test',
    },
    ...{
      target: 'sip:customer@pbx.test',
      address: 'sip:customer@pbx.test',
      routes: [],
      cseq: 20_000,
      isMuted: false,
      isHeld: false,
    },
  };

  it.each([
    ['was', { ...kept, transferTo: to }, '481 Gone', handedOn],
    ['had not been agreed on', kept, '481 Gone', { reason: 'failed', sipCode: 481 }],
  ])('finds no call any more, which %s', async (_, dialog, status, end) => {
    await at().isReady();
    at().takeOver(dialog);
    at().pbx.answer(await at().pbx.hears(/^INVITE /), status);
    await at().tells('ended', end);
  });

  it('goes on with the call where it is there still', async () => {
    const phone: ScriptedPhone = at();
    await phone.isReady();
    phone.takeOver({ ...kept, transferTo: to });
    phone.pbx.answer(await phone.pbx.hears(/^INVITE /), '200 OK', sdp);
    await phone.tells('connected');
    expect(phone.dialog?.transferTo).toBeUndefined();
  });

  it('gives up what it cannot begin, and says that the call is as it was', async () => {
    const { pbx, servers } = at();
    await at().isReady();
    servers.renew = () => new Promise(() => {});
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
    at().takeOver(kept);
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    await at().tells('ended', { reason: 'failed', problem: { code: 'not_taken_over' }, stands: true });
    expect(pbx.told.filter((text) => text.startsWith('INVITE '))).toEqual([]);
  });
});
