import { describe, expect, it, vi } from 'vitest';
import { headerOf } from '../../../../support/sip/scriptedPbx.ts';
import { going, useScriptedPhone, wayOf } from '../../../../support/sip/scriptedPhone.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();

/** The agent calls; the other side agrees upon a session. @returns the INVITE */
async function agreesUpon(session: string[], headers: string[] = []): Promise<string> {
  const { pbx } = at();
  await at().isReady();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  at().dial();
  const invite = await pbx.hears(/^INVITE /);
  pbx.answer(invite, '200 OK', going('sendrecv'), [...session, ...headers]);
  await at().tells('connected');
  return invite;
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
/** The telephone has heard all that was said to it so far. */
const hasHeard = (invite: string) => at().dialogOf(invite).ask('INFO');
const hasEnded = () => at().told.filter(([event]) => event === 'ended');

describe('the timer of a session', () => {
  it('is offered, and asks by an UPDATE at half of the time, again and again', async () => {
    const { pbx } = at();
    const invite = await agreesUpon(['Session-Expires: 180;refresher=uac']);
    expect(headerOf(invite, 'Session-Expires')).toBe('120');
    expect(headerOf(invite, 'Supported')).toContain('timer');
    for (let times = 0; times < 2; times++) {
      const before = pbx.told.length;
      await pass(91);
      const update = await pbx.hears(/^UPDATE /, before);
      expect(headerOf(update, 'Session-Expires')).toBe('180;refresher=uac');
      expect(headerOf(update, 'Content-Length')).toBe('0');
      pbx.answer(update, '200 OK', '', ['Session-Expires: 180;refresher=uac']);
      await hasHeard(invite);
    }
    expect(at().told).toEqual([['placed', expect.any(String)], ['connected']]);
  });

  it('is longer where the network wants that (422), in the same call', async () => {
    const { pbx } = at();
    await at().isReady();
    at().dial();
    const first = await pbx.hears(/^INVITE /);
    const before = pbx.told.length;
    pbx.answer(first, '422 Session Interval Too Small', '', ['Min-SE: 600']);
    const second = await pbx.hears(/^INVITE /, before);
    expect([headerOf(second, 'Session-Expires'), headerOf(second, 'Min-SE')]).toEqual(['600', '600']);
    expect(headerOf(second, 'Call-ID')).toBe(headerOf(first, 'Call-ID'));
    expect(Number.parseInt(headerOf(second, 'CSeq'))).toBe(Number.parseInt(headerOf(first, 'CSeq')) + 1);
    pbx.answer(second, '200 OK', going('sendrecv'), ['Session-Expires: 600;refresher=uac']);
    await at().tells('connected');
  });

  it('asks by an INVITE where the other side takes no UPDATE, and a call on hold stays so', async () => {
    const { pbx } = at();
    await agreesUpon(['Session-Expires: 180;refresher=uac'], ['Allow: INVITE,ACK,BYE,CANCEL']);
    let before = pbx.told.length;
    at().call?.setHeld(true);
    pbx.answer(await pbx.hears(/^INVITE /, before), '200 OK', going('recvonly'), [
      'Session-Expires: 180;refresher=uac',
    ]);
    await at().tells('held', true);
    before = pbx.told.length;
    await pass(91);
    const again = await pbx.hears(/^INVITE /, before);
    expect(wayOf(again)).toBe('sendonly');
    pbx.answer(again, '488 Not Acceptable Here');
    await pbx.hears(/^ACK /, before);
    expect(at().dialog).toMatchObject({ isHeld: true });
    expect(hasEnded()).toEqual([]);
  });

  it('ends a call of which the other side knows nothing any more', async () => {
    const { pbx } = at();
    await agreesUpon(['Session-Expires: 180;refresher=uac']);
    await pass(91);
    pbx.answer(await pbx.hears(/^UPDATE /), '481 Call Does Not Exist');
    await eventually(() => expect(hasEnded()).toEqual([['ended', expect.objectContaining({ reason: 'failed' })]]));
  });

  it('ends a call whose other side answers nothing, asked twice', async () => {
    const { pbx } = at();
    const invite = await agreesUpon(['Session-Expires: 180;refresher=uac']);
    await pass(91);
    await pbx.hears(/^UPDATE /);
    await hasHeard(invite);
    const before = pbx.told.length;
    await pass(32);
    await pbx.hears(/^UPDATE /, before);
    await hasHeard(invite);
    expect(hasEnded()).toEqual([]);
    await pass(33);
    await pbx.hears(/^BYE /);
    expect(hasEnded()).toHaveLength(1);
  });

  it('finds out that the line is dead, and asks over the one after it', async () => {
    const { pbx } = at();
    await agreesUpon(['Session-Expires: 180;refresher=uac']);
    pbx.die();
    const before = pbx.told.length;
    await pass(91);
    const update = await pbx.hearsInTime(/^UPDATE /, before);
    pbx.answer(update, '200 OK', '', ['Session-Expires: 180;refresher=uac']);
    expect(hasEnded()).toEqual([]);
  });

  it.each([
    { refusals: ['403 Forbidden'], next: 'INVITE' },
    { refusals: ['415 Unsupported Media Type'], next: 'INVITE' },
    { refusals: ['488 Not Acceptable Here'], next: 'INVITE' },
    { refusals: ['500 Server Error', '500 Server Error'], next: 'INVITE' },
    { refusals: ['491 Request Pending', '491 Request Pending'], next: 'UPDATE' },
  ])('asks again by $next after an UPDATE was refused with $refusals', async ({ refusals, next }) => {
    const { pbx } = at();
    const invite = await agreesUpon(['Session-Expires: 180;refresher=uac']);
    let before = pbx.told.length;
    await pass(91);
    for (const status of refusals) {
      const update = await pbx.hears(/^UPDATE /, before);
      before = pbx.told.length;
      pbx.answer(update, status);
      await hasHeard(invite);
      await pass(5);
    }
    await pbx.hears(new RegExp(`^${next} `), before);
    expect(hasEnded()).toEqual([]);
  });

  it('asks no more once another page shall take the call over', async () => {
    await agreesUpon(['Session-Expires: 180;refresher=uac']);
    at().phone.abandon();
    await pass(120);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves the line of a telephone that is called no more as it is', async () => {
    const { pbx, phone } = at();
    const invite = await agreesUpon(['Session-Expires: 180;refresher=uac']);
    phone.withdraw();
    const comesAgain = vi.fn<() => void>();
    void pbx.isReached().then(comesAgain);
    await pass(91);
    pbx.answer(await pbx.hears(/^UPDATE /), '200 OK', '', ['Session-Expires: 180;refresher=uac']);
    await hasHeard(invite);
    await pass(10);
    await hasHeard(invite);
    expect(comesAgain).not.toHaveBeenCalled();
  });

  it('lets a call go on while the line is away, and asks when it is back', async () => {
    const { pbx } = at();
    await agreesUpon(['Session-Expires: 180;refresher=uac']);
    pbx.cut();
    await pbx.isLeft();
    const before = pbx.told.length;
    await pass(91);
    await pass(120);
    expect(hasEnded()).toEqual([]);
    const update = await pbx.hearsInTime(/^UPDATE /, before);
    pbx.answer(update, '200 OK', '', ['Session-Expires: 180;refresher=uac']);
    expect(hasEnded()).toEqual([]);
  });

  it('is the other side’s where that wants it, and asks itself before it would be over', async () => {
    const { pbx } = at();
    await agreesUpon(['Session-Expires: 180;refresher=uas']);
    await pass(140);
    expect(pbx.told.some((text) => text.startsWith('UPDATE '))).toBe(false);
    await pass(10);
    expect(headerOf(await pbx.hears(/^UPDATE /), 'Session-Expires')).toBe('180;refresher=uas');
  });

  it('is agreed upon with who calls, and nobody may ask for too short a one', async () => {
    const dialog = await at().answers();
    const answer = await dialog.ask('UPDATE', ['Supported: timer', 'Session-Expires: 120']);
    expect([headerOf(answer, 'Session-Expires'), headerOf(answer, 'Require')]).toEqual(['120;refresher=uac', 'timer']);
    const refusal = await dialog.ask('UPDATE', ['Supported: timer', 'Session-Expires: 5']);
    expect(refusal).toMatch(/^SIP\/2\.0 422 /);
    expect(headerOf(refusal, 'Min-SE')).toBe('90');
  });
});

describe('a hold while the timer asks by an INVITE', () => {
  async function asks(): Promise<string> {
    const { pbx } = at();
    await agreesUpon(['Session-Expires: 180;refresher=uac'], ['Allow: INVITE,ACK,BYE,CANCEL']);
    const before = pbx.told.length;
    await pass(91);
    return pbx.hears(/^INVITE /, before);
  }

  it('is one for the microphone at once, and is offered next', async () => {
    const { pbx } = at();
    const first = await asks();
    at().call?.setHeld(true);
    expect(at().dialog).toMatchObject({ isHeld: true });
    const before = pbx.told.length;
    pbx.answer(first, '200 OK', going('sendrecv'), ['Session-Expires: 180;refresher=uac']);
    const second = await pbx.hearsInTime(/^INVITE /, before);
    expect(wayOf(second)).toBe('sendonly');
    pbx.answer(second, '200 OK', going('recvonly'));
    await at().tells('held', true);
    expect(at().told.filter(([event]) => event === 'problem')).toEqual([]);
  });

  it('is given up where that INVITE is not answered', async () => {
    await asks();
    at().call?.setHeld(true);
    await pass(6);
    await at().tells('held', false);
    expect(at().dialog).toMatchObject({ isHeld: false });
  });

  it('that is taken back meanwhile leaves the call as it was', async () => {
    const { pbx } = at();
    const first = await asks();
    at().call?.setHeld(true);
    at().call?.setHeld(false);
    const before = pbx.told.length;
    pbx.answer(first, '200 OK', going('sendrecv'), ['Session-Expires: 180;refresher=uac']);
    const second = await pbx.hearsInTime(/^INVITE /, before);
    expect(wayOf(second)).toBe('sendrecv');
    pbx.answer(second, '200 OK', going('sendrecv'));
    await at().tells('held', false);
  });
});
