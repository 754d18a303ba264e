import { describe, expect, it, vi } from 'vitest';
import { headerOf } from '../../../../support/sip/scriptedPbx.ts';
import { useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();
const key = 'readyline.contacts.ada@pbx.test';
const killed = { user: 'rkilled', host: 'rold.invalid', instance: '11111111-2222-4333-8444-555555555555' };

/** The REGISTERs over the line that the telephone has opened since `begin`. */
class Line {
  readonly #from: number;
  #taken = 0;

  constructor() {
    this.#from = at().pbx.told.length;
  }

  /** The next one. */
  async register(): Promise<string> {
    const found = await eventually(() => {
      const all = at()
        .pbx.told.slice(this.#from)
        .filter((text) => text.startsWith('REGISTER '));
      if (all[this.#taken] === undefined) throw new Error(`there are ${String(all.length)} REGISTERs`);
      return all[this.#taken]!;
    });
    this.#taken += 1;
    return found;
  }
}

/** The line breaks, and the telephone registers anew, to be answered by the test. */
async function comesAgain(): Promise<Line> {
  const { pbx, phone } = at();
  await at().isReady();
  pbx.holdRegistrations();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  const line = new Line();
  pbx.cut();
  await eventually(() => phone.line.state === 'unavailable');
  await pbx.hearsInTime(/^REGISTER /, pbx.told.length);
  vi.useRealTimers();
  return line;
}

function contact(request: string): string {
  return headerOf(request, 'Contact');
}

describe('an account whose places at the telephone network are taken', () => {
  it('by a page of this browser that was killed is registered at once: that one is taken back', async () => {
    const { pbx } = at();
    const line = await comesAgain();
    localStorage.setItem(key, JSON.stringify([...(JSON.parse(localStorage.getItem(key) ?? '[]') as object[]), killed]));
    const own = contact(pbx.told.findLast((text) => text.startsWith('REGISTER '))!);
    pbx.answer(await line.register(), '403 Forbidden');
    const back = await line.register();
    expect(contact(back)).toBe(
      '<sip:rkilled@rold.invalid;transport=ws>;reg-id=1;' +
        '+sip.instance="<urn:uuid:11111111-2222-4333-8444-555555555555>";expires=0',
    );
    expect(headerOf(back, 'Expires')).toBe('0');
    pbx.answer(back, '200 OK', '', ['Contact: <sip:other@phone.invalid>;expires=60']);
    const again = await line.register();
    expect(contact(again).split(';expires')[0]).toBe(own.split(';expires')[0]);
    pbx.register(again);
    await at().isReady();
    expect(localStorage.getItem(key)).not.toContain('rkilled');
  });

  it('by what the network calls this telephone is registered at once, too', async () => {
    const { pbx } = at();
    const line = await comesAgain();
    const refused = await line.register();
    const instance = /\+sip\.instance="<urn:uuid:([^>]*)>"/.exec(refused)![1]!;
    pbx.answer(refused, '503 Service Unavailable');
    const asked = await line.register();
    expect(contact(asked)).toBe('');
    pbx.answer(asked, '200 OK', '', [
      `Contact: <sip:as-seen@203.0.113.9:5090>;+sip.instance="<urn:uuid:${instance}>";expires=60, ` +
        '<sip:other@phone.invalid>;expires=60',
    ]);
    const back = await line.register();
    expect(contact(back)).toBe('<sip:as-seen@203.0.113.9:5090>;expires=0');
    pbx.answer(back, '200 OK', '', ['Contact: <sip:other@phone.invalid>;expires=60']);
    pbx.register(await line.register());
    await at().isReady();
  });

  it('by another telephone is told so, asked about no oftener than three times, and tried again soon', async () => {
    const { pbx, phone } = at();
    const line = await comesAgain();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
    for (let tries = 0; tries < 4; tries += 1) {
      const refused = await line.register();
      expect(contact(refused)).not.toBe('');
      pbx.answer(refused, '403 Forbidden');
      if (tries < 3) pbx.answer(await line.register(), '200 OK', '', ['Contact: <sip:desk@phone.invalid>;expires=60']);
      await eventually(() =>
        expect(phone.line).toEqual({ state: 'unavailable', why: 'place_taken', sipCode: 403, retrying: true }),
      );
      const { length } = pbx.told;
      await pbx.hearsInTime(/^REGISTER /, length);
    }
    vi.useRealTimers();
    pbx.register(await line.register());
    await at().isReady();
  });

  it.each([
    ['refuses to tell', '403 Forbidden', []],
    ['has none', '200 OK', []],
  ])('is refused as any other where the network %s', async (_what, status, headers) => {
    const { pbx, phone } = at();
    const line = await comesAgain();
    pbx.answer(await line.register(), '403 Forbidden');
    const asked = await line.register();
    if (status.startsWith('200')) {
      pbx.say([
        `SIP/2.0 ${status}`,
        ...asked.split('\r\n').filter((one) => /^(?:via|from|to|call-id|cseq):/i.test(one)),
        ...headers,
        'Content-Length: 0',
        '',
        '',
      ]);
    } else {
      pbx.answer(asked, status);
    }
    await eventually(() =>
      expect(phone.line).toEqual({ state: 'unavailable', why: 'account_refused', sipCode: 403, retrying: true }),
    );
  });

  it('is not asked about where the secret is wrong', async () => {
    const { pbx, phone } = at();
    const line = await comesAgain();
    pbx.answer(await line.register(), '404 Not Found');
    await eventually(() => expect(phone.line).toMatchObject({ why: 'account_refused', sipCode: 404 }));
    expect(pbx.told.filter((text) => text.startsWith('REGISTER ') && contact(text) === '')).toEqual([]);
  });
});
