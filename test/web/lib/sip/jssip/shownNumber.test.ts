import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HangUpStorage } from '../../../../../web/src/lib/sip/pendingHangUps.ts';
import type { SipCallListener } from '../../../../../web/src/lib/sip/jssip/sipCall.ts';
import { SipUserAgent } from '../../../../../web/src/lib/sip/jssip/userAgent.ts';
import { newTab } from '../../../../support/workplace/workplaces.ts';
import { ScriptedPbx, silence, standInForBrowser } from '../../../../support/sip/scriptedPbx.ts';

let pbx: ScriptedPbx;
let userAgent: SipUserAgent;

beforeEach(async () => {
  standInForBrowser();
  pbx = await ScriptedPbx.open();
});
afterEach(async () => {
  await pbx.isLeftBy(() => userAgent.stop());
  await pbx.close();
  vi.unstubAllGlobals();
});

/** Hears nothing of the call. */
const unheard = new Proxy({} as SipCallListener, { get: () => () => undefined });

/** The INVITE of a call by that number. */
async function inviteBy(callerIdHeader: string, callerId: string | null): Promise<string> {
  await new Promise<void>((onRegistered) => {
    userAgent = new SipUserAgent({ ...pbx.account, callerIdHeader }, new HangUpStorage(newTab().store, 'ada'), {
      onRegistered,
      onDown: () => undefined,
      onRefused: () => undefined,
      onUnread: () => undefined,
      onInvite: () => null,
    });
    userAgent.start();
  });
  userAgent.dial('+15551230001', silence, unheard, { callerId });
  return pbx.hears(/^INVITE /);
}

it.each([
  ['P-Preferred-Identity', /^P-Preferred-Identity: <sip:\+4930111@pbx\.test>\r$/m, /^From: .*<sip:ada@pbx\.test>/m],
  ['P-Asserted-Identity', /^P-Asserted-Identity: <sip:\+4930111@pbx\.test>\r$/m, /^From: .*<sip:ada@pbx\.test>/m],
  ['X-Caller-Id', /^X-Caller-Id: \+4930111\r$/m, /^From: .*<sip:ada@pbx\.test>/m],
  ['From', /^From: .*<sip:\+4930111@pbx\.test>/m, /^P-Preferred-Identity: .*sip:ada@pbx\.test/m],
])('a PBX is told in %s which number the customer is to see, and by whom', async (header, shown, account) => {
  const invite = await inviteBy(header, '+4930111');
  expect(invite).toMatch(shown);
  expect(invite).toMatch(account);
});

it('a PBX that decides is told nothing', async () => {
  expect(await inviteBy('P-Preferred-Identity', null)).not.toMatch(/^P-Preferred-Identity/m);
});
