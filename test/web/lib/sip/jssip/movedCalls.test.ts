import { describe, expect, it } from 'vitest';
import type { Direction } from '../../../../../web/src/lib/sip/jssip/holding.ts';
import { going, useScriptedPhone, wayOf } from '../../../../support/sip/scriptedPhone.ts';
import { headerOf, PbxDialog } from '../../../../support/sip/scriptedPbx.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();

const offers: { theirs: Direction; isOwn: boolean; ours: Direction; isTheirs: boolean }[] = [
  { theirs: 'sendrecv', isOwn: false, ours: 'sendrecv', isTheirs: false },
  { theirs: 'sendonly', isOwn: false, ours: 'recvonly', isTheirs: true },
  { theirs: 'inactive', isOwn: false, ours: 'inactive', isTheirs: true },
  { theirs: 'sendrecv', isOwn: true, ours: 'sendonly', isTheirs: false },
  { theirs: 'sendonly', isOwn: true, ours: 'inactive', isTheirs: true },
  { theirs: 'inactive', isOwn: true, ours: 'inactive', isTheirs: true },
];

/** Puts the other side on hold, or takes it back. */
async function hold(
  isHeld: boolean,
  answer: (offer: string) => Direction = () => (isHeld ? 'recvonly' : 'sendrecv'),
): Promise<string> {
  const { pbx } = at();
  const before = pbx.told.length;
  at().call?.setHeld(isHeld);
  const offer = await pbx.hears(/^INVITE /, before);
  pbx.answer(offer, '200 OK', going(answer(offer)));
  await at().tells('held', isHeld);
  return offer;
}

describe('a hold by the other side', () => {
  it.each(offers)(
    'as $theirs is answered $ours where this side holds it: $isOwn',
    async ({ theirs, isOwn, ours, isTheirs }) => {
      const dialog = await at().answers();
      if (isOwn) expect(wayOf(await hold(true))).toBe('sendonly');
      const answer = await dialog.reinvite(going(theirs));
      expect(answer).toMatch(/^SIP\/2\.0 200 /);
      expect(wayOf(answer)).toBe(ours);
      expect(at().told.filter(([event]) => event === 'isHeldByOther')).toEqual(
        isTheirs ? [['isHeldByOther', true]] : [],
      );
      expect(at().dialog).toMatchObject({ isHeld: isOwn });
    },
  );

  it('is over as soon as it wants to hear the agent again', async () => {
    const dialog = await at().dials();
    await dialog.reinvite(going('sendonly'));
    await at().tells('isHeldByOther', true);
    expect(wayOf(await dialog.reinvite(going('sendrecv')))).toBe('sendrecv');
    await at().tells('isHeldByOther', false);
  });

  it('by an address to which nothing can be sent is one, too', async () => {
    const dialog = await at().dials();
    const answer = await dialog.reinvite(
      going('sendrecv').replace('IN IP4 127.0.0.1\r\na=candidate', 'IN IP4 0.0.0.0\r\na=candidate'),
    );
    expect(wayOf(answer)).toBe('recvonly');
    await at().tells('isHeldByOther', true);
  });

  it('and by this one at once ends at each side by itself', async () => {
    const dialog = await at().dials();
    await dialog.reinvite(going('sendonly'));
    expect(wayOf(await hold(true, () => 'inactive'))).toBe('inactive');
    expect(wayOf(await dialog.reinvite(going('sendrecv')))).toBe('sendonly');
    await at().tells('isHeldByOther', false);
    expect(wayOf(await hold(false))).toBe('sendrecv');
  });

  it('is heard of in the answer to an offer of this side', async () => {
    await at().dials();
    await hold(true);
    expect(wayOf(await hold(false, () => 'sendonly'))).toBe('sendrecv');
    await at().tells('isHeldByOther', true);
  });

  it('comes as an UPDATE, too', async () => {
    const dialog = await at().dials();
    const answer = await dialog.ask('UPDATE', [], going('sendonly'));
    expect(answer).toMatch(/^SIP\/2\.0 200 /);
    expect(wayOf(answer)).toBe('recvonly');
    await at().tells('isHeldByOther', true);
  });
});

