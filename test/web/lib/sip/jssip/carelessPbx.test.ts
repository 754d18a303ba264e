import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { sdp } from '../../../../support/sip/mutePeer.ts';
import { headerOf, PbxDialog } from '../../../../support/sip/scriptedPbx.ts';
import { eventually } from '../../../../support/time/waiting.ts';
import { useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';

const at = useScriptedPhone();

describe('a PBX that spells addresses carelessly', () => {
  it.each([
    [
      'ACME, Inc. <sip:+12025550143@1af019b2ba08>',
      'Contact: <sip:c@1af019b2ba08:8088;transport=ws>',
      'sip:c@1af019b2ba08:8088;transport=ws',
    ],
    ['tel:+12025550143', 'Contact: <tel:+12025550143>', 'tel:+12025550143'],
    ['Müller <sip:+12025550143@pbx.test>', 'Contact: ACME, Inc. <sip:c@7pbx>', 'sip:c@7pbx'],
  ])('calls as %s, is answered, and hung up on where it wants to be reached', async (from, contact, target) => {
    const { pbx } = at();
    await at().isReady();
    const dialog = PbxDialog.ofOurs(pbx, 'call', from);
    pbx.invite([contact], 'call', { from });
    await eventually(() =>
      expect(at().told).toContainEqual(['incoming', expect.objectContaining({ phoneNumber: '+12025550143' })]),
    );
    at().call?.answer();
    const ok = await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/);
    dialog.acknowledge(ok);
    await at().tells('connected');
    expect(at().dialog?.callId).toBe('call');
    at().call?.hangUp();
    const bye = await pbx.hears(/^BYE /);
    expect(bye.split(' ')[1]).toBe(target);
    expect(bye).toContain(`To: <${/<([^>]*)>/.exec(from)?.[1] ?? from}>;tag=caller`);
    expect(pbx.told.join()).not.toContain('as-written');
  });

  it.each(['Contact: <sip:c@1af019b2ba08>', 'Contact: ???'])(
    'answers a dial with “%s”, and is acknowledged',
    async (contact) => {
      const { pbx } = at();
      await at().isReady();
      at().dial();
      const invite = await pbx.hears(/^INVITE /);
      pbx.answer(invite, '200 OK', sdp, [contact]);
      await at().tells('connected');
      expect(await pbx.hears(/^ACK /)).toMatch(
        contact.includes('?') ? /^ACK sip:\+15551230001@pbx\.test / : /^ACK sip:c@1af019b2ba08 /,
      );
    },
  );

  it.each(['Contact: ???', 'Contact: <sip:ring@pbx.test>'])(
    'rings with “%s” and answers from elsewhere: it is acknowledged, and hung up on, where the answer says',
    async (contact) => {
      const { pbx } = at();
      await at().isReady();
      at().dial();
      const invite = await pbx.hears(/^INVITE /);
      pbx.answer(invite, '180 Ringing', '', [contact]);
      await at().tells('rings', false);
      pbx.answer(invite, '200 OK', sdp, ['Contact: <sip:customer@203.0.113.9:5090>']);
      await at().tells('connected');
      expect(await pbx.hears(/^ACK /)).toMatch(/^ACK sip:customer@203\.0\.113\.9:5090 /);
      at().call?.hangUp();
      expect(await pbx.hears(/^BYE /)).toMatch(/^BYE sip:customer@203\.0\.113\.9:5090 /);
    },
  );

  it('says what nobody can read: it is answered 400, and the agent is told', async () => {
    const { pbx } = at();
    await at().isReady();
    pbx.invite([], 'call', { from: 'nobody' });
    expect(await pbx.hears(/^SIP\/2\.0 400 /)).toContain('From: nobody;tag=caller');
    await at().tells('problem', { code: 'message_unread', what: 'from' });
  });
});

describe('a PBX that speaks in binary frames', () => {
  it('calls, and is answered', async () => {
    at().pbx.isBinary = true;
    await at().answers();
  });
});

/** The line breaks, and the phone registers anew, to be answered by the test. */
async function registersAnew(): Promise<string> {
  const { pbx } = at();
  await at().isReady();
  pbx.holdRegistrations();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  const { length } = pbx.told;
  pbx.cut();
  await eventually(() => at().phone.line.state === 'unavailable');
  return pbx.hearsInTime(/^REGISTER /, length);
}

