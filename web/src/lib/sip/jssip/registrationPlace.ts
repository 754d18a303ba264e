import type { IncomingResponse } from 'jssip/lib/SIPMessage.js';
import type { UA } from 'jssip';
import { insideOfTelephone, NewRequest, RequestSender } from './jssipInside.ts';
import { addressOfContact, type OwnContact, type RegisteredContacts } from './ownContacts.ts';
import { parameterOf, readAddresses } from './reading/address.ts';

/**
 * `freed`: the next try may succeed. `taken`: other telephones have the account's places.
 * `unknown`: that is not what the network minds.
 */
export type Place = 'freed' | 'taken' | 'unknown';

/**
 * Until the account is registered: an account that the network refuses for other reasons is not
 * asked about again and again.
 */
const mostAsks = 3;

/**
 * A network that takes only so many telephones for an account (`max_contacts`) refuses one more, also while the one
 * that it has is a page that was killed, and says as little as to a wrong secret. So it is asked who it has: what this
 * browser has left there is taken back.
 */
export class RegistrationPlace {
  readonly #ua: UA;
  readonly #own: OwnContact;
  readonly #registered: RegisteredContacts;
  #asks = 0;
  #found: Place = 'unknown';

  constructor(ua: UA, own: OwnContact, registered: RegisteredContacts) {
    this.#ua = ua;
    this.#own = own;
    this.#registered = registered;
  }

  /** This telephone has its place. */
  taken(): void {
    this.#asks = 0;
    this.#found = 'unknown';
    this.#registered.add(this.#own);
  }

  /** It has given it back. */
  left(): void {
    this.#registered.forget(this.#own);
  }

  /**
   * @param code that the registration was refused with
   * @returns why, and what can be done: at most 3 times, until it is registered
   */
  async find(code: number): Promise<Place> {
    if (code !== 403 && code < 500) return 'unknown';
    if (this.#asks >= mostAsks) return this.#found;
    this.#asks += 1;
    this.#found = 'unknown';
    const found = await this.#look();
    if (found !== 'freed') this.#found = found;
    return found;
  }

  async #look(): Promise<Place> {
    const former = this.#registered.all.filter(({ user }) => user !== this.#own.user);
    for (const contact of former) {
      if (
        (await this.#takeBack(
          `<${addressOfContact(contact)}>;reg-id=1;+sip.instance="<urn:uuid:${contact.instance}>"`,
        )) === null
      )
        return 'unknown';
      this.#registered.forget(contact);
    }
    if (former.length > 0) return 'freed';
    const answer = await this.#ask(null);
    if (answer === null) return 'unknown';
    const there = (answer.getHeaders('contact') as string[]).flatMap((value) => readAddresses(value));
    // As the network has written it: not every one keeps the host.
    const ours = there.filter(
      ({ uri, parameters }) =>
        uri.toLowerCase().startsWith(`sip:${this.#own.user}@`) ||
        parameterOf(parameters, '+sip.instance')?.includes(this.#own.instance) === true,
    );
    for (const { uri } of ours) await this.#takeBack(`<${uri}>`);
    if (ours.length > 0) return 'freed';
    return there.length > 0 ? 'taken' : 'unknown';
  }

  #takeBack(contact: string): Promise<IncomingResponse | null> {
    return this.#ask(`${contact};expires=0`);
  }

  /**
   * A REGISTER beside the library's own.
   * @param contact null: only asks
   * @returns what accepts it; null: it is refused, or not answered
   */
  #ask(contact: string | null): Promise<IncomingResponse | null> {
    const { registrar_server: registrar, uri } = insideOfTelephone(this.#ua).configuration;
    const headers = contact === null ? [] : [`Contact: ${contact}`, 'Expires: 0'];
    const request = new NewRequest('REGISTER', registrar, this.#ua, { to_uri: uri }, headers);
    return new Promise((resolve) => {
      const fail = () => resolve(null);
      new RequestSender(this.#ua, request, {
        onTransportError: fail,
        onRequestTimeout: fail,
        onReceiveResponse: (response) => {
          if (response.status_code >= 200) resolve(response.status_code < 300 ? response : null);
        },
      }).send();
    });
  }
}
