import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import type { Profile } from '../../support/browser/chromium.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../../support/gateway/gateway.ts';
import { putTelephony } from '../../support/gateway/telephony.ts';
import { openCallLab, recordedEnd, type CallLab } from './callRoom.ts';
import { toneFile } from './tones.ts';
import { eventually } from '../../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let agents = 0;

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'calls', wrapUpSeconds: 600 });
});
afterAll(() => gateway.close());

const browser = useBrowser({ flags: [`--use-file-for-fake-audio-capture=${toneFile(1_000)}`] });

type Seat = { agent: TestAgent; profile: Profile; lab: CallLab };

/** One more agent at the telephone, in a browser of their own. */
async function atThePhone(employer = company): Promise<Seat> {
  const agent = await gateway.agent(employer, `agent${agents++}`);
  const profile = await browser.profile({ context: { bypassCSP: true } });
  return { agent, profile, lab: await openCallLab(profile, gateway, agent) };
}

/** A customer calls an agent. Resolves with what became of it. */
function ring({ agent }: Seat, from = '+15551230001') {
  return gateway.as(company).post('/demo/ring').send({ agent_code: agent.agentCode, from, name: 'Grace Hopper' });
}

/** In hertz: the agent by themselves, and by a number of the carrier's that answers an octave higher. */
const says = { first: 1_000, second: 2_000 };

/** As fast as they can be pressed. */
function dialTones(lab: CallLab, tones: string): Promise<void> {
  return lab.page.evaluate((all) => {
    for (const tone of all) window.lab.workplace.sendDtmf(tone);
  }, tones);
}

