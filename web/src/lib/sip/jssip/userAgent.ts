import { UA } from 'jssip';
import type { TransferCode } from '../../../../../src/contract/telephony.ts';
import type { IceServers } from '../iceServers.ts';
import { type HangUp, type HangUpStorage, PendingHangUps } from '../pendingHangUps.ts';
import type { ConsultOptions, PhoneDialog } from '../phoneCall.ts';
import { AccountCalls, type OnInvite } from './accountCalls.ts';
import { addressOfContact, claimContact, type OwnContact, RegisteredContacts } from './ownContacts.ts';
import { cancelOf, sendBye } from './sipDialogs.ts';
import { knowDigests } from './digest.ts';
import { insideOfTelephone, type TelephoneInside } from './jssipInside.ts';
import { takeWhatIsAllowed } from './jssipPatches.ts';
import type { Referral } from './referral.ts';
import { RegistrationPlace } from './registrationPlace.ts';
import { forCallHeader, type SipCall, type SipCallListener } from './sipCall.ts';
import { unknownHeader } from './reading/challenges.ts';
import { readableHost, readableUri } from './reading/standIns.ts';
import { SipSocket, type Unread } from './sipSocket.ts';

export { claimContact };

export type SipAccount = {
  /** Absolute. */
  wssUrl: string;
  user: string;
  secret: string;
  domain: string;
  displayName: string;
  servers: IceServers;
  contact: OwnContact;
  /** In the INVITE to a customer, with the gateway's id of the call, as a PBX names its recording. Empty: none. */
  callIdHeader: string;
  /** In the same, with the number that the customer is to see. */
  callerIdHeader: string;
  /** See SipCallNeeds. */
  dialedNumberHeader: string | null;
  queueHeader: string | null;
  transfer: TransferCode;
};

export type UserAgentListener = {
  onRegistered: () => void;
  /** The telephone network is out of reach; it is tried again. */
  onDown: () => void;
  /**
   * It was reached, and refuses the account; it is tried again. `code`: of its answer. `asked`: it wants to be told the
   * secret in ways that are not known, by their names; null: that was not the matter. `isTaken`: it has as many other
   * telephones of the account as it takes.
   */
  onRefused: (code: number, asked: string | null, isTaken: boolean) => void;
  /** A message of the telephone network could not be read. */
  onUnread: (unread: Unread) => void;
  onInvite: OnInvite;
};

/** Renewed well before its end; a telephone that vanished is forgotten by the network after this. Seconds. */
const registerForSeconds = 120;
/** Of waiting for the network between two tries. Seconds. */
const recoverySeconds = { min: 1, max: 15 };
/** An agent who does not answer by then is not there; shorter than the gateway waits for the end of a ring. Seconds. */
const ringForSeconds = 110;
/**
 * After a refusal by the account's fault, which seldom passes and which networks punish when repeated;
 * else. Milliseconds.
 */
const refusedAgainMs = 60_000;
const failedAgainMs = 10_000;
/**
 * An answer that says for good whether the account is registered has come by then,
 * whatever came before it. Milliseconds.
 */
const registeredWithinMs = 20_000;

/** One agent's SIP account at the telephone network, over JsSIP. */
export class SipUserAgent {
  readonly #account: SipAccount;
  readonly #listener: UserAgentListener;
  readonly #socket: SipSocket;
  readonly #ua: UA;
  readonly #hangUps: PendingHangUps;
  readonly #calls: AccountCalls;
  readonly #place: RegistrationPlace;
  #again: ReturnType<typeof setTimeout> | undefined;
  #undecided: ReturnType<typeof setTimeout> | undefined;
  #isWithdrawn = false;

