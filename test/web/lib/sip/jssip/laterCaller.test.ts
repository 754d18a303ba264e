import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../../web/src/lib/sip/phoneCall.ts';
import { sdp } from '../../../../support/sip/mutePeer.ts';
import { PbxDialog } from '../../../../support/sip/scriptedPbx.ts';
import { going, useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();
const customer = 'P-Asserted-Identity: "Grace Hopper" <sip:+12025550143@pbx.test;user=phone>';
const grace: Caller = { phoneNumber: '+12025550143', displayName: 'Grace Hopper' };

/** Whom the telephone named after the call had begun, in order. */
function named(): Caller[] {
  return at()
    .told.filter(([event]) => event === 'caller_changed')
    .map(([, caller]) => caller as Caller);
}

/** A colleague calls, and is answered. */
async function withColleague(): Promise<PbxDialog> {
  const { pbx } = at();
  await at().isReady();
  const from = '"Ben" <sip:1001@pbx.test>';
  pbx.invite([], 'call', { from });
  await eventually(() => at().told.some(([event]) => event === 'incoming'));
  at().call?.answer();
  const dialog = PbxDialog.ofOurs(pbx, 'call', from);
  dialog.acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/));
  await at().tells('connected');
  return dialog;
}

describe('another caller', () => {
  it.each([
    ['an UPDATE', (dialog: PbxDialog, headers: string[]) => dialog.ask('UPDATE', headers)],
    ['an UPDATE with SDP', (dialog: PbxDialog, headers: string[]) => dialog.ask('UPDATE', headers, going('sendrecv'))],
    ['a re-INVITE', (dialog: PbxDialog, headers: string[]) => dialog.reinvite(sdp, headers)],
  ])('is told where %s names one', async (_what, tell) => {
    const dialog = await withColleague();
    expect(await tell(dialog, [customer])).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('caller_changed', grace);
    expect(at().dialog).not.toBeNull();
  });

  it('is told while it rings, too', async () => {
    await at().isReady();
    at().pbx.invite([], 'call', { from: '"Ben" <sip:1001@pbx.test>' });
    const ringing = await at().pbx.hears(/^SIP\/2\.0 180 /);
    const dialog = PbxDialog.ofOurs(at().pbx, 'call', '"Ben" <sip:1001@pbx.test>');
    dialog.acknowledge(ringing);
    expect(await dialog.ask('UPDATE', [customer])).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('caller_changed', grace);
  });

  it('is told by Remote-Party-ID, where that is not to be kept private', async () => {
    const dialog = await withColleague();
    await dialog.ask('UPDATE', ['Remote-Party-ID: <sip:+12025550143@pbx.test>;party=calling;privacy=full']);
    await dialog.ask('UPDATE', [
      'Remote-Party-ID: "Grace Hopper" <sip:+12025550143@pbx.test>;party=calling;privacy=off',
    ]);
    await at().tells('caller_changed', grace);
    expect(named()).toEqual([grace]);
  });

  it('is told who takes the place of the one before', async () => {
    const dialog = await withColleague();
    const replaces = `Replaces: ${dialog.callId};to-tag=${dialog.theirTag};from-tag=${dialog.ownTag}`;
    at().pbx.invite([replaces, 'Require: replaces'], 'second', { from: '"Grace Hopper" <sip:+12025550143@pbx.test>' });
    PbxDialog.ofOurs(at().pbx, 'second', '"Grace Hopper" <sip:+12025550143@pbx.test>').acknowledge(
      await at().pbx.hears(/^SIP\/2\.0 200 [^]*Call-ID: second/),
    );
    await at().tells('moved', 'done', 'Grace Hopper');
    expect(named()).toEqual([grace]);
  });

  it.each([
    ['the same', ['P-Asserted-Identity: "Benjamin" <sip:1001@pbx.test>']],
    ['nobody', []],
    ['the agent', ['P-Asserted-Identity: <sip:ada@pbx.test>']],
    ['somebody who is to be kept private', [customer, 'Privacy: id']],
    ['somebody who withholds it', ['P-Asserted-Identity: <sip:anonymous@anonymous.invalid>']],
    ['no number', ['P-Asserted-Identity: "Conference" <sip:conf-7@pbx.test>']],
  ])('is none where the network names %s', async (_what, headers) => {
    const dialog = await withColleague();
    await dialog.ask('UPDATE', headers);
    await dialog.reinvite(sdp, headers);
    await dialog.ask('UPDATE', [customer]);
    await at().tells('caller_changed', grace);
    expect(named()).toEqual([grace]);
  });

  it('is none where the network is refused', async () => {
    const dialog = await withColleague();
    expect(await dialog.ask('UPDATE', [customer, 'Session-Expires: 20;refresher=uac'])).toMatch(/^SIP\/2\.0 422 /);
    await dialog.ask('UPDATE', [customer.replace('143', '144')]);
    await at().tells('caller_changed', { ...grace, phoneNumber: '+12025550144' });
    expect(named()).toHaveLength(1);
  });

  it('is told twenty times in a call, and no oftener', async () => {
    const dialog = await withColleague();
    for (let number = 100; number < 125; number += 1)
      await dialog.ask('UPDATE', [`P-Asserted-Identity: <sip:+12025550${String(number)}@pbx.test>`]);
    expect(named().at(-1)).toEqual({ phoneNumber: '+12025550119', displayName: null });
    expect(named()).toHaveLength(20);
  });
});