describe('the audio of a call', () => {
  it('goes out and comes back at its frequency', async () => {
    const { lab } = await atThePhone();
    await lab.dial('+15551230001');
    await lab.isConnected();
    expect(await lab.hears()).toBeCloseTo(1_000, -2);
    const carried = await lab.page.evaluate(() => window.lab.carried());
    expect(carried!.sent).toBeGreaterThan(0);
    expect(carried!.received).toBeGreaterThan(0);
  });

  it('is measured, and how good it was stays with the call', { tags: 'full' }, async () => {
    const { lab } = await atThePhone();
    const { id } = await lab.dial('+15551230001');
    await lab.isConnected();
    const { voiceQuality } = await lab.sees('how good the sound is', (view) => view.voiceQuality !== null);
    expect(voiceQuality).toMatchObject({ level: 'good' });
    await lab.press('hangUp');
    const { quality } = await recordedEnd(gateway, company, id);
    expect(quality).toMatchObject({ loss_percent: 0, jitter_ms: expect.any(Number) });
    expect(quality?.mos).toBeGreaterThan(4);
  });

  it('is silent while muted, and while the call is held, over reloads too', async () => {
    const { lab } = await atThePhone();
    const { id } = await lab.dial('+15551230001');
    await lab.isConnected();
    await lab.hears();
    await lab.page.evaluate(() => window.lab.workplace.setMuted(true));
    await lab.sees('that it is muted', ({ isMuted }) => isMuted);
    await lab.hearsNothing();
    await lab.page.reload();
    await lab.isConnected();
    await lab.sees('that it is muted still', ({ isMuted }) => isMuted);
    await lab.hearsNothing();
    await lab.page.evaluate(() => window.lab.workplace.setMuted(false));
    expect(await lab.hears()).toBeCloseTo(1_000, -2);
    await lab.page.evaluate(() => window.lab.workplace.setHeld(true));
    await lab.sees('a held call', ({ isHeld, call }) => isHeld && call?.state === 'held');
    await lab.receivesNothing();
    await lab.page.reload();
    await lab.sees('a call that is fetched', ({ call, isRecovering }) => call !== null && !isRecovering);
    await lab.sees('a held call', ({ isHeld, call, isMuted }) => isHeld && !isMuted && call?.state === 'held');
    await lab.receivesNothing();
    await lab.page.evaluate(() => window.lab.workplace.setHeld(false));
    await lab.sees('a call that goes on', ({ isHeld, call }) => !isHeld && call?.state === 'connected');
    expect(await lab.hears()).toBeCloseTo(1_000, -2);
    await lab.press('hangUp');
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
  });

  it('dials a row of tones in its own stream, in order, at the pace of a telephone', { tags: 'full' }, async () => {
    const { lab } = await atThePhone();
    await lab.dial('+15551230001');
    await lab.isConnected();
    await lab.hears();
    await dialTones(lab, '123456789*0#');
    await lab.played('123456789*0#');
    expect(await lab.page.evaluate(() => window.lab.tones.pace())).toEqual(['100/70']);
  });

  it(
    'hangs up when the tones that were dialed have gone out, and says nothing meanwhile',
    { tags: 'full' },
    async () => {
      const { lab } = await atThePhone();
      const { id } = await lab.dial('+15551230001');
      await lab.isConnected();
      await lab.hears();
      await dialTones(lab, '4711');
      await lab.press('hangUp');
      expect(await lab.page.evaluate(() => window.lab.microphone.heard())).toBe(0);
      expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
      await lab.played('4711');
    },
  );

  it('says which tones were cut by hanging up, and is not kept for long by them', { tags: 'full' }, async () => {
    const { lab } = await atThePhone();
    const { id } = await lab.dial('+15551230001');
    await lab.isConnected();
    await lab.hears();
    const all = '1234567890'.repeat(10);
    await dialTones(lab, all);
    await lab.press('hangUp');
    const { notice } = await lab.sees('what was cut', (view) => view.notice?.message.code === 'tones_unsent');
    const played = await lab.page.evaluate(() => window.lab.tones.played());
    const unsent = notice?.message.code === 'tones_unsent' ? notice.message.tones : '';
    expect(`${played}${unsent}`).toBe(all);
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
  });

  it('hangs up at once when it is asked twice, whatever tones there are', { tags: 'full' }, async () => {
    const { lab } = await atThePhone();
    const { id } = await lab.dial('+15551230001');
    await lab.isConnected();
    await lab.hears();
    await dialTones(lab, '1234567890');
    const state = await lab.page.evaluate(() => {
      window.lab.workplace.hangUp();
      window.lab.workplace.hangUp();
      return window.lab.workplace.view().call?.state;
    });
    expect(state).toBe('ended');
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
  });

  it('is back after a reload in the middle of the call', { tags: 'full' }, async () => {
    const { lab } = await atThePhone();
    const { id } = await lab.dial('+15551230001');
    await lab.isConnected();
    await lab.hears();
    await lab.page.reload();
    expect(await lab.isConnected()).toMatchObject({ id });
    expect(await lab.hears()).toBeCloseTo(1_000, -2);
    await lab.press('hangUp');
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
  });

  it('goes to the second tab that takes over', { tags: 'full' }, async () => {
    const { agent, profile, lab } = await atThePhone();
    const { id } = await lab.dial('+15551230001');
    await lab.isConnected();
    const second = await openCallLab(profile, gateway, agent);
    await lab.sees('that another tab has taken over', ({ line }) => line === 'replaced');
    expect(await second.isConnected()).toMatchObject({ id });
    expect(await second.hears()).toBeCloseTo(1_000, -2);
    await second.press('hangUp');
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
  });

  it('ends the call where another browser takes over, which cannot fetch it', { tags: 'full' }, async () => {
    const { agent, lab } = await atThePhone();
    const { id } = await lab.dial('+15551230001');
    await lab.isConnected();
    const elsewhere = await openCallLab(await browser.profile({ context: { bypassCSP: true } }), gateway, agent);
    const { notice } = await elsewhere.sees('why there is no call', (view) => view.notice !== null);
    expect(notice?.message.code).toBe('lost');
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'failed' });
  });
});

