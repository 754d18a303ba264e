import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HangUpStorage } from '../../../../../web/src/lib/sip/pendingHangUps.ts';
import type { PhoneEnd } from '../../../../../web/src/lib/sip/phoneCall.ts';
import type { SipCall, SipCallEvent, SipCallListener } from '../../../../../web/src/lib/sip/jssip/sipCall.ts';
import { SipSocket } from '../../../../../web/src/lib/sip/jssip/sipSocket.ts';
import { SipUserAgent } from '../../../../../web/src/lib/sip/jssip/userAgent.ts';
import { newTab } from '../../../../support/workplace/workplaces.ts';
import { MutePeer, sdp } from '../../../../support/sip/mutePeer.ts';
import { ScriptedPbx, silence, standInForBrowser } from '../../../../support/sip/scriptedPbx.ts';
import { eventually } from '../../../../support/time/waiting.ts';

let pbx: ScriptedPbx;
let userAgent: SipUserAgent;
let page: EventTarget;
let isDown: Promise<void>;
let registrations: number;
let isCalled: Promise<{ call: SipCall; ends: PhoneEnd[] }>;

beforeEach(async () => {
  page = standInForBrowser();
  pbx = await ScriptedPbx.open();
  registrations = 0;
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
    userAgent = new SipUserAgent(pbx.account, new HangUpStorage(newTab().store, 'ada'), {
      onRegistered: () => {
        registrations += 1;
        onRegistered();
      },
      onDown,
      onRefused: () => undefined,
      onUnread: () => undefined,
      onInvite,
    });
    userAgent.start();
  });
});
afterEach(async () => {
  // Until then it needs what stands in for the browser.
  await pbx.isLeftBy(() => userAgent.stop());
  await pbx.close();
  vi.unstubAllGlobals();
});

function ears() {
  const ends: PhoneEnd[] = [];
  const heard: SipCallEvent['type'][] = [];
  const nothing = () => undefined;
  const listener: SipCallListener = {
    onEvent: (event) => {
      heard.push(event.type);
      if (event.type === 'ended') ends.push(event.end);
    },
    onSound: nothing,
    onProblem: nothing,
    onReferred: nothing,
    onReplaced: nothing,
  };
  const rings = () => eventually(() => heard.includes('rings'));
  const connects = () => eventually(() => heard.includes('connected'));
  return { listener, ends, rings, connects };
}

function dial(number: string) {
  const { listener, ...heard } = ears();
  return { call: userAgent.dial(number, silence, listener), ...heard };
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
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
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

describe('a call that the network does not put through', () => {
  it.each<{ status: string; headers?: string[]; end: PhoneEnd }>([
    {
      status: '503 Dienst nicht verf\u00fcgbar',
      headers: ['Retry-After: 30'],
      end: { reason: 'failed', sipCode: 503, detail: 'service_unavailable' },
    },
    {
      status: '500 Server Error',
      headers: ['Reason: Q.850;cause=1;text="Unallocated, or so"'],
      end: { reason: 'failed', sipCode: 500, detail: 'not_in_service' },
    },
    { status: '404 Rufnummer nicht vergeben', end: { reason: 'failed', sipCode: 404, detail: 'not_in_service' } },
    { status: '486 Occup\u00e9', end: { reason: 'busy', sipCode: 486, endedBy: 'customer' } },
  ])('with $status $headers tells why, by its numbers alone', async ({ status, headers, end }) => {
    const { ends } = dial('+15551230001');
    pbx.answer(await pbx.hears(/^INVITE /), status, '', headers);
    await pbx.hears(/^ACK /);
    await eventually(() => expect(ends).toEqual([end]));
  });
});

async function talking() {
  const { call, ends, connects } = dial('+15551230001');
  pbx.answer(await pbx.hears(/^INVITE /), '200 OK', sdp);
  await connects();
  return { call, ends };
}

describe('a line that is dead, which no browser notices', () => {
  it('is replaced when a hang-up finds it so, and the hang-up goes over the one after it', async () => {
    const { call, ends } = await talking();
    pbx.die();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
    call.hangUp();
    expect(ends).toEqual([{ reason: 'completed', endedBy: 'agent' }]);
    // Only the line after it still hears.
    await pbx.hearsInTime(/^BYE /);
  });
});

describe('tones where the voice takes none', () => {
  const infos = () => pbx.told.filter((text) => text.startsWith('INFO '));
  const signals = () =>
    infos()
      .map((text) => /Signal=(.)/.exec(text)?.[1])
      .join('');

  it('go out as messages, in order, and all before the call is hung up', async () => {
    const { call, ends } = await talking();
    for (const tone of '47#') call.sendDtmf(tone);
    call.hangUpAfterTones();
    const bye = await pbx.hears(/^BYE /);
    expect(signals()).toBe('47#');
    expect(pbx.told.at(-1)).toBe(bye);
    expect(ends).toEqual([{ reason: 'completed', endedBy: 'agent' }]);
  });

  it('are sent no more once one is refused, which holds nobody up', async () => {
    const { call } = await talking();
    for (const tone of '47#') call.sendDtmf(tone);
    call.hangUpAfterTones();
    pbx.answer(await pbx.hears(/^INFO /), '415 Unsupported Media Type');
    await pbx.hears(/^BYE /);
    expect(signals()).toBe('4');
  });
});

describe('an inbound call', () => {
  it('whose voice is none for browsers is refused, and the agent is told who can help', async () => {
    vi.spyOn(MutePeer.prototype, 'setRemoteDescription').mockRejectedValueOnce(new Error('no fingerprint'));
    pbx.invite();
    const { call, ends } = await isCalled;
    call.answer(silence);
    await pbx.hears(/^SIP\/2\.0 488 /);
    expect(ends).toEqual([{ reason: 'failed', problem: { code: 'no_webrtc_audio' } }]);
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
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    pbx.cut();
    await isDown;
    const back = pbx.isReached();
    page.dispatchEvent(new Event('online'));
    await back;
  });
});

describe('a telephone that goes', () => {
  const isBack = async () => {
    pbx.cut();
    await isDown;
    const before = pbx.told.length;
    page.dispatchEvent(new Event('online'));
    return pbx.hears(/^REGISTER /, before);
  };

  it('while it registers is not registered afterwards', async () => {
    pbx.holdRegistrations();
    const register = await isBack();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
    userAgent.stop();
    pbx.register(register);
    await pbx.hears(/^REGISTER [^]*^Expires: 0\r$/m);
  });

  it('without a word tries to say none later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    await isBack();
    await eventually(() => registrations === 2);
    userAgent.abandon();
    await pbx.isLeft();
    const said = vi.spyOn(SipSocket.prototype, 'send');
    await vi.advanceTimersByTimeAsync(700_000);
    expect(said).not.toHaveBeenCalled();
    said.mockRestore();
  });
});

function isCancelOf(cancel: string, invite: string): void {
  const same = (text: string) =>
    ['Via', 'Call-ID', 'From', 'To'].map((name) => new RegExp(`^${name}: .*$`, 'm').exec(text)?.[0]);
  expect(same(cancel)).toEqual(same(invite));
  expect(cancel.startsWith(invite.replace(/^INVITE( \S+)[^]*$/, 'CANCEL$1 '))).toBe(true);
}
