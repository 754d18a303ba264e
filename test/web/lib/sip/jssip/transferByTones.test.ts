import { afterEach, describe, expect, it, vi } from 'vitest';
import { headerOf, type PbxDialog } from '../../../../support/sip/scriptedPbx.ts';
import { useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';
import { sdp } from '../../../../support/sip/mutePeer.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const to = '+15551230009';
const handedOn = { reason: 'transferred', endedBy: 'agent', transferredTo: to };

afterEach(() => vi.useRealTimers());

describe('a call that is handed on by tones', () => {
  const at = useScriptedPhone({ transfer: { by: 'tones', code: '*2,{number}#' } });

  /** What the PBX has heard, by INFO. @param taken whether it takes them */
  const hear = (taken = true) => {
    const heard: string[] = [];
    at().pbx.onTold = (text) => {
      if (!text.startsWith('INFO ')) return;
      heard.push(/Signal=(.)/.exec(text)![1]!);
      at().pbx.answer(text, taken ? '200 OK' : '415 Unsupported Media Type');
    };
    return heard;
  };
  /** The telephone's time passes until that is so. */
  const inTime = (isSo: () => boolean) =>
    eventually(async () => {
      await vi.advanceTimersByTimeAsync(100);
      return isSo();
    });
  const becomesOut = () => inTime(() => at().dialog?.transferTo === to);

  async function talks(): Promise<PbxDialog> {
    const dialog = await at().dials();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
    return dialog;
  }

  it('has the PBX’s code, whom as digits, and a wait of two seconds where the code has a comma', async () => {
    const heard = hear();
    await talks();
    at().call?.transfer(to);
    await at().tells('isTransferring', true);
    await inTime(() => heard.length === 2);
    expect(at().dialog?.transferTo).toBeUndefined();
    await becomesOut();
    expect(heard.join('')).toBe('*20015551230009#');
    expect(at().pbx.told.filter((text) => text.startsWith('REFER '))).toEqual([]);
  });

  it.each(['the agent', 'the PBX'])('is handed on when %s hangs up after them', async (who) => {
    hear();
    const dialog = await talks();
    at().call?.transfer(to);
    await becomesOut();
    if (who === 'the PBX') await dialog.ask('BYE');
    else at().call?.hangUp();
    await at().tells('ended', handedOn);
  });

  it('is not handed on where somebody hangs up before all tones are out', async () => {
    const heard = hear();
    const dialog = await talks();
    at().call?.transfer(to);
    await inTime(() => heard.length > 0);
    await dialog.ask('BYE');
    await at().tells('ended', { reason: 'completed', endedBy: 'customer' });
  });

  it('is the agent’s again where the agent says so, and can be handed on anew', async () => {
    const heard = hear();
    const dialog = await talks();
    at().call?.transfer(to);
    await becomesOut();
    at().call?.keep();
    await at().tells('isTransferring', false);
    expect(at().dialog?.transferTo).toBeUndefined();
    at().call?.transfer('1001');
    await inTime(() => at().dialog?.transferTo === '1001');
    expect(heard.join('')).toBe('*20015551230009#*21001#');
    at().call?.keep('unreachable');
    await at().tells('problem', { code: 'consult_unanswered', who: '1001' });
    await dialog.ask('BYE');
    await at().tells('ended', { reason: 'completed', endedBy: 'customer' });
  });

  it('sends no more tones once the agent says so', async () => {
    const heard = hear();
    const dialog = await talks();
    at().call?.transfer(to);
    await inTime(() => heard.length === 1);
    at().call?.keep();
    // All that was to go out would be by now.
    await vi.advanceTimersByTimeAsync(20_000);
    expect(heard.join('')).toBe('*');
    await dialog.ask('BYE');
    await at().tells('ended', { reason: 'completed', endedBy: 'customer' });
  });

  it('goes to nobody whom no tones name, such as an extension that is a word', async () => {
    const heard = hear();
    await talks();
    at().call?.transfer('ada.weber');
    await at().tells('problem', { code: 'transfer_refused', who: 'ada.weber', sipCode: 484 });
    await at().tells('isTransferring', false);
    expect(heard).toEqual([]);
  });

  it('is the agent’s where the PBX takes no tones', async () => {
    hear(false);
    const dialog = await talks();
    at().call?.transfer(to);
    await inTime(() => at().told.some(([event, isSo]) => event === 'isTransferring' && isSo === false));
    await at().tells('problem', { code: 'tone_lost' });
    await dialog.ask('BYE');
    await at().tells('ended', { reason: 'completed', endedBy: 'customer' });
  });

  it('and of whom was called first is joined by a REFER all the same', async () => {
    await at().dials();
    at().call?.consult('1001');
    const hold = await at().pbx.hears(/^INVITE [^]*sendonly/);
    at().pbx.answer(hold, '200 OK', sdp.replace('sendrecv', 'recvonly'));
    const invite = await at().pbx.hears(/^INVITE sip:1001/);
    at().pbx.answer(invite, '200 OK', sdp);
    await eventually(() =>
      at().told.some(([event, consult]) => event === 'consult' && (consult as { step: string }).step === 'talking'),
    );
    at().call?.completeConsult();
    const refer = await at().pbx.hears(/^REFER /);
    expect(headerOf(refer, 'Refer-To')).toContain('Replaces=');
    at().pbx.answer(refer, '603 Decline');
    await at().tells('isTransferring', false);
  });
});

describe('a call that is handed on by a number of the PBX', () => {
  const at = useScriptedPhone({ transfer: { by: 'refer', code: '*98{number}' } });

  it('is referred to that number, and recorded as handed on to whom the agent named', async () => {
    await at().dials();
    at().call?.transfer('1001');
    const refer = await at().pbx.hears(/^REFER /);
    expect(headerOf(refer, 'Refer-To')).toBe('<sip:*981001@pbx.test>');
    at().pbx.answer(refer, '202 Accepted');
    await eventually(() => at().dialog?.transferTo === '1001');
    at().call?.hangUp();
    await at().tells('ended', { ...handedOn, transferredTo: '1001' });
  });
});