describe('a call from outside', () => {
  it('rings with the customer’s name, and is answered', async () => {
    const seat = await atThePhone();
    await seat.lab.goReady();
    const outcome = ring(seat).then(({ body }) => body as unknown);
    const { call } = await seat.lab.sees(
      'who calls',
      ({ caller, call }) => caller !== null && call?.state === 'ringing',
    );
    expect(call).toMatchObject({ phone: '+15551230001', direction: 'inbound', screen_pop: { name: 'Grace Hopper' } });
    await seat.lab.press('answer');
    await seat.lab.isConnected();
    expect(await outcome).toEqual({ result: 'answered' });
    expect(await seat.lab.hears()).toBeCloseTo(1_000, -2);
  });

  it('is declined, which makes the agent Not Ready', { tags: 'full' }, async () => {
    const seat = await atThePhone();
    await seat.lab.goReady();
    const outcome = ring(seat).then(({ body }) => body as unknown);
    const { call } = await seat.lab.sees('who calls', (view) => view.caller !== null && view.call?.state === 'ringing');
    await seat.lab.press('reject');
    expect(await outcome).toEqual({ result: 'declined' });
    expect(await recordedEnd(gateway, company, call!.id)).toMatchObject({ end_reason: 'rejected', ended_by: 'agent' });
    await seat.lab.sees('Not Ready', ({ agent }) => agent?.state === 'not_ready' && agent.reason === 'rejected');
  });

  it(
    'rings again for the same call when the page is loaded anew, and the agent has declined nobody',
    { tags: 'full' },
    async () => {
      const seat = await atThePhone();
      await seat.lab.goReady();
      const outcome = ring(seat).then(({ body }) => body as unknown);
      const isCalled = () =>
        seat.lab.sees('who calls', (view) => view.caller !== null && view.call?.state === 'ringing');
      const { call } = await isCalled();
      await seat.lab.page.reload();
      expect((await isCalled()).call?.id).toBe(call!.id);
      await seat.lab.press('answer');
      expect(await seat.lab.isConnected()).toMatchObject({ id: call!.id });
      expect(await outcome).toEqual({ result: 'answered' });
      expect(await seat.lab.hears()).toBeCloseTo(1_000, -2);
    },
  );

  it('that the caller gives up leaves the agent Ready', { tags: 'full' }, async () => {
    const seat = await atThePhone();
    await seat.lab.goReady();
    const calling = ring(seat);
    const gone = calling.catch(() => null);
    const { call } = await seat.lab.sees('who calls', (view) => view.caller !== null && view.call?.state === 'ringing');
    calling.abort();
    await gone;
    expect(await recordedEnd(gateway, company, call!.id)).toMatchObject({
      end_reason: 'canceled',
      ended_by: 'customer',
    });
    await seat.lab.sees('Ready', ({ agent, caller }) => agent?.state === 'ready' && caller === null);
  });

  it('is passed on while it rings, and leaves the agent Ready', async () => {
    const seat = await atThePhone();
    await seat.lab.goReady();
    const outcome = ring(seat).then(({ body }) => body as unknown);
    const { call } = await seat.lab.sees('who calls', (view) => view.caller !== null && view.call?.state === 'ringing');
    await seat.lab.page.evaluate(() => {
      const { workplace } = window.lab;
      workplace.passOn(workplace.view().callKey!, '+15551230009');
    });
    expect(await outcome).toEqual({ result: 'passed_on' });
    const end = { end_reason: 'canceled', ended_by: 'agent', end_detail: 'passed_on', transferred_to: '+15551230009' };
    expect(await recordedEnd(gateway, company, call!.id)).toMatchObject(end);
    await seat.lab.sees('Ready', ({ agent, caller }) => agent?.state === 'ready' && caller === null);
  });

  it('rings beside a call, and is answered with that one on hold: the agent turns from one to the other', async () => {
    const seat = await atThePhone();
    const { id: first } = await seat.lab.dial('+15551230001');
    await seat.lab.isConnected();
    const outcome = ring(seat, '+15551230700').then(({ body }) => body as unknown);
    const { other } = await seat.lab.sees('who calls', (view) => view.other?.call?.state === 'ringing');
    const second = other!.call!.id;
    // The call is heard as before.
    await seat.lab.hearsAt(says.first);
    const isWith = (id: string, held: string) =>
      seat.lab.sees(
        `${id} with ${held} on hold`,
        ({ call, other: behind }) =>
          call?.id === id && call.state === 'connected' && behind?.call?.id === held && behind.call.state === 'held',
      );
    await seat.lab.press('turnToOther');
    expect(await outcome).toEqual({ result: 'answered' });
    await isWith(second, first);
    await seat.lab.hearsAt(says.second);
    await seat.lab.press('turnToOther');
    await isWith(first, second);
    await seat.lab.hearsAt(says.first);
    // One of the two is to be heard by nobody.
    expect(await seat.lab.page.evaluate(() => [window.lab.microphone.open(), window.lab.microphone.heard()])).toEqual([
      2, 1,
    ]);
    await seat.lab.press('hangUp');
    expect(await recordedEnd(gateway, company, first)).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
    await seat.lab.sees('the other, on hold', ({ call, isHeld, other: behind }) => {
      return call?.id === second && isHeld && behind === null;
    });
    await seat.lab.receivesNothing();
    await seat.lab.page.evaluate(() => window.lab.workplace.setHeld(false));
    await seat.lab.isConnected();
    await seat.lab.hearsAt(says.second);
    await seat.lab.press('hangUp');
    await recordedEnd(gateway, company, second);
  });

  it('that rings beside a call outlives a reload with it: both are taken over', { tags: 'full' }, async () => {
    const seat = await atThePhone();
    const { id: first } = await seat.lab.dial('+15551230001');
    await seat.lab.isConnected();
    const outcome = ring(seat, '+15551230700').then(({ body }) => body as unknown);
    const { other } = await seat.lab.sees('who calls', (view) => view.other?.call?.state === 'ringing');
    await seat.lab.press('turnToOther');
    expect(await outcome).toEqual({ result: 'answered' });
    const second = other!.call!.id;
    const isWith = (id: string, held: string) =>
      seat.lab.sees(
        `${id} with ${held} on hold`,
        ({ call, isRecovering, other: behind }) =>
          call?.id === id && call.state === 'connected' && !isRecovering && behind?.call?.id === held,
      );
    await isWith(second, first);
    await seat.lab.page.reload();
    await isWith(second, first);
    await seat.lab.hearsAt(says.second);
    await seat.lab.press('turnToOther');
    await isWith(first, second);
    await seat.lab.hearsAt(says.first);
  });

  it('meets a busy tone while the agent talks, where the company wants it so', { tags: 'full' }, async () => {
    const seat = await atThePhone();
    const admin = `Bearer ${company.adminToken}`;
    const setWaiting = (call_waiting: boolean) =>
      gateway.api.patch('/api/company').set('authorization', admin).send({ call_waiting }).expect(200);
    await setWaiting(false);
    await seat.lab.dial('+15551230001');
    await seat.lab.isConnected();
    await seat.lab.sees('the setting', ({ settings }) => settings?.call_waiting === false);
    expect((await ring(seat)).body).toEqual({ result: 'busy' });
    expect((await seat.lab.view()).call).toMatchObject({ direction: 'outbound', state: 'connected' });
    await setWaiting(true);
  });
});

