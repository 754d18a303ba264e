/**
 * Why an agent's phone cannot be used now, with what the sentence for it names;
 * the sentences are `phone.trouble` of the catalogs.
 */
export type PhoneTrouble =
  | {
      why:
        | 'not_set_up'
        | 'no_account'
        | 'insecure_page'
        /** The phone network is out of reach; why is being looked for. */
        | 'connection_lost'
        /** This computer is. */
        | 'offline'
        | 'microphone_missing'
        /** The browser may not ask for it, or the agent said no. */
        | 'microphone_forbidden'
        | 'microphone_busy'
        | 'microphone_unusable';
    }
  /** The settings are no address, or the SIP library could not be loaded. `reason`: as the browser put it. */
  | { why: 'not_started'; reason: string }
  /**
   * What the network answered to REGISTER: a code that is the account's fault, or the network's;
   * or `place_taken`: that it has as many other telephones of the account as it takes.
   */
  | { why: 'account_refused' | 'registration_refused_with' | 'place_taken'; sipCode: number }
  /** The network wants the secret to be proved in a way that is not known. `asked`: as it named it. */
  | { why: 'digest_unknown'; asked: string }
  | {
      why:
        /** Its machine answers HTTP; the phone network does not answer. Before, it did. */
        | 'network_silent'
        /** Something answers HTTP there that was no phone network yet. */
        | 'not_a_network'
        /** Nothing comes back at all. */
        | 'host_silent'
        /** The connection is refused; before, it was not. */
        | 'network_gone'
        /** The connection is refused, and no certificate is at stake. */
        | 'no_network'
        /** The connection is refused, perhaps for its certificate. */
        | 'untrusted_or_no_network';
      host: string;
    };

/** Whether the phone can make and take calls. `link`: where the browser shows more of why not. */
export type PhoneLine =
  | { state: 'starting' }
  | { state: 'ready' }
  | ({ state: 'unavailable'; retrying: boolean; link?: string } & PhoneTrouble);
