import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, vi } from 'vitest';
import { type Direction, directionOf, withDirection } from '../../../web/src/lib/sip/jssip/holding.ts';
import { HangUpStorage } from '../../../web/src/lib/sip/pendingHangUps.ts';
import type { PhoneEvents } from '../../../web/src/lib/sip/phone.ts';
import { SipPhone } from '../../../web/src/lib/sip/sipPhone.ts';
import { newTab } from '../workplace/workplaces.ts';
import { sdp } from './mutePeer.ts';
import { PbxDialog, ScriptedPbx, standInForBrowser } from './scriptedPbx.ts';
import { eventually } from '../time/waiting.ts';

/** The browser's telephone at a PBX that says what its test wants; a new one for each test. */
export class ScriptedPhone {
  readonly pbx: ScriptedPbx;
  readonly phone: SipPhone;
  /** What its calls are given; `renew` as a test wants it. */
  readonly servers = { current: [] as RTCIceServer[], renew: async () => {} };
  /** What the telephone told, in order, such as `['held', true]`. */
  readonly told: unknown[][] = [];

  constructor(pbx: ScriptedPbx) {
    this.pbx = pbx;
    const { wssUrl, user, secret, domain, displayName } = pbx.account;
    const account = { wss_url: wssUrl, user, secret, domain, display_name: displayName };
    this.phone = new SipPhone(
      { mode: 'sip', demo: false, no_answer_seconds: 60, ...account },
      this.servers,
      new HangUpStorage(newTab().store, 'ada'),
    );
    const events: (keyof PhoneEvents)[] = [
      'incoming',
      'turnedAway',
      'ringing',
      'connected',
      'callerChanged',
      'held',
      'heldByOther',
      'muted',
      'move',
      'transferring',
      'consult',
      'ended',
      'problem',
    ];
    for (const event of events) this.phone.on(event, (...about: unknown[]) => void this.told.push([event, ...about]));
    this.phone.start();
  }

  /** Waits until the telephone has told that. */
  tells(...what: unknown[]): Promise<void> {
    return eventually(() => {
      if (!this.told.some((one) => isDeepStrictEqual(one, what)))
        throw new Error(`not told yet: ${String(what)}; ${this.told.join('; ')}`);
    });
  }

  async isReady(): Promise<void> {
    await eventually(() => this.phone.line.state === 'ready');
  }

  /** The agent calls a customer, who answers. */
  async dials(): Promise<PbxDialog> {
    await this.isReady();
    this.phone.dial('+15551230001', 'the-call');
    const invite = await this.pbx.hears(/^INVITE /);
    this.pbx.answer(invite, '200 OK', sdp);
    await this.pbx.hears(/^ACK /);
    await this.tells('connected');
    return this.dialogOf(invite);
  }

  /** The call that a dial has begun. */
  dialogOf(invite: string): PbxDialog {
    return PbxDialog.ofTheirs(this.pbx, invite);
  }

  /** A customer calls, and is answered. */
  async answers(): Promise<PbxDialog> {
    await this.isReady();
    const dialog = PbxDialog.ofOurs(this.pbx);
    this.pbx.invite();
    await eventually(() => this.told.some(([event]) => event === 'incoming'));
    this.phone.answer();
    const ok = await this.pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/);
    dialog.acknowledge(ok);
    await this.tells('connected');
    return dialog;
  }
}

/** @returns how a test gets at its telephone */
export function useScriptedPhone(): () => ScriptedPhone {
  let at: ScriptedPhone;
  beforeEach(async () => {
    standInForBrowser();
    at = new ScriptedPhone(await ScriptedPbx.open());
  });
  afterEach(async () => {
    await at.pbx.isLeftBy(() => at.phone.stop());
    await at.pbx.close();
    vi.unstubAllGlobals();
  });
  return () => at;
}

/** The SDP of a side that wants its voice to go that way. */
export function going(direction: Direction): string {
  return withDirection(sdp, direction);
}

/** Which way the voice of an offer or an answer goes. */
export function wayOf(message: string): Direction {
  return directionOf(message.slice(message.indexOf('\r\n\r\n') + 4));
}
