import { eventually } from '../../time/waiting.ts';
import { headerOf, type ScriptedPbx } from '../scriptedPbx.ts';
import { Chance } from './chance.ts';
import type { Desk } from './desk.ts';
import { type Mutant, mutated } from './mutations.ts';
import {
  answerOf,
  type Frame,
  type Method,
  methods,
  type Place,
  requestOf,
  type Vendor,
  vendors,
  written,
} from './vendorMessages.ts';

const isFinal = (text: string) => /^SIP\/2\.0 [2-6]/.test(text);
const isBarrier = (text: string) => /^Call-ID: barrier/m.test(text);
const inCallMethods = methods.filter((method) => method !== 'CANCEL');
/** So many odd messages in one call at most. */
const mostInCall = 12;
/** Whom the agent calls. */
const dialed = '+15551230001';
/** What a PBX says to a call, well or not: the answers to an INVITE. */
const dialAnswers = [
  '100 Trying',
  '180 Ringing',
  '183 Session Progress',
  '200 OK',
  '200 OK',
  '200 OK',
  '302 Moved Temporarily',
  '401 Unauthorized',
  '407 Proxy Authentication Required',
  '404 Not Found',
  '422 Session Interval Too Small',
  '486 Busy Here',
  '488 Not Acceptable Here',
  '500 Server Internal Error',
  '603 Decline',
];
const registerAnswers = [
  '100 Trying',
  '200 OK',
  '200 OK',
  '401 Unauthorized',
  '403 Forbidden',
  '404 Not Found',
  '423 Interval Too Brief',
  '500 Server Internal Error',
  '503 Service Unavailable',
];
const challenge = 'Digest realm="pbx.test", nonce="5f", algorithm=MD5, qop="auth"';
/** What an answer of that kind says beside. */
const besides: Readonly<Record<string, string[]>> = {
  401: [`WWW-Authenticate: ${challenge}`],
  407: [`Proxy-Authenticate: ${challenge}`],
  422: ['Min-SE: 300'],
  423: ['Min-Expires: 600'],
  302: ['Contact: <sip:+15551230009@pbx.test>'],
  503: ['Retry-After: 5'],
};

/**
 * A PBX that says what no PBX should to a real phone, one scene after the other, and sees that each ends in a call, a
 * refusal or a sentence. What is not a part of the scene, it answers as PBXs do. Whatever it does comes from its seed.
 */
export class FuzzedPhone {
  readonly #desk: Desk;
  readonly #pbx: ScriptedPbx;
  readonly #seed: string;
  /** What was said in this scene, for who has to find out what was wrong. */
  #said: string[] = [];
  /** What was said last has to be answered. */
  #isDue = false;
  /** Accepted calls are acknowledged by the scene, and not at once. */
  #isSlow = false;
  #count = 0;
  #barriers = 0;
  #onDialed: ((invite: string) => void) | null = null;

  /** @param desk with a phone that is registered at `pbx` */
  constructor(desk: Desk, pbx: ScriptedPbx, seed: number) {
    this.#desk = desk;
    this.#pbx = pbx;
    this.#seed = String(seed);
    pbx.onTold = (text) => this.#answer(text);
  }

  /** Odd messages that were said so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Throws where the phone has not come through; the error says how it came to that,
   * and the same seed and scene bring it again.
   */
  async play(scene: number): Promise<void> {
    const chance = new Chance(`${this.#seed}/${String(scene)}`);
    this.#said = [];
    this.#isSlow = false;
    const kind = chance.below(100);
    try {
      if (kind < 40) await this.#isCalled(chance);
      else if (kind < 72) await this.#isTold(chance);
      else if (kind < 81) await this.#isInCall(chance);
      else if (kind < 90) await this.#dials(chance);
      else await this.#registers(chance);
      await this.#isIdle();
      const troubles = this.#desk.troubles();
      if (troubles.length > 0) throw new Error(troubles.join('\n'));
    } catch (error) {
      const last = this.#pbx.told.filter((text) => !isBarrier(text)).slice(-4);
      const parts = [
        `scene ${String(scene)} of seed ${this.#seed}: ${String(error)}`,
        'the PBX said:',
        ...this.#said,
        'the phone said:',
        ...last.map(shortened),
        'the agent sees:',
        await this.#desk.shows(),
      ];
      throw new Error(parts.join('\n'), { cause: error });
    }
  }