describe('a hold', () => {
  it('is one though the network claims more in its answer than was offered', async () => {
    await at().dials();
    await hold(true, () => 'sendrecv');
    expect(at().told).not.toContainEqual(['isHeldByOther', true]);
    expect(at().dialog).toMatchObject({ isHeld: true });
  });

  it('that meets one of the other side is offered again, as it is right by then', async () => {
    const { pbx, told } = at();
    const dialog = await at().answers();
    at().call?.setHeld(true);
    const first = await pbx.hears(/^INVITE /m);
    // Theirs comes while ours is under way, and is refused; they refuse ours in turn, and are the first to try again.
    expect(await dialog.reinvite(going('sendonly'))).toMatch(/^SIP\/2\.0 491 /);
    const before = pbx.told.length;
    pbx.answer(first, '491 Request Pending');
    expect(wayOf(await dialog.reinvite(going('sendonly')))).toMatch(/inactive|recvonly/);
    const second = await pbx.hears(/^INVITE /m, before);
    expect(second).not.toContain(/^CSeq: .*/m.exec(first)![0]);
    expect(wayOf(second)).toBe('inactive');
    pbx.answer(second, '200 OK', going('inactive'));
    await at().tells('held', true);
    await at().tells('isHeldByOther', true);
    expect(told.filter(([event]) => event === 'ended' || event === 'problem')).toEqual([]);
  });

  it('that is refused leaves the call as it was', async () => {
    const { pbx } = at();
    const dialog = await at().answers();
    at().call?.setHeld(true);
    pbx.answer(await pbx.hears(/^INVITE /m), '488 Not Acceptable Here');
    await at().tells('held', false);
    expect(wayOf(await dialog.reinvite(going('sendrecv')))).toBe('sendrecv');
  });
});

describe('an UPDATE', () => {
  it('without an offer is answered, and moves where the other side is reached', async () => {
    const dialog = await at().dials();
    expect(await dialog.ask('UPDATE', ['Contact: <sip:elsewhere@pbx.test;transport=ws>'])).toMatch(/^SIP\/2\.0 200 /);
    at().call?.hangUp();
    await at().pbx.hears(/^BYE sip:elsewhere@pbx\.test/);
  });

  it('before the answer to the call is taken, and one with an offer is told to wait', async () => {
    const { pbx } = at();
    await at().isReady();
    at().dial();
    const invite = await pbx.hears(/^INVITE /);
    pbx.answer(invite, '180 Ringing');
    await at().tells('rings', false);
    const dialog = at().dialogOf(invite);
    expect(await dialog.ask('UPDATE')).toMatch(/^SIP\/2\.0 200 /);
    expect(await dialog.ask('UPDATE', [], going('sendrecv'))).toMatch(/^SIP\/2\.0 491 /);
  });
});

/** The other side of a call wants it to go on with 2002, and is told that it is tried. @returns the INVITE to 2002 */
async function referred(dialog: PbxDialog, to = 'sip:2002@pbx.test', headers: string[] = []): Promise<string> {
  const { pbx } = at();
  const before = pbx.told.length;
  expect(await dialog.ask('REFER', [`Refer-To: <${to}>`, ...headers])).toMatch(/^SIP\/2\.0 202 /);
  await notified(dialog, '100');
  return pbx.hears(/^INVITE sip:2002@/, before);
}

/** Waits until the one who referred is told that status, and says that it was heard. */
async function notified(dialog: PbxDialog, status: string): Promise<string> {
  const { pbx } = at();
  const notify = await pbx.hears(
    new RegExp(`^NOTIFY [^]*^Call-ID: ${dialog.callId}\r$[^]*\r\n\r\nSIP/2\\.0 ${status} `, 'm'),
  );
  pbx.answer(notify, '200 OK');
  return notify;
}

/** The second call is accepted, with a dialog of its own. */
function accept(invite: string): PbxDialog {
  at().pbx.answer(invite, '200 OK', going('sendrecv'));
  return at().dialogOf(invite);
}

