import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SipSocket, type Unread } from '../../../../../web/src/lib/sip/jssip/sipSocket.ts';

const ping = '\r\n\r\n';
const pong = '\r\n';

/** A WebSocket whose other side is the test. */
class HandSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  readyState = HandSocket.CONNECTING;
  readonly sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor() {
    made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = HandSocket.CLOSED;
  }
  open(): void {
    this.readyState = HandSocket.OPEN;
    this.onopen?.();
  }
  say(data: string): void {
    this.onmessage?.({ data });
  }
}

const made: HandSocket[] = [];
const ondisconnect = vi.fn<SipSocket['ondisconnect']>();
let socket: SipSocket;
let line: HandSocket;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', HandSocket);
  socket = new SipSocket('wss://pbx.test/');
  socket.ondisconnect = ondisconnect;
  socket.connect();
  line = made.at(-1)!;
});
afterEach(() => {
  socket.disconnect();
  ondisconnect.mockReset();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (seconds: number) => void vi.advanceTimersByTime(seconds * 1000);
const failed = [true, 1006, 'no answer'];

describe('the keep-alive of the line', () => {
  it('counts anew from each pong, as browsers slow down what repeats itself in a hidden page', () => {
    line.open();
    pass(20);
    expect(line.sent).toEqual([ping]);
    pass(5);
    line.say(pong);
    pass(19);
    expect(line.sent).toEqual([ping]);
    pass(1);
    expect(line.sent).toEqual([ping, ping]);
  });

  it('goes on where pings are not answered', () => {
    line.open();
    pass(60);
    expect(line.sent).toEqual([ping, ping, ping]);
    expect(ondisconnect).not.toHaveBeenCalled();
  });

  it('ends a line whose pongs no longer come', () => {
    line.open();
    pass(20);
    line.say(pong);
    pass(29);
    expect(ondisconnect).not.toHaveBeenCalled();
    pass(1);
    expect(ondisconnect.mock.calls).toEqual([failed]);
    expect(line.readyState).toBe(HandSocket.CLOSED);
  });
});

describe('a line', () => {
  it('that neither opens nor fails is ended, so that another one is tried', () => {
    pass(10);
    expect(ondisconnect.mock.calls).toEqual([failed]);
    expect(line.readyState).toBe(HandSocket.CLOSED);
  });

  it('that has opened is left open', () => {
    pass(9);
    line.open();
    pass(9);
    expect(ondisconnect).not.toHaveBeenCalled();
  });

  it('that is opening when the network changes is ended at once', () => {
    socket.check();
    expect(ondisconnect.mock.calls).toEqual([failed]);
  });

  it('that says nothing to what is answered at once is ended, and any word keeps it', () => {
    line.open();
    socket.expectAnswer();
    line.say('SIP/2.0 100 Trying');
    pass(3);
    expect(ondisconnect).not.toHaveBeenCalled();
    socket.expectAnswer();
    pass(3);
    expect(ondisconnect.mock.calls).toEqual([failed]);
  });

  it('that died when the network changed is found by a ping of its own, and sooner', () => {
    line.open();
    line.say(pong);
    socket.check();
    expect(line.sent).toEqual([ping]);
    pass(3);
    expect(ondisconnect.mock.calls).toEqual([failed]);
  });

  it('on which something comes that the SIP library fails at stays open, and answers that it cannot', () => {
    const onUnread = vi.fn<(unread: Unread) => void>();
    const [error, warn] = [
      vi.spyOn(console, 'error').mockReturnValue(undefined),
      vi.spyOn(console, 'warn').mockReturnValue(undefined),
    ];
    socket = new SipSocket('wss://pbx.test/', onUnread);
    socket.ondata = () => {
      throw new TypeError('a fault of the library');
    };
    socket.connect();
    line = made.at(-1)!;
    line.open();
    const headers = [
      'Via: SIP/2.0/WS a.test;branch=x',
      'From: <sip:a@a.test>;tag=1',
      'To: <sip:b@a.test>',
      'Call-ID: c',
      'CSeq: 1 INVITE',
      '',
      '',
    ];
    line.say(['INVITE sip:b@a.test SIP/2.0', ...headers].join('\r\n'));
    expect(line.sent.join()).toMatch(/^SIP\/2\.0 500 /);
    expect(onUnread).toHaveBeenCalledWith({ what: 'failure', isCall: true });
    expect(error).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledWith('sip_message_unread', { method: 'INVITE', what: 'failure' });
    expect(ondisconnect).not.toHaveBeenCalled();
  });
});