  /** A call as it should be: it rings, is answered, and hung up. */
  async comesThrough(): Promise<void> {
    await this.#isIdle();
    const from = this.#pbx.told.length;
    const vendor = vendors[0]!;
    this.#pbx.sayAsIs(written(requestOf(vendor, 'INVITE', this.#newPlace(vendor, `through-${String(from)}`))));
    await this.#isAnswered(from);
    await this.#desk.press('hang up');
    await this.#pbx.hears(/^BYE /, from);
    await this.#isIdle();
  }

  /** Odd INVITEs: refused, or they ring, and end in one of the ways in which rings do. */
  async #isCalled(chance: Chance): Promise<void> {
    const vendor = chance.of(vendors);
    const from = this.#pbx.told.length;
    const invite = requestOf(vendor, 'INVITE', this.#newPlace(vendor, this.#newId()), chance.of([0, 0, 0, 3]));
    await this.#say(vendor.name, mutated(invite, chance));
    await this.#endRing(from, chance);
  }

  /** Odd requests and answers that belong to nothing. */
  async #isTold(chance: Chance): Promise<void> {
    const vendor = chance.of(vendors);
    const from = this.#pbx.told.length;
    const place = this.#newPlace(vendor, this.#newId());
    const isInDialog = chance.is(40);
    const request = requestOf(
      vendor,
      chance.of(methods.filter((method) => method !== 'INVITE')),
      { ...place, to: isInDialog ? `${place.to};tag=nobody` : place.to },
      chance.below(4),
    );
    const stray = answerOf(vendor, written(request), chance.of(dialAnswers));
    await this.#say(vendor.name, mutated(chance.is(80) ? request : stray, chance));
    await this.#endRing(from, chance);
  }

  /** A good call, and odd requests in it. */
  async #isInCall(chance: Chance): Promise<void> {
    const vendor = chance.of(vendors);
    const place = this.#newPlace(vendor, this.#newId());
    const from = this.#pbx.told.length;
    this.#pbx.sayAsIs(written(requestOf(vendor, 'INVITE', place)));
    const to = headerOf(await this.#isAnswered(from), 'To');
    for (let times = 0; times < mostInCall; times += 1) {
      const before = this.#pbx.told.length;
      const method: Method = chance.of(inCallMethods);
      const inside = { ...place, to, cseq: place.cseq + 1 + times, branch: `${place.branch}-${String(times)}` };
      await this.#say(vendor.name, mutated(requestOf(vendor, method, inside, chance.below(4)), chance));
      await this.#isHandled(before);
      const told = this.#pbx.told.slice(before);
      if (
        told.some((text) => /^(?:BYE|CANCEL) /.test(text) || (isFinal(text) && /^CSeq: \d+ (?:BYE|REFER)/m.test(text)))
      )
        break;
      if ((await this.#desk.sees()) === 'nothing') break;
    }
    if (chance.is(50)) {
      this.#pbx.sayAsIs(
        written(requestOf(vendor, 'BYE', { ...place, to, cseq: place.cseq + 100, branch: `${place.branch}-bye` })),
      );
    }
    await this.#hangUp();
  }

  /** The agent calls, and odd answers come. */
  async #dials(chance: Chance): Promise<void> {
    const vendor = chance.of(vendors);
    const invited = new Promise<string>((resolve) => (this.#onDialed = resolve));
    const before = this.#pbx.told.length;
    await this.#desk.dial(dialed);
    // A call that the gateway refuses is a fault, and not waited for without an end.
    await this.#pbx.hears(/^INVITE /, before);
    const invite = await invited;
    for (let times = chance.of([1, 2, 3]); times > 0; times -= 1) {
      const heard = this.#pbx.told.length;
      const status = chance.of(dialAnswers);
      const body = /^(?:183|200)/.test(status) ? vendor.sdp.replace('actpass', 'active') : '';
      const mutant = mutated(
        answerOf(vendor, invite, status, { headers: besides[status.slice(0, 3)] ?? [], body }),
        chance,
      );
      await this.#say(vendor.name, mutant);
      if (mutant.frames.some((frame) => isFinalTo(invite, textOf(frame)))) await this.#pbx.hears(/^ACK /, heard);
      if (this.#pbx.told.slice(heard).some((text) => /^(?:ACK|INVITE) /.test(text))) break;
    }
    await this.#hangUp();
    // What came last as it should have come first.
    this.#pbx.sayAsIs(written(answerOf(vendor, invite, '487 Request Terminated')));
    await this.#barrier();
  }

  /** The line breaks, and odd answers come to its registration. */
  async #registers(chance: Chance): Promise<void> {
    const vendor = chance.of(vendors);
    const before = this.#pbx.told.length;
    this.#pbx.holdRegistrations();
    this.#pbx.cut();
    let request = await this.#reconnects(before);
    const status = chance.of(registerAnswers);
    const contact = `Contact: ${headerOf(request, 'Contact')}`;
    const headers = status.startsWith('2') ? [contact, 'Expires: 120'] : (besides[status.slice(0, 3)] ?? []);
    const wire = answerOf(vendor, request, status, { headers });
    await this.#say(
      vendor.name,
      mutated(
        { ...wire, headers: wire.headers.filter((header) => !header.startsWith('Contact:') || header === contact) },
        chance,
      ),
    );
    await this.#barrier();
    // As a page is that is told nothing it understands, or a refusal: the network comes anew.
    if (!(await this.#desk.isRegistered())) {
      const again = this.#pbx.told.length;
      this.#pbx.cut();
      request = await this.#reconnects(again);
    }
    this.#pbx.register(request);
    this.#pbx.releaseRegistrations();
    await this.#barrier();
  }

  /** A browser that finds itself on a network again does not wait. @returns its REGISTER */
  async #reconnects(after: number): Promise<string> {
    return eventually(async () => {
      const request = this.#pbx.told.slice(after).findLast((text) => text.startsWith('REGISTER '));
      if (request === undefined) await this.#desk.hurry();
      return request ?? false;
    });
  }

  async #say(vendor: string, { frames, done }: Mutant): Promise<void> {
    this.#count += 1;
    this.#said.push(
      `${vendor}, ${done.join(' and ') || 'as it is'}:`,
      ...frames.map((frame) =>
        JSON.stringify(shortened(typeof frame === 'string' ? frame : Buffer.from(frame).toString('latin1'))),
      ),
    );
    this.#isDue = frames.some((frame) => isToBeAnswered(textOf(frame)));
    for (const frame of frames) this.#pbx.sayAsIs(frame);
    await this.#barrier();
  }

  /** Whatever was said before has been read when this is answered: the line is one, and in order. */
  async #barrier(): Promise<void> {
    this.#barriers += 1;
    const callId = `barrier-${String(this.#barriers)}`;
    const vendor = vendors[0]!;
    const from = this.#pbx.told.length;
    this.#pbx.sayAsIs(written(requestOf(vendor, 'OPTIONS', this.#newPlace(vendor, callId))));
    await this.#pbx.hears(new RegExp(`^SIP/2\\.0 200 [^]*^Call-ID: ${callId}\r$`, 'm'), from);
  }

  /** What was said last was answered, if it had to be, or rings. */
  async #isHandled(from: number): Promise<'answered' | 'rings' | 'nothing'> {
    return eventually(async () => {
      const told = this.#pbx.told.slice(from).filter((text) => !isBarrier(text));
      if (told.some(isFinal)) return 'answered';
      const isInvited = told.some((text) => text.startsWith('SIP/2.0 1') && /^CSeq: .* INVITE\r$/m.test(text));
      if (isInvited && (await this.#desk.sees()) === 'ring') return 'rings';
      if (!isInvited && !this.#isDue) return 'nothing';
      throw new Error('what was said last is neither answered nor rings');
    });
  }

  async #endRing(from: number, chance: Chance): Promise<void> {
    if ((await this.#isHandled(from)) !== 'rings' && (await this.#desk.sees()) !== 'ring') return;
    const ringing = this.#pbx.told.slice(from).find((text) => text.startsWith('SIP/2.0 180'));
    if (ringing === undefined) throw new Error('it rings, and nobody is told');
    const way = chance.of(['decline', 'cancel', 'answer', 'answer']);
    if (way === 'decline') {
      await this.#desk.press('decline');
      await this.#pbx.hears(/^SIP\/2\.0 603 /, from);
    } else if (way === 'cancel') {
      this.#sayLike(ringing, 'CANCEL');
      await this.#pbx.hears(/^SIP\/2\.0 487 /, from);
    } else {
      this.#isSlow = true;
      await this.#desk.press('answer');
      const answer = await this.#pbx.hears(/^SIP\/2\.0 [2-6][^]*^CSeq: \d+ INVITE/m, from);
      if (answer.startsWith('SIP/2.0 2')) await this.#acknowledge(answer, chance);
    }
    this.#isSlow = false;
    await this.#hangUp();
  }

  /** Late, oddly, or as it should be; the agent may have hung up before. */
  async #acknowledge(answer: string, chance: Chance): Promise<void> {
    const vendor = chance.of(vendors);
    if (chance.is(20)) await this.#desk.press('hang up');
    const place = {
      ...this.#newPlace(vendor, headerOf(answer, 'Call-ID')),
      from: headerOf(answer, 'From'),
      to: headerOf(answer, 'To'),
      branch: `z9hG4bK-ack-${String(this.#count)}`,
      cseq: Number.parseInt(headerOf(answer, 'CSeq')),
    };
    if (chance.is(50)) await this.#say(vendor.name, mutated(requestOf(vendor, 'ACK', place, chance.below(2)), chance));
    this.#sayLike(answer, 'ACK');
    if (chance.is(50)) this.#sayLike(answer, 'BYE');
  }

  /** A request about a call as the phone has answered it. */
  #sayLike(answer: string, method: 'ACK' | 'CANCEL' | 'BYE'): void {
    const number = Number.parseInt(headerOf(answer, 'CSeq'));
    const isSame = method === 'CANCEL';
    const via = headerOf(answer, 'Via');
    const to = isSame ? headerOf(answer, 'To').replace(/;tag=[^;]*/, '') : headerOf(answer, 'To');
    this.#pbx.sayAsIs(
      [
        `${method} sip:ada@pbx.test SIP/2.0`,
        `Via: ${isSame ? via : `SIP/2.0/WS 10.0.0.5;branch=z9hG4bK-${method}-${String(this.#pbx.told.length)}`}`,
        'Max-Forwards: 70',
        `From: ${headerOf(answer, 'From')}`,
        `To: ${to}`,
        `Call-ID: ${headerOf(answer, 'Call-ID')}`,
        `CSeq: ${String(method === 'BYE' ? number + 1 : number)} ${method}`,
        'Content-Length: 0',
        '',
        '',
      ].join('\r\n'),
    );
  }

  /** The agent answers what rings. @returns the phone's answer */
  async #isAnswered(from: number): Promise<string> {
    await this.#desk.press('answer');
    const answer = await this.#pbx.hears(/^SIP\/2\.0 [2-6][^]*^CSeq: \d+ INVITE/m, from);
    if (!answer.startsWith('SIP/2.0 200')) throw new Error(`a call as it should be is answered ${answer}`);
    this.#sayLike(answer, 'ACK');
    await this.#desk.isConnected();
    return answer;
  }

  /** The agent ends what there is, until there is nothing. */
  async #hangUp(): Promise<void> {
    await eventually(async () => {
      const seen = await this.#desk.sees();
      if (seen !== 'nothing') await this.#desk.press(seen === 'ring' ? 'decline' : 'hang up');
      if ((await this.#desk.sees()) !== 'nothing') throw new Error('the call has not ended');
    });
  }

  /** No call, registered, and Ready. */
  async #isIdle(): Promise<void> {
    await this.#hangUp();
    await this.#desk.isReady();
    await this.#barrier();
  }

  /** As PBXs answer what is no part of the scene. */
  #answer(text: string): void {
    const method = /^([A-Z]+) /.exec(text)?.[1];
    if (method === undefined || method === 'ACK' || method === 'REGISTER') {
      // Accepted again and again until that is heard.
      if (!this.#isSlow && /^SIP\/2\.0 200 [^]*^CSeq: \d+ INVITE\r$/m.test(text)) this.#sayLike(text, 'ACK');
      return;
    }
    if (method !== 'INVITE') return this.#pbx.answer(text, '200 OK');
    const onDialed = this.#onDialed;
    this.#onDialed = null;
    if (onDialed !== null) onDialed(text);
    else this.#pbx.answer(text, headerOf(text, 'To').includes('tag=') ? '488 Not Acceptable Here' : '486 Busy Here');
  }

  #newId(): string {
    return `odd-${String(this.#count)}`;
  }

  #newPlace(vendor: Vendor, callId: string): Place {
    return {
      target: 'sip:ada@pbx.test',
      callId,
      branch: `z9hG4bK${callId}`,
      cseq: 1,
      from: `${vendor.caller};tag=of-${callId}`,
      to: '<sip:ada@pbx.test>',
    };
  }
}

