import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../../support/gateway/gateway.ts';
import type { LabMicrophone, LabOptions } from './labPage.ts';
import { SipLine } from './sipLine.ts';
import { openCallLab, recordedEnd, type CallLab } from './callRoom.ts';
import { eventually } from '../../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let agents = 0;

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'loss', wrapUpSeconds: 600 });
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { context: { bypassCSP: true } } });
const customer = '+15551230001';
const ringsForEver = '+15551230408';

type Seat = { agent: TestAgent; lab: CallLab; line: SipLine };

async function atThePhone(options: LabOptions = {}): Promise<Seat> {
  const agent = await gateway.agent(company, `loss${agents++}`);
  const line = new SipLine();
  const lab = await openCallLab(await browser.profile(), gateway, agent, {
    ...options,
    onPage: (page) => line.on(page),
  });
  return { agent, lab, line };
}

async function talking(): Promise<Seat & { id: string }> {
  const seat = await atThePhone();
  const { id } = await seat.lab.dial(customer);
  await seat.lab.isConnected();
  return { ...seat, id };
}

function ring({ agent }: Seat) {
  return gateway.as(company).post('/demo/ring').send({ agent_code: agent.agentCode, from: customer });
}

/** Resolves when the agent sees who calls, with the call's id and the caller's way to give up. */
async function calledBy(seat: Seat): Promise<{ id: string; giveUp: () => void; outcome: Promise<unknown> }> {
  const calling = ring(seat);
  const outcome = calling.then(({ body }) => body as unknown).catch(() => null);
  const { call } = await seat.lab.sees('who calls', (view) => view.caller !== null && view.call?.state === 'ringing');
  return { id: call!.id, giveUp: () => calling.abort(), outcome };
}

function atMicrophone(
  lab: CallLab,
  what: 'hold' | 'letGo' | 'lose' | 'asked' | 'open' | 'heard',
): Promise<number | void> {
  return lab.page.evaluate((name) => (window.lab.microphone as LabMicrophone)[name](), what);
}
const opens = (lab: CallLab, count: number) =>
  eventually(async () => expect(await atMicrophone(lab, 'open')).toBe(count));
const hold = (lab: CallLab, isHeld: boolean) => lab.page.evaluate((held) => window.lab.workplace.setHeld(held), isHeld);
const plug = (lab: CallLab, isPlugged: boolean) =>
  lab.page.evaluate((is) => window.lab.microphone.setPlugged(is), isPlugged);
const isAway = ({ lab }: Seat) => lab.sees('that the line is away', ({ phone }) => phone.state === 'unavailable');
const isBack = ({ lab }: Seat) => lab.sees('that the line is back', ({ phone }) => phone.state === 'ready');

describe('an answer', () => {
  it('to a caller who leaves while the microphone opens leaves it closed, and the next caller is answered', async () => {
    const seat = await atThePhone();
    const { lab } = seat;
    await lab.goReady();
    await opens(lab, 0);
    await atMicrophone(lab, 'hold');
    const before = await atMicrophone(lab, 'asked');
    const first = await calledBy(seat);
    await lab.press('answer');
    await eventually(async () => expect(await atMicrophone(lab, 'asked')).toBe(Number(before) + 1));
    first.giveUp();
    expect(await recordedEnd(gateway, company, first.id)).toMatchObject({ end_reason: 'canceled' });
    await atMicrophone(lab, 'letGo');
    await opens(lab, 0);
    const next = await calledBy(seat);
    await lab.press('answer');
    await lab.isConnected();
    expect(await next.outcome).toEqual({ result: 'answered' });
    await opens(lab, 1);
  });

  it('given twice opens one microphone', async () => {
    const seat = await atThePhone();
    await seat.lab.goReady();
    const before = Number(await atMicrophone(seat.lab, 'asked'));
    await calledBy(seat);
    await seat.lab.page.evaluate(() => {
      const { workplace } = window.lab;
      void workplace.answer();
      void workplace.answer();
    });
    await seat.lab.isConnected();
    expect(await atMicrophone(seat.lab, 'asked')).toBe(before + 1);
    await opens(seat.lab, 1);
  });
});

