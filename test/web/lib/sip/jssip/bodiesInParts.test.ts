import { describe, expect, it } from 'vitest';
import { inParts, partsType, sdpPart } from '../../../../support/sip/bodiesInParts.ts';
import { sdp } from '../../../../support/sip/mutePeer.ts';
import { PbxDialog } from '../../../../support/sip/scriptedPbx.ts';
import { going, useScriptedPhone, wayOf } from '../../../../support/sip/scriptedPhone.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();
const inSeveral = [`Content-Type: ${partsType}`];

describe('a PBX that sends SDP among other parts', () => {
  it('calls, and holds the call, and is understood', async () => {
    const { pbx } = at();
    await at().isReady();
    pbx.invite(['Geolocation: <cid:caller@pbx.test>'], 'call', { offer: inParts([sdpPart(sdp)]), type: partsType });
    await eventually(() => expect(at().told).toContainEqual(['incoming', expect.anything()]));
    at().call?.answer();
    const dialog = PbxDialog.ofOurs(pbx);
    dialog.acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/));
    await at().tells('connected');
    expect(wayOf(await dialog.reinvite(inParts([sdpPart(going('sendonly'))]), inSeveral))).toBe('recvonly');
    await at().tells('isHeldByOther', true);
    expect(wayOf(await dialog.ask('UPDATE', inSeveral, inParts([sdpPart(going('sendrecv'))])))).toBe('sendrecv');
    await at().tells('isHeldByOther', false);
  });

  it('answers a dial by it, its own ringing first', async () => {
    const { pbx } = at();
    await at().isReady();
    at().dial();
    const invite = await pbx.hears(/^INVITE /);
    pbx.answer(invite, '180 Ringing', inParts([]), inSeveral);
    await at().tells('rings', false);
    pbx.answer(invite, '183 Session Progress', inParts([sdpPart(sdp)]), inSeveral);
    await at().tells('rings', true);
    pbx.answer(invite, '200 OK', inParts([sdpPart(sdp)]), inSeveral);
    await at().tells('connected');
  });
});

describe('a PBX that sends no SDP, but other parts', () => {
  it('calls in vain: it is told what is understood, and the agent that a call is missing', async () => {
    const { pbx } = at();
    await at().isReady();
    pbx.invite([], 'call', { offer: inParts([]), type: partsType });
    expect(await pbx.hears(/^SIP\/2\.0 415 /)).toContain('Accept: application/sdp, multipart/mixed');
    await at().tells('problem', { code: 'message_unread', what: 'content-type' });
  });

  it('changes nothing of a call that lasts', async () => {
    const dialog = await at().answers();
    expect(await dialog.ask('INVITE', inSeveral, inParts([]))).toMatch(/^SIP\/2\.0 415 /);
    await at().tells('problem', { code: 'message_unread', what: 'content-type' });
    expect(at().dialog).not.toBeNull();
  });
});
