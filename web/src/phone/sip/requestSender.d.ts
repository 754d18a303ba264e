/** Sends one request, and again with the account's secret where the network asks for it. JsSIP does not say so itself. */
declare module 'jssip/lib/RequestSender.js' {
  import type { UA } from 'jssip';
  import type { OutgoingRequest } from 'jssip/lib/SIPMessage.js';

  export default class RequestSender {
    constructor(ua: UA, request: OutgoingRequest, listeners: { onTransportError: () => void; onRequestTimeout: () => void });
    send(): void;
  }
}