/** Whether a text is, by its sender's intention, a request that wants an answer, and says whither. */
function isToBeAnswered(text: string): boolean {
  const head = text.split(/\r\n\r\n/, 1)[0] ?? '';
  const method = /^([A-Z]{1,20}) +\S+ +SIP\/2\.0\r\n/i.exec(head)?.[1];
  const headers = ['via|v', 'from|f', 'to|t', 'call-id|i', 'cseq'];
  return (
    method !== undefined &&
    method !== 'ACK' &&
    headers.every((name) => new RegExp(`\r\n(?:${name})[ \t]*:[ \t]*\\S[^\r]{0,8000}\r`, 'i').test(`${head}\r`))
  );
}

/** Whether a text is a final answer to that request beyond doubt, and in the bounds of what is read. */
function isFinalTo(request: string, text: string): boolean {
  const head = text.split(/\r\n\r\n/, 1)[0] ?? '';
  const lines = head.split('\r\n');
  const same = ['Via', 'From', 'Call-ID', 'CSeq'].every(
    (name) =>
      lines.filter((line) => new RegExp(`^(?:${name}|${name[0]!})[ \t]*:`, 'i').test(line)).join() ===
      `${name}: ${headerOf(request, name)}`,
  );
  return (
    /^SIP\/2\.0 [2-6]\d\d\b/.test(head) &&
    same &&
    head.includes(`\r\nTo: <sip:${dialed}@pbx.test>;tag=of-`) &&
    lines.length <= 150 &&
    text.length <= 200_000 &&
    lines.every((line) => line.length <= 8_000)
  );
}

function textOf(frame: Frame): string {
  return typeof frame === 'string' ? frame : new TextDecoder().decode(frame);
}

/** A message as an error can show it. */
function shortened(text: string): string {
  return text.length > 3_000
    ? `${text.slice(0, 1_500)} … ${String(text.length - 2_000)} more … ${text.slice(-500)}`
    : text;
}