describe('while the line to the telephone network is away', () => {
  it('holding is refused, the talk goes on, and it can be held afterwards', async () => {
    const seat = await talking();
    await seat.line.cut();
    await isAway(seat);
    await hold(seat.lab, true);
    const { notice } = await seat.lab.sees('why not', (view) => view.notice?.message.code === 'network_unreachable');
    expect(notice).not.toBeNull();
    expect(await seat.lab.isConnected()).toMatchObject({ id: seat.id });
    seat.line.mend();
    await isBack(seat);
    await hold(seat.lab, true);
    await seat.lab.sees('a held call', ({ isHeld, call }) => isHeld && call?.state === 'held');
  });

  it('hanging up is told to the network once it is back, by the next page if need be', async () => {
    const seat = await talking();
    await seat.line.cut();
    await isAway(seat);
    await seat.lab.press('hangUp');
    expect(await recordedEnd(gateway, company, seat.id)).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
    expect(seat.line.said.filter((text) => text.startsWith('BYE'))).toEqual([]);
    await seat.lab.page.reload();
    seat.line.mend();
    await seat.line.says(/^BYE /);
    await seat.line.hears(/^SIP\/2\.0 200[^]*\r\nCSeq: \d+ BYE/i);
  });

  it('a call that nobody had answered is canceled once it is back', async () => {
    const seat = await atThePhone();
    const { id } = await seat.lab.dial(ringsForEver);
    await seat.lab.sees('a ringing call', ({ call }) => call?.state === 'ringing');
    await seat.line.cut();
    expect((await recordedEnd(gateway, company, id)).state).toBe('ended');
    seat.line.mend();
    const cancel = await seat.line.says(/^CANCEL /);
    const invite = seat.line.said.findLast((text) => text.startsWith('INVITE '))!;
    for (const header of ['Via', 'Call-ID', 'From', 'To'])
      expect(headerOf(cancel, header)).toBe(headerOf(invite, header));
    expect(parseInt(headerOf(cancel, 'CSeq')!)).toBe(parseInt(headerOf(invite, 'CSeq')!));
  });

  it('nobody rings on who may have left', async () => {
    const seat = await atThePhone();
    await seat.lab.goReady();
    const { id } = await calledBy(seat);
    await seat.line.cut();
    await seat.lab.sees('nobody', ({ caller }) => caller === null);
    expect((await recordedEnd(gateway, company, id)).end_reason).toMatch(/canceled|missed/);
  });
});

describe('a network that refuses', () => {
  it('to hold a call keeps it, and the agent is told', async () => {
    const seat = await talking();
    seat.line.refuse(isReInvite);
    await hold(seat.lab, true);
    await seat.lab.sees('why not', ({ notice }) => notice?.message.code === 'hold_refused');
    expect(await seat.lab.isConnected()).toMatchObject({ id: seat.id });
    const before = await seat.lab.bytesSent();
    await eventually(async () => expect(await seat.lab.bytesSent()).toBeGreaterThan(before));
    seat.line.refuse(() => null);
    await hold(seat.lab, true);
    await seat.lab.sees('a held call', ({ isHeld, call }) => isHeld && call?.state === 'held');
  });

  it('to hold a call again after a reload leaves the agent muted, who is told', async () => {
    const seat = await talking();
    await hold(seat.lab, true);
    await seat.lab.sees('a held call', ({ isHeld, call }) => isHeld && call?.state === 'held');
    seat.line.refuse(isReInvite);
    await seat.lab.page.reload();
    await seat.lab.sees('why not', ({ notice }) => notice?.message.code === 'hold_lost');
    await seat.lab.sees(
      'a muted call',
      ({ call, isHeld, isMuted }) => call?.state === 'connected' && !isHeld && isMuted,
    );
    expect(await atMicrophone(seat.lab, 'heard')).toBe(0);
  });

  it('to hand a call over is asked once, calls nobody, and is told that the call is over', async () => {
    const seat = await talking();
    const before = seat.line.said.length;
    seat.line.refuse((request) => (request.startsWith('INVITE ') ? '420 Bad Extension' : null));
    await seat.lab.page.reload();
    expect(await recordedEnd(gateway, company, seat.id)).toMatchObject({ end_reason: 'failed' });
    const bye = await seat.line.says(/^BYE /, before);
    await seat.line.hears(/^SIP\/2\.0 200[^]*\r\nCSeq: \d+ BYE/i);
    const invites = seat.line.said.slice(before).filter((text) => text.startsWith('INVITE '));
    expect(invites).toHaveLength(1);
    expect(headerOf(invites[0]!, 'Require')).toBe('replaces');
    expect(headerOf(invites[0]!, 'Replaces')).toContain(headerOf(bye, 'Call-ID')!);
  });
});

describe('a call on hold that a page fetches after a reload', () => {
  it.each([
    ['while it is being held again', (text: string) => isReInvite(text) !== null],
    ['before it is here', (text: string) => text.startsWith('INVITE') && /^Replaces:/im.test(text)],
  ])('goes on where the agent takes it back %s', async (_, isKept) => {
    const seat = await talking();
    await hold(seat.lab, true);
    await seat.lab.sees('a held call', ({ isHeld, call }) => isHeld && call?.state === 'held');
    seat.line.keep(isKept);
    const before = seat.line.said.length;
    await seat.lab.page.reload();
    await eventually(() => expect(seat.line.said.slice(before).some(isKept)).toBe(true));
    await hold(seat.lab, false);
    seat.line.letGo();
    await seat.lab.sees(
      'a call that goes on',
      ({ isHeld, isMuted, isRecovering, call }) => !isHeld && !isMuted && !isRecovering && call?.state === 'connected',
    );
    await seat.lab.hears();
    expect((await seat.lab.sees('no trouble', () => true)).notice).toBeNull();
  });
});