  /** @param storage what this telephone, and those before it, could not tell the network */
  constructor(account: SipAccount, storage: HangUpStorage, listener: UserAgentListener) {
    this.#account = account;
    this.#listener = listener;
    this.#socket = new SipSocket(account.wssUrl, listener.onUnread);
    this.#ua = new UA({
      sockets: [this.#socket],
      uri: this.#address(account.user),
      password: account.secret,
      display_name: account.displayName,
      contact_uri: addressOfContact(account.contact),
      instance_id: account.contact.instance,
      register: true,
      register_expires: registerForSeconds,
      // As SessionTimer has them.
      session_timers: true,
      no_answer_timeout: ringForSeconds,
      connection_recovery_min_interval: recoverySeconds.min,
      connection_recovery_max_interval: recoverySeconds.max,
      user_agent: 'Readyline',
    });
    this.#place = new RegistrationPlace(
      this.#ua,
      account.contact,
      new RegisteredContacts(`${account.user}@${account.domain}`),
    );
    this.#hangUps = new PendingHangUps({
      storage,
      // A telephone that is called no more is not registered either.
      isReachable: () => (this.#isWithdrawn ? this.#ua.isConnected() : this.#ua.isRegistered()),
      send: (hangUp, onUnsent) => this.#sendHangUp(hangUp, onUnsent),
    });
    const needs = {
      servers: account.servers,
      hosts: new Set(
        [account.domain, new URL(account.wssUrl).hostname].map((host) =>
          readableHost(host.toLowerCase().replace(/:\d+$/, '')),
        ),
      ),
      addressOf: (number: string) => this.#address(number),
      ownUser: account.user,
      dialedNumberHeader: account.dialedNumberHeader,
      queueHeader: account.queueHeader,
      transfer: account.transfer,
      isConnected: () => this.#ua.isConnected(),
      checkLine: () => this.#checkLine(),
      expectAnswer: () => this.#socket.expectAnswer(),
      byeLost: (dialog: PhoneDialog) => this.release(dialog),
      inviteLost: (invite: string) => this.#hangUps.add({ cancel: cancelOf(invite) }),
    };
    this.#calls = new AccountCalls(this.#ua, needs, (call, isBusy) =>
      this.#isWithdrawn ? null : listener.onInvite(call, isBusy),
    );
    this.#listen();
  }

  start(): void {
    addEventListener('online', this.#hurry);
    this.#ua.start();
  }

  /**
   * Calls a number of the network.
   * @param stream what the other side hears
   * @param options `callId`: the gateway's id of this call, told to the network; `forCall`: a colleague's call that
   * rings by it
   * Throws where the browser takes no part in it.
   */
  dial(
    number: string,
    stream: MediaStream,
    listener: SipCallListener,
    {
      callId,
      callerId = null,
      forCall,
    }: Pick<ConsultOptions, 'forCall'> & { callId?: string; callerId?: string | null } = {},
  ): SipCall {
    const { callIdHeader, callerIdHeader } = this.#account;
    const isFrom = callerIdHeader === 'From';
    const isOwn = /^x-/i.test(callerIdHeader);
    const headers = [
      ...(callId === undefined || callIdHeader === '' ? [] : [`${callIdHeader}: ${callId}`]),
      ...(forCall === undefined ? [] : [`${forCallHeader}: ${forCall}`]),
      ...(callerId === null || isFrom
        ? []
        : [`${callerIdHeader}: ${isOwn ? callerId : `<${this.#address(callerId)}>`}`]),
    ];
    const from = isFrom ? callerId : null;
    return this.#calls.invite({ target: this.#address(number), from, headers }, stream, listener);
  }

  /** Takes the place of another telephone in its call (RFC 3891). Throws as `dial` does. */
  replace(
    { callId, localTag, remoteTag, address }: PhoneDialog,
    stream: MediaStream,
    listener: SipCallListener,
  ): SipCall {
    // The tags as the other side sees them: its own is the `to`. Who cannot do it must refuse it, and call nobody.
    const headers = [`Replaces: ${callId};to-tag=${remoteTag};from-tag=${localTag}`, 'Require: replaces'];
    return this.#calls.invite({ target: address, takesOver: true, headers }, stream, listener);
  }

  /** Calls whom the other side of a call has named, for the call to go on with. Throws as `dial` does. */
  refer({ target, headers }: Referral, stream: MediaStream, listener: SipCallListener): SipCall {
    return this.#calls.invite({ target, headers }, stream, listener);
  }

  /** Hangs up in a dialog that no call here stands for, as soon as the network can be reached. */
  release(dialog: PhoneDialog): void {
    this.#hangUps.add({ bye: dialog });
  }

  /** Is called no more; a call goes on. */
  withdraw(): void {
    this.#isWithdrawn = true;
    clearTimeout(this.#again);
    clearTimeout(this.#undecided);
    this.#ua.unregister();
  }

  /** Ends calls and registration. */
  stop(): void {
    this.withdraw();
    removeEventListener('online', this.#hurry);
    // A CANCEL is due at the first answer to its INVITE, for which nobody may be here any more; over one WebSocket it
    // cannot overtake it.
    for (const invite of this.#calls.unheardInvites) this.#socket.send(cancelOf(invite));
    this.#ua.stop();
  }

  /** Goes without a word: the other side waits for whoever takes the call over. */
  abandon(): void {
    this.#isWithdrawn = true;
    removeEventListener('online', this.#hurry);
    clearTimeout(this.#again);
    clearTimeout(this.#undecided);
    this.#calls.abandon();
    // Ends the timers of JsSIP as well, which would register and connect again.
    this.#transport.disconnect();
  }

  /** The browser is on a network again: the next try is due now. */
  readonly #hurry = (): void => {
    this.#socket.check();
    this.#reconnect();
  };

  /** Does nothing where there is a line, or one is being opened. */
  #reconnect(): void {
    this.#transport.connect();
  }

  get #transport(): TelephoneInside['transport'] {
    return insideOfTelephone(this.#ua).transport;
  }

  /**
   * A network that says nothing, or nothing for good (100), is one whose line is dead: another one is opened,
   * and the agent told.
   */
  #awaitRegistration(): void {
    clearTimeout(this.#undecided);
    if (!this.#isWithdrawn) this.#undecided = setTimeout(() => this.#socket.renew(), registeredWithinMs);
  }

  /** Not every network answers a sign of life; a registration is answered by all. */
  #checkLine(): void {
    if (!this.#socket.isConnected()) return this.#reconnect();
    // Nothing else is answered for sure: a line that is not known to be dead is kept.
    if (this.#isWithdrawn) return this.#socket.check();
    this.#ua.register();
    this.#socket.expectAnswer();
  }

  #address(user: string): string {
    const address = `sip:${encodeURIComponent(user).replaceAll('%2B', '+')}@${this.#account.domain}`;
    return readableUri(address) ?? address;
  }

  #sendHangUp(hangUp: HangUp, onUnsent: () => void): void {
    if ('bye' in hangUp) {
      sendBye(this.#ua, hangUp.bye, onUnsent);
      this.#socket.expectAnswer();
    } else if (!this.#socket.send(hangUp.cancel)) onUnsent();
  }

  #listen(): void {
    const ua = this.#ua;
    takeWhatIsAllowed(ua);
    knowDigests(ua);
    ua.on('connected', () => {
      this.#awaitRegistration();
      // Else all this waits until it is registered: before, its network may not answer it.
      if (!this.#isWithdrawn) return;
      this.#hangUps.sendAll();
      this.#calls.regainLine();
    });
    ua.on('disconnected', () => {
      clearTimeout(this.#again);
      clearTimeout(this.#undecided);
      this.#calls.loseLine();
      if (!this.#isWithdrawn) this.#listener.onDown();
    });
    ua.on('registered', () => {
      clearTimeout(this.#undecided);
      this.#place.taken();
      // Its registration was under way when it was withdrawn.
      if (this.#isWithdrawn) ua.unregister();
      this.#hangUps.sendAll();
      this.#calls.regainLine();
      if (!this.#isWithdrawn) this.#listener.onRegistered();
    });
    ua.on('registrationFailed', ({ response }) => {
      clearTimeout(this.#undecided);
      if (this.#isWithdrawn || !ua.isConnected()) return;
      const code = (response as typeof response | null)?.status_code ?? null;
      // Nobody answers: the line is dead, whatever the browser thinks of it.
      if (code === null) return this.#socket.renew();
      void this.#beRefused(code, (response.getHeader(unknownHeader) as string | undefined) ?? null);
    });
    ua.on('unregistered', ({ response }) => {
      // Else the line is gone, and the network does not know.
      if ((response as typeof response | undefined)?.status_code === 200) this.#place.left();
    });
  }

  async #beRefused(code: number, asked: string | null): Promise<void> {
    const place = asked === null ? await this.#place.find(code) : 'unknown';
    if (this.#isWithdrawn || !this.#ua.isConnected() || this.#ua.isRegistered()) return;
    clearTimeout(this.#again);
    if (place === 'freed') return this.#registerAgain();
    this.#listener.onRefused(code, asked, place === 'taken');
    const isAccounts = code >= 400 && code < 500 && place !== 'taken';
    this.#again = setTimeout(() => this.#registerAgain(), isAccounts ? refusedAgainMs : failedAgainMs);
  }

  #registerAgain(): void {
    this.#awaitRegistration();
    this.#ua.register();
  }
}
