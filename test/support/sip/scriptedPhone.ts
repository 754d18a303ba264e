import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, vi } from 'vitest';
import type { TransferCode } from '../../../src/contract/telephony.ts';
import { type Direction, directionOf, withDirection } from '../../../web/src/lib/sip/jssip/holding.ts';
import { HangUpStorage } from '../../../web/src/lib/sip/pendingHangUps.ts';
import { type CallKey, nextCallKey, type PhoneCall, type PhoneDialog } from '../../../web/src/lib/sip/phoneCall.ts';
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
  /**
   * What the telephone told, in order, such as `['held', true]`; of the audio each thing by itself, such as
   * `['isHeldByOther', true]`.
   */
  readonly told: unknown[][] = [];
  #key: CallKey = 0;

  /** @param more of the settings */
  constructor(pbx: ScriptedPbx, more: { transfer?: TransferCode } = {}) {
    this.pbx = pbx;
    const { wssUrl, user, secret, domain, displayName } = pbx.account;
    const account = { wss_url: wssUrl, user, secret, domain, display_name: displayName };
    this.phone = new SipPhone(
      { mode: 'sip', demo: false, no_answer_seconds: 60, ...account, ...more },
      this.servers,
      new HangUpStorage(newTab().store, 'ada'),
    );
    const tell = (...what: unknown[]) => void this.told.push(what);
    this.phone.on('incoming', (key, caller) => {
      this.#key = key;
      tell('incoming', caller);
    });
    this.phone.on('turnedAway', (caller) => tell('turnedAway', caller));
    this.phone.on('problem', (problem) => tell('problem', problem));
    this.phone.on('call', (_key, { type, ...about }) => {
      if ('media' in about) for (const [name, value] of Object.entries(about.media)) tell(name, value);
      else tell(type, ...Object.values(about));
    });
    this.phone.start();
  }

  /** The last one that began; null: it is over, or none has begun. */
  get call(): PhoneCall | null {
    return this.phone.call(this.#key);
  }
  get dialog(): PhoneDialog | null {
    return this.call?.dialog ?? null;
  }

  dial(): void {
    this.#key = nextCallKey();
    this.phone.dial(this.#key, { phoneNumber: '+15551230001', callId: 'the-call', callerId: null });
  }

  takeOver(dialog: PhoneDialog): void {
    this.#key = nextCallKey();
    this.phone.takeOver(this.#key, dialog);
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
    this.dial();
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
    this.call?.answer();
    const ok = await this.pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/);
    dialog.acknowledge(ok);
    await this.tells('connected');
    return dialog;
  }
}

/** @param more of its settings; @returns how a test gets at its telephone */
export function useScriptedPhone(more: { transfer?: TransferCode } = {}): () => ScriptedPhone {
  let at: ScriptedPhone;
  beforeEach(async () => {
    standInForBrowser();
    at = new ScriptedPhone(await ScriptedPbx.open(), more);
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
