import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OwedGoodbyes } from '../../web/src/phone/owedGoodbyes.ts';
import type { PhoneEnd } from '../../web/src/phone/phone.ts';
import type { SipCall, SipCallListener } from '../../web/src/phone/sip/sipCall.ts';
import { SipUserAgent } from '../../web/src/phone/sip/userAgent.ts';
import { newTab } from '../support/workplaces.ts';
import { MutePeer, ScriptedPbx, sdp, silence, standInForBrowser } from './voice/scriptedPbx.ts';

let pbx: ScriptedPbx;
let userAgent: SipUserAgent;
let page: EventTarget;
let isDown: Promise<void>;
let isCalled: Promise<{ call: SipCall; ends: PhoneEnd[] }>;

beforeEach(async () => {
  page = standInForBrowser();
  pbx = await ScriptedPbx.open();
  let onDown!: () => void;
  isDown = new Promise((resolve) => (onDown = resolve));
  let onInvite!: (call: SipCall) => SipCallListener;
  isCalled = new Promise((resolve) => {
    onInvite = (call) => {
      const { ends, listener } = ears();
      resolve({ call, ends });
      return listener;
    };
  });
  await new Promise<void>((onRegistered) => {
    userAgent = new SipUserAgent(pbx.account, new OwedGoodbyes(newTab().store, 'ada'), {
      onRegistered,
      onDown,
      onRefused: () => undefined,
      onInvite,
    });
    userAgent.start();
  });
});
afterEach(async () => {
  vi.useRealTimers();
  userAgent.stop();
  // Until then it needs what stands in for the browser.
  await pbx.isLeft();
  await pbx.close();
  vi.unstubAllGlobals();
});

function ears() {
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
  return { listener, ends, rings: () => vi.waitFor(() => expect(onRinging).toHaveBeenCalled()) };
}

function dial(number: string) {
  const { listener, ends, rings } = ears();
  return { call: userAgent.dial(number, silence, listener), ends, rings };
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

describe('an inbound call', () => {
  it('whose voice is none for browsers is refused, and the agent is told who can help', async () => {
    vi.spyOn(MutePeer.prototype, 'setRemoteDescription').mockRejectedValueOnce(new Error('no fingerprint'));
    pbx.invite();
    const { call, ends } = await isCalled;
    call.answer(silence);
    await pbx.hears(/^SIP\/2\.0 488 /);
    expect(ends).toEqual([{ reason: 'failed', problem: expect.stringContaining('WebRTC') }]);
  });

  it('that expires unanswered was missed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
    pbx.invite(['Expires: 60']);
    const { ends } = await isCalled;
    vi.advanceTimersByTime(60_000);
    expect(ends).toEqual([{ reason: 'missed', endedBy: 'customer' }]);
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
