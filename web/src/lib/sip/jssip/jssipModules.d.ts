/**
 * Sends one request, and again with the account's secret where the network asks for it. JsSIP does not say so itself.
 */
declare module 'jssip/lib/RequestSender.js' {
  import type { UA } from 'jssip';
  import type { IncomingResponse, OutgoingRequest } from 'jssip/lib/SIPMessage.js';

  export default class RequestSender {
    constructor(
      ua: UA,
      request: OutgoingRequest,
      listeners: {
        onTransportError: () => void;
        onRequestTimeout: () => void;
        onAuthenticated?: (request: OutgoingRequest) => void;
        onReceiveResponse?: (response: IncomingResponse) => void;
      },
    );
    send(): void;
  }
}

/** The same of a request in a dialog. */
declare module 'jssip/lib/Dialog/RequestSender.js' {
  import type { OutgoingRequest } from 'jssip/lib/SIPMessage.js';

  export default class DialogRequestSender {
    /** Whether a 491 is for the sender to know; else JsSIP sends the same offer again, be it out of date or not. */
    _reattempt: boolean;
    constructor(dialog: object, request: OutgoingRequest, handlers: object);
    send(): void;
  }
}

/** What proves to a network who one is. */
declare module 'jssip/lib/DigestAuthentication.js' {
  export default class DigestAuthentication {}
}