describe('a registration', () => {
  it.each([
    'Contact: <sip:1002@203.0.113.9:5090>;expires=90',
    'Expires: 60',
    'Contact: <sip:1002@1af019b2ba08>;expires=90',
  ])('that is accepted with “%s” is one, and renewed in time', async (granted) => {
    const { pbx } = at();
    const request = await registersAnew();
    const kept = request.split('\r\n').filter((line) => /^(?:via|from|to|call-id|cseq):/i.test(line));
    pbx.say(['SIP/2.0 200 OK', ...kept, granted, 'Content-Length: 0', '', '']);
    await eventually(() => at().phone.line.state === 'ready');
    const { length } = pbx.told;
    pbx.register(await pbx.hearsInTime(/^REGISTER /, length));
    expect(at().phone.line.state).toBe('ready');
  });

  it.each(['100 Trying', null])(
    'that is answered %s, and nothing else, is told to the agent within 30 s and tried over another line',
    async (status) => {
      const { pbx } = at();
      const request = await registersAnew();
      if (status !== null) pbx.answer(request, status);
      const { length } = pbx.told;
      const again = pbx.isReached();
      await vi.advanceTimersByTimeAsync(25_000);
      await again;
      expect(at().phone.line).toMatchObject({ state: 'unavailable', retrying: true });
      pbx.register(await pbx.hearsInTime(/^REGISTER /, length));
      await eventually(() => at().phone.line.state === 'ready');
    },
  );

  it('that is too brief again and again is refused in words', async () => {
    const { pbx } = at();
    let request = await registersAnew();
    for (let times = 0; times < 3; times += 1) {
      const { length } = pbx.told;
      pbx.answer(request, '423 Interval Too Brief', '', ['Min-Expires: 300']);
      if (times < 2) request = await pbx.hears(/^REGISTER /, length);
    }
    await eventually(() => expect(at().phone.line).toMatchObject({ why: 'registration_refused_with', sipCode: 423 }));
  });

  it('is proved by SHA-256 where that is asked for beside MD5, in any order, and so is a call', async () => {
    const { pbx, phone } = at();
    let request = await registersAnew();
    const [md5, sha] = ['MD5', 'SHA-256'].map(
      (algorithm) => `WWW-Authenticate: Digest realm="pbx", nonce="n", algorithm=${algorithm}, qop="auth"`,
    );
    const before = pbx.told.length;
    pbx.answer(request, '401 Unauthorized', '', [sha!, md5!]);
    request = await pbx.hears(/^REGISTER /, before);
    expect(isProof(request, 'Authorization')).toBe(true);
    pbx.register(request);
    await eventually(() => phone.line.state === 'ready');
    at().dial();
    const invite = await pbx.hears(/^INVITE /);
    pbx.answer(invite, '407 Proxy Authentication Required', '', [
      'Proxy-Authenticate: Digest realm="another", nonce="n2", algorithm=SHA-256, qop="auth"',
    ]);
    expect(isProof(await pbx.hears(/^INVITE [^]*Proxy-Authorization/), 'Proxy-Authorization')).toBe(true);
  });

  it('that is to be proved in a way that is not known is told by its name', async () => {
    const { pbx } = at();
    pbx.answer(await registersAnew(), '401 Unauthorized', '', [
      'WWW-Authenticate: Digest realm="pbx", nonce="n", algorithm=SHA-512-256, qop="auth"',
    ]);
    await eventually(() => expect(at().phone.line).toMatchObject({ why: 'digest_unknown', asked: 'SHA-512-256' }));
  });
});

/** Whether a request proves by SHA-256 that whoever sends it knows the secret. */
function isProof(request: string, header: string): boolean {
  const said = headerOf(request, header);
  const part = (name: string) => new RegExp(`${name}="?([^",]*)`).exec(said)?.[1] ?? '';
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const a2 = sha(`${request.split(' ', 1)[0] ?? ''}:${part('uri')}`);
  return (
    part('response') ===
    sha([sha(`ada:${part('realm')}:secret`), part('nonce'), part('nc'), part('cnonce'), 'auth', a2].join(':'))
  );
}
