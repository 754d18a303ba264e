import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PhoneEnd } from '../../web/src/phone/phone.ts';
import type { SipCall, SipCallListener } from '../../web/src/phone/sip/sipCall.ts';
import { SipUserAgent } from '../../web/src/phone/sip/userAgent.ts';
import { ScriptedPbx, sdp, silence, standInForBrowser } from './voice/scriptedPbx.ts';

let pbx: ScriptedPbx;
let userAgent: SipUserAgent;
let page: EventTarget;
let isDown: Promise<void>;


beforeEach(async () => {
  page = standInForBrowser();
  pbx = await ScriptedPbx.open();
  let onDown!: () => void;
  isDown = new Promise((resolve) => (onDown = resolve));
  await new Promise<void>((onRegistered) => {
    userAgent = new SipUserAgent(pbx.account, {
      onRegistered,
      onDown,
      onRefused: () => undefined,
      onInvite: () => null,
    });
    userAgent.start();
  });
});
afterEach(async () => {
  userAgent.abandon();
  await pbx.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Dialed = { call: SipCall; ends: PhoneEnd[]; rings: () => Promise<void> };

function dial(number: string): Dialed {
  const ends: PhoneEnd[] = [];
  const onRinging = vi.fn<SipCallListener['onRinging']>();
  const nothing = () => undefined;
  const listener: SipCallListener = {
    onRinging,
    onConnected: nothing,
    onHeld: nothing,
    onSound: nothing,
    onProblem: nothing,
    onEnded: (end) => void ends.push(end),
  };
  const call = userAgent.dial(number, silence, listener);
  return { call, ends, rings: () => vi.waitFor(() => expect(onRinging).toHaveBeenCalled()) };
}

describe('a call that was given up', () => {
  it('and is answered in the same moment is hung up at the customer’s, too', async () => {
    const { call, ends, rings } = dial('+15551230001');
    const invite = await pbx.hears(/^INVITE /);
    pbx.answer(invite, '180 Ringing');
    await rings();
    call.hangUp();
    await pbx.hears(/^CANCEL /);
    pbx.answer(invite, '200 OK', sdp);
    await pbx.hears(/^ACK /);
    await pbx.hears(/^BYE /);
    expect(ends).toEqual([{ reason: 'canceled', endedBy: 'agent' }]);
  });
  it('before a word came of it is canceled as the telephone goes for good', async () => {
    const { call } = dial('+15551230001');
    const invite = await pbx.hears(/^INVITE /);
    call.hangUp();
    userAgent.stop();
    isCancelOf(await pbx.hears(/^CANCEL /), invite);
  });

  it('is canceled after a broken line, and so is the call that followed it', async () => {
    const unheard = dial('+15551230001');
    const first = await pbx.hears(/^INVITE [^ ]*0001/);
    unheard.call.hangUp();
    const { rings } = dial('+15551230002');
    const second = await pbx.hears(/^INVITE [^ ]*0002/);
    pbx.answer(second, '180 Ringing');
    await rings();
    pbx.cut();
    isCancelOf(await pbx.hears(/^CANCEL [^ ]*0001/), first);
    isCancelOf(await pbx.hears(/^CANCEL [^ ]*0002/), second);
    expect(pbx.told.filter((text) => text.startsWith('CANCEL '))).toHaveLength(2);
  });
});

describe('a line that is away', () => {
  it('is tried at once when the browser is on a network again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    pbx.cut();
    await isDown;
    const back = pbx.isReached();
    page.dispatchEvent(new Event('online'));
    await back;
  });
});

function isCancelOf(cancel: string, invite: string): void {
  const same = (text: string) => ['Via', 'Call-ID', 'From', 'To'].map((name) => new RegExp(`^${name}: .*$`, 'm').exec(text)?.[0]);
  expect(same(cancel)).toEqual(same(invite));
  expect(cancel.startsWith(invite.replace(/^INVITE( \S+)[^]*$/, 'CANCEL$1 '))).toBe(true);
}