const hasEnded = () => at().told.filter(([event]) => event === 'ended');

describe('a call that the other side refers to somebody else', () => {
  it('goes on with them as the same call, and the other side is told how far it is', async () => {
    const { pbx } = at();
    const dialog = await at().answers();
    const invite = await referred(dialog, 'sip:2002@pbx.test', ['Referred-By: <sip:boss@pbx.test>']);
    expect(invite).toContain('\r\nReferred-By: <sip:boss@pbx.test>\r\n');
    await at().tells('moved', 'begun', '2002');
    pbx.answer(invite, '180 Ringing');
    expect(await notified(dialog, '180')).toMatch(/^Subscription-State: active/m);
    accept(invite);
    expect(await notified(dialog, '200')).toMatch(/^Subscription-State: terminated/m);
    await at().tells('moved', 'done', '2002');
    expect(at().dialog).toMatchObject({ callId: headerOf(invite, 'Call-ID') });
    expect(await dialog.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    expect(hasEnded()).toEqual([]);
    expect(at().told.filter(([event]) => event === 'connected' || event === 'incoming')).toHaveLength(2);
    at().call?.hangUp();
    await pbx.hears(new RegExp(`^BYE [^]*^Call-ID: ${headerOf(invite, 'Call-ID')}`, 'm'));
    await at().tells('ended', { reason: 'completed', endedBy: 'agent' });
    expect(hasEnded()).toHaveLength(1);
  });

  it('goes on though the other side hangs up as soon as it has asked for it', async () => {
    const dialog = await at().dials();
    const invite = await referred(dialog);
    expect(await dialog.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    accept(invite);
    await at().tells('moved', 'done', '2002');
    expect(hasEnded()).toEqual([]);
    expect(at().dialog).toMatchObject({ callId: headerOf(invite, 'Call-ID') });
  });

  it('goes on as before with the other side where the other one does not answer', async () => {
    const { pbx } = at();
    const dialog = await at().dials();
    pbx.answer(await referred(dialog), '486 Busy Here');
    expect(await notified(dialog, '486')).toMatch(/^Subscription-State: terminated/m);
    await at().tells('moved', 'failed', '2002');
    expect(at().dialog).toMatchObject({ callId: dialog.callId });
    expect(wayOf(await dialog.reinvite(going('sendonly')))).toBe('recvonly');
    expect(hasEnded()).toEqual([]);
    // It may be asked for again.
    accept(await referred(dialog, 'sip:2002@pbx.test;user=phone'));
    await at().tells('moved', 'done', '2002');
  });

  it('has ended where neither is there any more, and the agent is told why', async () => {
    const dialog = await at().dials();
    const invite = await referred(dialog);
    await dialog.ask('BYE');
    at().pbx.answer(invite, '480 Temporarily Unavailable');
    await eventually(() =>
      expect(hasEnded()).toEqual([
        [
          'ended',
          expect.objectContaining({
            reason: 'completed',
            endedBy: 'customer',
            problem: { code: 'transfer_unanswered', who: '2002' },
          }),
        ],
      ]),
    );
  });

  it('takes the place of somebody’s call where that was asked for', async () => {
    const replaces = 'Replaces=other%40pbx.test%3Bto-tag%3Dtheirs%3Bfrom-tag%3Down';
    const invite = await referred(await at().dials(), `sip:2002@pbx.test?${replaces}&Subject=more`);
    expect(invite).toMatch(/^INVITE sip:2002@pbx\.test SIP/);
    expect(headerOf(invite, 'Replaces')).toBe('other@pbx.test;to-tag=theirs;from-tag=own');
    expect(invite).not.toContain('Subject');
  });

  it('is muted and on hold as it was', async () => {
    const { pbx, phone } = at();
    const dialog = await at().dials();
    at().call?.setMuted(true);
    await hold(true);
    const kept: unknown[] = [];
    phone.on('call', (_key, event) => {
      if (event.type === 'moved' && event.step === 'done') kept.push(at().dialog);
    });
    const second = accept(await referred(dialog));
    const again = await pbx.hears(new RegExp(`^INVITE [^]*;tag=pbx[^]*^Call-ID: ${second.callId}`, 'm'));
    expect(wayOf(again)).toBe('sendonly');
    pbx.answer(again, '200 OK', going('recvonly'));
    expect(at().dialog).toMatchObject({ isMuted: true, isHeld: true });
    // Kept for a page that is loaded anew in that moment.
    expect(kept).toEqual([expect.objectContaining({ callId: second.callId, isMuted: true, isHeld: true })]);
  });

  it('is muted as the agent wants it between the one who has hung up and the next, and is not held there', async () => {
    const dialog = await at().dials();
    const invite = await referred(dialog);
    expect(await dialog.ask('BYE')).toMatch(/^SIP\/2\.0 200 /);
    at().call?.setMuted(true);
    await at().tells('muted', true);
    at().call?.setHeld(true);
    at().call?.sendDtmf('1');
    await at().tells('held', false);
    expect(at().told.filter(([event]) => event === 'problem')).toEqual(
      Array(2).fill(['problem', { code: 'between_calls' }]),
    );
    accept(invite);
    await at().tells('moved', 'done', '2002');
    expect(at().dialog).toMatchObject({ callId: headerOf(invite, 'Call-ID'), isMuted: true, isHeld: false });
  });

  it('is over when the agent hangs up meanwhile, and nobody is rung any more', async () => {
    const { pbx } = at();
    const dialog = await at().dials();
    const invite = await referred(dialog);
    pbx.answer(invite, '180 Ringing');
    await notified(dialog, '180');
    at().call?.hangUp();
    await pbx.hears(/^BYE /);
    await pbx.hears(/^CANCEL sip:2002@/);
    expect(hasEnded()).toEqual([['ended', { reason: 'completed', endedBy: 'agent' }]]);
  });

  it.each([
    { refer: ['Refer-To: <tel:+15551230009>'], code: 416 },
    { refer: ['Refer-To: <https://pbx.test/>'], code: 416 },
    { refer: ['Refer-To: <sip:+19005550000@elsewhere.test>'], code: 403 },
    { refer: ['Refer-To: <sip:2002@pbx.test;method=BYE>'], code: 403 },
    { refer: ['Refer-To: <sip:2002@pbx.test?Replaces=a%0D%0AX-Evil:%20b%3Bto-tag%3D1%3Bfrom-tag%3D2>'], code: 403 },
    { refer: ['Refer-To: nobody knows'], code: 400 },
    { refer: [], code: 400 },
  ])('is not where that is no call in the telephone network: $refer', async ({ refer, code }) => {
    const dialog = await at().dials();
    expect(await dialog.ask('REFER', refer)).toMatch(new RegExp(`^SIP/2\\.0 ${code} `));
    expect(at().pbx.told.filter((text) => text.startsWith('INVITE '))).toHaveLength(1);
    expect(at().told).toEqual([['placed', expect.any(String)], ['connected']]);
  });

  it('is by those alone who are in the call, and once at a time', async () => {
    const { pbx } = at();
    const dialog = await at().dials();
    await referred(dialog);
    expect(await dialog.ask('REFER', ['Refer-To: <sip:2003@pbx.test>'])).toMatch(/^SIP\/2\.0 491 /);
    const stranger = PbxDialog.ofOurs(pbx, 'stranger');
    expect(await stranger.ask('REFER', ['Refer-To: <sip:2003@pbx.test>'])).toMatch(/^SIP\/2\.0 403 /);
    expect(pbx.told.some((text) => text.startsWith('INVITE sip:2003@'))).toBe(false);
  });
});

describe('a call whose place another one takes', () => {
  const replacing = (dialog: PbxDialog, more = '') =>
    at().pbx.invite(
      [`Replaces: ${dialog.callId};to-tag=${dialog.theirTag};from-tag=${dialog.ownTag}${more}`, 'Require: replaces'],
      'second',
    );
  const answerOf = (callId: string) =>
    at().pbx.hears(new RegExp(`^SIP/2\\.0 [2-6][^]*^Call-ID: ${callId}\r$[^]*^CSeq: 1 INVITE`, 'm'));

  it.each(['dials', 'answers'] as const)('goes on there at once, without a ring: the agent %s', async (begun) => {
    const { pbx } = at();
    const dialog = await at()[begun]();
    at().call?.setMuted(true);
    replacing(dialog);
    const answer = await answerOf('second');
    expect(answer).toMatch(/^SIP\/2\.0 200 /);
    const second = PbxDialog.ofOurs(pbx, 'second');
    second.acknowledge(answer);
    pbx.answer(await pbx.hears(new RegExp(`^BYE [^]*^Call-ID: ${dialog.callId}`, 'm')), '200 OK');
    await at().tells('moved', 'done', '+15551230001');
    expect(at().dialog).toMatchObject({ callId: 'second', isMuted: true });
    expect(pbx.told.some((text) => text.startsWith('SIP/2.0 180 ') && text.includes('Call-ID: second'))).toBe(false);
    expect(hasEnded()).toEqual([]);
    await second.ask('BYE');
    await at().tells('ended', { reason: 'completed', endedBy: 'customer' });
    expect(at().told.filter(([event]) => event === 'incoming')).toHaveLength(begun === 'answers' ? 1 : 0);
  });

  it.each([
    { code: 422, headers: ['Session-Expires: 30'], type: 'application/sdp' },
    { code: 415, headers: [], type: 'text/plain' },
  ])('may be taken again after an INVITE that was refused ($code)', async ({ code, headers, type }) => {
    const dialog = await at().dials();
    const replaces = [
      `Replaces: ${dialog.callId};to-tag=${dialog.theirTag};from-tag=${dialog.ownTag}`,
      'Require: replaces',
    ];
    at().pbx.invite([...replaces, ...headers], 'first', { type });
    expect(await answerOf('first')).toMatch(new RegExp(`^SIP/2\\.0 ${code} `));
    at().pbx.invite(replaces, 'second');
    expect(await answerOf('second')).toMatch(/^SIP\/2\.0 200 /);
    await at().tells('moved', 'done', '+15551230001');
  });

  it('that rings at the customer’s is answered by whoever takes the place', async () => {
    const { pbx } = at();
    await at().isReady();
    at().dial();
    const invite = await pbx.hears(/^INVITE /);
    pbx.answer(invite, '180 Ringing');
    await at().tells('rings', false);
    replacing(at().dialogOf(invite), ';early-only');
    PbxDialog.ofOurs(pbx, 'second').acknowledge(await answerOf('second'));
    await pbx.hears(/^CANCEL /);
    await at().tells('connected');
    expect(at().dialog).toMatchObject({ callId: 'second' });
    expect(hasEnded()).toEqual([]);
  });

  it.each([
    { what: 'that is not there', replaces: 'nowhere;to-tag=a;from-tag=b', code: 481 },
    { what: 'by the wrong ends', replaces: null, code: 481 },
    { what: 'that was to be one that only rings', replaces: ';early-only', code: 486 },
  ])('is no call $what', async ({ replaces, code }) => {
    const dialog = await at().answers();
    if (replaces === ';early-only') {
      replacing(dialog, replaces);
    } else {
      at().pbx.invite(
        [`Replaces: ${replaces ?? `${dialog.callId};to-tag=${dialog.ownTag};from-tag=${dialog.theirTag}`}`],
        'second',
      );
    }
    expect(await answerOf('second')).toMatch(new RegExp(`^SIP/2\\.0 ${code} `));
    expect(at().dialog).toMatchObject({ callId: dialog.callId });
  });
});

describe('a telephone', () => {
  it('advertises what it does, and nothing else', async () => {
    await at().dials();
    const allowed = headerOf(await at().pbx.hears(/^INVITE /), 'Allow').split(',');
    expect(allowed.toSorted()).toEqual([
      'ACK',
      'BYE',
      'CANCEL',
      'INFO',
      'INVITE',
      'NOTIFY',
      'OPTIONS',
      'REFER',
      'UPDATE',
    ]);
  });
});