describe('the end of a call', { tags: 'full' }, () => {
  it.each([
    { number: '+15551230486', reason: 'busy', by: 'customer', code: 486 },
    { number: '+15551230603', reason: 'rejected', by: 'customer', code: 603 },
    { number: '+15551230404', reason: 'failed', by: null, code: 404, detail: 'not_in_service' },
    { number: '+15551230002', reason: 'completed', by: 'customer', code: null },
  ])('is recorded as $reason by $number', async ({ number, reason, by, code, detail = null }) => {
    const { lab } = await atThePhone();
    const { id } = await lab.dial(number);
    const call = await recordedEnd(gateway, company, id);
    expect(call).toMatchObject({ end_reason: reason, ended_by: by, sip_code: code, end_detail: detail });
  });

  it('is recorded as given up where the agent hangs up before an answer', async () => {
    const { lab } = await atThePhone();
    const { id } = await lab.dial('+15551230408');
    await lab.sees('a ringing call', ({ call }) => call?.state === 'ringing');
    await lab.press('hangUp');
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'canceled', ended_by: 'agent' });
  });

  it('is recorded as no answer where nobody answers in time', async () => {
    const hasty = await gateway.company({ slug: 'hasty' });
    await putTelephony(gateway, hasty, { no_answer_seconds: 5 }).expect(200);
    const { lab } = await atThePhone(hasty);
    const { id } = await lab.dial('+15551230408');
    expect(await recordedEnd(gateway, hasty, id)).toMatchObject({ end_reason: 'no_answer', ended_by: 'customer' });
  });

  it('comes at the telephone as soon as a supervisor frees the agent', async () => {
    const { agent, lab } = await atThePhone();
    await lab.dial('+15551230001');
    await lab.isConnected();
    const wish = { state: 'not_ready', force: true };
    await gateway.as(company).put(`/api/agents/${agent.id}/state`).send(wish).expect(200);
    await lab.sees('no call', ({ call }) => call?.state === 'ended');
    await eventually(async () => expect(await lab.page.evaluate(() => window.lab.carried())).toBeNull());
  });
});
