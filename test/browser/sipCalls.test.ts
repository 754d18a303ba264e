import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PhoneEnd } from '../../web/src/phone/phone.ts';
import type { SipCall, SipCallListener } from '../../web/src/phone/sip/sipCall.ts';
import { SipUserAgent } from '../../web/src/phone/sip/userAgent.ts';
import { ScriptedPbx, sdp, silence, standInForBrowser } from './voice/scriptedPbx.ts';

let pbx: ScriptedPbx;
let userAgent: SipUserAgent;

beforeEach(async () => {
  standInForBrowser();
  pbx = await ScriptedPbx.open();
  await new Promise<void>((registered) => {
    userAgent = new SipUserAgent(pbx.account, {
      onRegistered: registered,
      onDown: () => undefined,
      onRefused: () => undefined,
      onInvite: () => null,
    });
    userAgent.start();
  });
});
afterEach(async () => {
  userAgent.abandon();
  await pbx.close();
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
});
