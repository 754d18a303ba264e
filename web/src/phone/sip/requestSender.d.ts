/** Sends one request, and again with the account's secret where the network asks for it. JsSIP does not say so itself. */
declare module 'jssip/lib/RequestSender.js' {
  type Request = import('jssip/lib/SIPMessage.js').OutgoingRequest;
  export default class RequestSender {
    constructor(ua: import('jssip').UA, request: Request, listeners: { onTransportError: () => void; onRequestTimeout: () => void });
    send(): void;
  }
}
