import { describe, expect, it } from 'vitest';
import { sdp } from '../../../../support/sip/mutePeer.ts';
import { headerOf } from '../../../../support/sip/scriptedPbx.ts';
import { useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();

/** The INVITEs so far, in order. */
function invites(): string[] {
  return at().pbx.told.filter((text) => text.startsWith('INVITE '));
}

/** The next INVITE but so many. */
function invite(before: number): Promise<string> {
  return eventually(() => {
    const found = invites()[before];
    if (found === undefined) throw new Error(`there are ${String(invites().length)} INVITEs`);
    return found;
  });
}

async function dials(): Promise<string> {
  await at().isReady();
  at().dial();
  return invite(0);
}

function redirect(request: string, ...contacts: string[]): void {
  at().pbx.answer(
    request,
    '302 Moved Temporarily',
    '',
    contacts.map((contact) => `Contact: ${contact}`),
  );
}

function target(request: string): string {
  return request.split(' ')[1]!;
}

async function end(): Promise<object> {
  return eventually(() => {
    const found = at().told.find(([event]) => event === 'ended');
    if (found === undefined) throw new Error('not ended');
    return found[1] as object;
  });
}

describe('a dial that is redirected', () => {
  it.each([
    ['<sip:1002@pbx.test;transport=ws>', 'sip:1002@pbx.test;transport=ws'],
    ['<sip:1002@PBX.test>', 'sip:1002@pbx.test'],
    ['<sip:1002@127.0.0.1:5060>', 'sip:1002@127.0.0.1:5060'],
    ['<tel:+1-202-555-0143>', 'sip:+12025550143@pbx.test'],
    ['<tel:1002;phone-context=pbx.test>', 'sip:1002@pbx.test'],
    ['<sip:+12025550143@carrier.example;user=phone>', 'sip:+12025550143@pbx.test'],
    ['ACME, Inc. <sip:1002@pbx.test>;q=0.5', 'sip:1002@pbx.test'],
    ['<sip:1002@pbx.test;method=INVITE?Subject=x&Replaces=y>', 'sip:1002@pbx.test'],
  ])('to %s is followed, as the same call', async (contact, asked) => {
    const first = await dials();
    redirect(first, contact);
    const second = await invite(1);
    expect(target(second)).toBe(asked);
    expect(headerOf(first, 'X-Readyline-Call-Id')).toBe('the-call');
    for (const name of ['Call-ID', 'From', 'To', 'X-Readyline-Call-Id']) {
      expect(headerOf(second, name)).toBe(headerOf(first, name));
    }
    expect(Number.parseInt(headerOf(second, 'CSeq'))).toBeGreaterThan(Number.parseInt(headerOf(first, 'CSeq')));
    expect(headerOf(second, 'Via')).not.toBe(headerOf(first, 'Via'));
    at().pbx.answer(second, '200 OK', sdp);
    await at().tells('connected');
    expect(at().dialog?.address).toBe(asked);
  });

  it.each([
    '300 Multiple Choices',
    '301 Moved Permanently',
    '305 Use Proxy',
    '380 Alternative Service',
    '399 Whatever',
  ])('by “%s” is followed', async (status) => {
    at().pbx.answer(await dials(), status, '', ['Contact: <sip:1002@pbx.test>']);
    expect(target(await invite(1))).toBe('sip:1002@pbx.test');
  });

  it('to several is followed to the best first, and to the next where that fails', async () => {
    redirect(await dials(), '<sip:last@pbx.test>;q=0.1, <sip:first@pbx.test>', '<sip:second@pbx.test>;q=0.7');
    for (const [index, user] of ['first', 'second', 'last'].entries()) {
      const asked = await invite(index + 1);
      expect(target(asked)).toBe(`sip:${user}@pbx.test`);
      at().pbx.answer(asked, '486 Busy Here');
    }
    expect(await end()).toEqual({ reason: 'busy', endedBy: 'customer', sipCode: 486 });
  });

  it('is over where somebody declines for everybody', async () => {
    redirect(await dials(), '<sip:first@pbx.test>', '<sip:second@pbx.test>');
    at().pbx.answer(await invite(1), '603 Decline');
    expect(await end()).toMatchObject({ reason: 'rejected', sipCode: 603 });
    expect(invites()).toHaveLength(2);
  });

  it('is over where the agent gives it up, whoever else could be asked', async () => {
    redirect(await dials(), '<sip:first@pbx.test>', '<sip:second@pbx.test>');
    const asked = await invite(1);
    at().pbx.answer(asked, '180 Ringing');
    await at().tells('rings', false);
    at().call?.hangUp();
    await at().pbx.hears(/^CANCEL sip:first@pbx\.test /);
    at().pbx.answer(asked, '487 Request Terminated');
    expect(await end()).toMatchObject({ reason: 'canceled' });
    await at().pbx.hears(/^ACK sip:first@pbx\.test /);
    expect(invites()).toHaveLength(2);
  });

  it('in circles asks nobody twice, and says so', async () => {
    redirect(await dials(), '<sip:1002@pbx.test>');
    redirect(await invite(1), '<sip:+15551230001@pbx.test;again=1>');
    expect(await end()).toEqual({ reason: 'failed', sipCode: 302, problem: { code: 'redirected_in_circles' } });
    expect(invites()).toHaveLength(2);
  });

  it('again and again is given up after five', async () => {
    redirect(await dials(), '<sip:hop1@pbx.test>');
    for (const hop of [1, 2, 3, 4, 5]) redirect(await invite(hop), `<sip:hop${String(hop + 1)}@pbx.test>`);
    expect(await end()).toMatchObject({ problem: { code: 'redirected_in_circles' } });
    expect(invites()).toHaveLength(6);
  });

  it.each([
    ['<sip:1002@elsewhere.example>', { code: 'redirected_elsewhere', where: 'sip:1002@elsewhere.example' }],
    ['<mailto:ada@pbx.test>', { code: 'redirected_elsewhere', where: 'mailto:ada@pbx.test' }],
    ['<sip:1002@pbx.test;method=MESSAGE>', { code: 'redirected_elsewhere', where: 'sip:1002@pbx.test;method=MESSAGE' }],
    ['???', { code: 'redirected_nowhere' }],
  ])('to %s is not followed, and the agent told why', async (contact, problem) => {
    redirect(await dials(), contact);
    expect(await end()).toEqual({ reason: 'failed', sipCode: 302, problem });
    expect(invites()).toHaveLength(1);
  });

  it('is followed to whom it may be, beside whom it may not', async () => {
    redirect(await dials(), '<sip:1002@elsewhere.example>;q=1', '<sip:1003@pbx.test>;q=0.2');
    expect(target(await invite(1))).toBe('sip:1003@pbx.test');
  });
});