describe('a network that starts ICE anew', () => {
  it('in mid-call is answered, and the call goes on', async () => {
    const seat = await talking();
    const contact = headerOf(await seat.line.says(/^INVITE /), 'Contact')!;
    const offer = inviteAnew(
      /<([^>]+)/.exec(contact)![1]!,
      await seat.line.hears(/^SIP\/2\.0 200[^]*\r\nCSeq: \d+ INVITE/i),
    );
    const before = seat.line.said.length;
    seat.line.tell(offer);
    await seat.line.says(/^SIP\/2\.0 200[^]*\r\nCSeq: 7001 INVITE/i, before);
    expect(seat.line.said.filter((text) => text.startsWith('BYE '))).toEqual([]);
    expect(await seat.lab.isConnected()).toMatchObject({ id: seat.id });
  });
});

describe('a call that a page fetches after a reload', () => {
  it('that came from outside calls the other side where it wants to be called', async () => {
    const seat = await atThePhone();
    await seat.lab.goReady();
    const { id } = await calledBy(seat);
    await seat.lab.press('answer');
    await seat.lab.isConnected();
    const contact = /<([^>;]+)/.exec(headerOf(await seat.line.hears(/^INVITE /), 'Contact')!)![1]!;
    await seat.lab.page.reload();
    expect(await seat.lab.isConnected()).toMatchObject({ id });
    expect(await seat.line.says(/^INVITE [^]*\nReplaces:/i)).toContain(`INVITE ${contact}`);
  });
});

describe('a browser that takes no part in a call', () => {
  it('ends it, and tells the agent why', async () => {
    const { lab } = await atThePhone({ refusesSettings: true });
    const { id } = await lab.dial(customer);
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'failed' });
    await lab.sees('why', ({ notice }) => notice?.message.code === 'settings_refused');
    await opens(lab, 0);
  });
});

describe('a headset', () => {
  it('that is unplugged is noticed without a call, and again when it is plugged in', async () => {
    const seat = await atThePhone();
    await isBack(seat);
    await plug(seat.lab, false);
    expect((await isAway(seat)).phone).toMatchObject({ why: 'microphone_missing' });
    await plug(seat.lab, true);
    await isBack(seat);
    await opens(seat.lab, 0);
  });

  it('that is unplugged in a call is replaced by another, and the agent is told', async () => {
    const seat = await talking();
    await atMicrophone(seat.lab, 'lose');
    await seat.lab.sees('that another is used', ({ notice }) => notice?.message.code === 'microphone_replaced');
    await opens(seat.lab, 1);
    const before = await seat.lab.bytesSent();
    await eventually(async () => expect(await seat.lab.bytesSent()).toBeGreaterThan(before));
    expect(await seat.lab.isConnected()).toMatchObject({ id: seat.id });
  });

  it('that was the only one is heard again when it is plugged in', async () => {
    const seat = await talking();
    await plug(seat.lab, false);
    await seat.lab.sees('that nobody hears them', ({ notice }) => notice?.message.code === 'microphone_lost');
    await plug(seat.lab, true);
    await seat.lab.sees('that another is used', ({ notice }) => notice?.message.code === 'microphone_replaced');
    await opens(seat.lab, 1);
    expect(await seat.lab.isConnected()).toMatchObject({ id: seat.id });
  });
});

function isReInvite(request: string): string | null {
  return /^INVITE [^]*\nTo:[^\n]*;tag=/i.test(request) ? '488 Not Acceptable Here' : null;
}

function headerOf(message: string, name: string): string | undefined {
  return new RegExp(`^${name}:\\s*(.*?)\\r?$`, 'im').exec(message)?.[1];
}

/** The PBX's wish to take its audio elsewhere, after it has answered. @param answer its 200 */
function inviteAnew(target: string, answer: string): string {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const elsewhere = body
    .replace(/^a=ice-ufrag:.*$/m, 'a=ice-ufrag:anew')
    .replace(/^a=ice-pwd:.*$/m, `a=ice-pwd:${'anew'.repeat(6)}`);
  const offer = elsewhere.replace(/^a=setup:.*$/m, 'a=setup:actpass');
  return [
    `INVITE ${target} SIP/2.0`,
    'Via: SIP/2.0/WS pbx.test;branch=z9hG4bKanew',
    'Max-Forwards: 70',
    `From: ${headerOf(head, 'To')}`,
    `To: ${headerOf(head, 'From')}`,
    `Call-ID: ${headerOf(head, 'Call-ID')}`,
    'CSeq: 7001 INVITE',
    `Contact: ${headerOf(head, 'Contact')}`,
    'Content-Type: application/sdp',
    `Content-Length: ${Buffer.byteLength(offer)}`,
    '',
    offer,
  ].join('\r\n');
}
