import type { DemoRingResult } from '../../contract/demo.ts';
import { Call, token } from './call.ts';
import { echoNumber } from './numbers.ts';
import { headerOf, parseAddress, type SipResponse, userOf } from './sipMessage.ts';
import { type HeaderLines, sipDomain } from './sipText.ts';
import { type CallNeeds, dialogHeaders } from './takeCall.ts';

/** Who calls: a number in E.164, or an agent's account, and a name to show. `headers`: further ones of the INVITE. */
export type Caller = { from: string; name: string | null; headers?: HeaderLines };

/** `away`: nobody is at that telephone just now (480), as while its page is loaded anew. */
export type RingResult = DemoRingResult | 'away';

/** A call to an agent that is under way. */
export type Ringing<Result = RingResult> = {
  /** Once it is answered or over. */
  result: Promise<Result>;
  /** Hangs up before an answer; afterwards does nothing. */
  cancel(): void;
  /** Null: it could not be begun. */
  call: Call | null;
  /** Of `passed_on`: whom the telephone has named to be rung instead; null: nobody that can be read. */
  passedTo: () => string | null;
};

/** Calls from outside to the agents. */
export interface Ringer {
  ring(user: string, caller: Caller): Ringing;
  /** A telephone's answer to a request of the carrier's. */
  takeResponse(response: SipResponse): Promise<void>;
}

/** A telephone has one that is heard and one that waits, as lines of PBXs usually have. */
const mostCalls = 2;

/** A call to an agent that nobody has answered yet. */
type Outgoing = {
  call: Call;
  headers: HeaderLines;
  branch: string;
  isRinging: boolean;
  verdict: RingResult | null;
  passedTo: string | null;
  end: (result: RingResult) => void;
};

export function createRinger(needs: CallNeeds): Ringer {
  const { clock, openMedia, book, registrar, timings } = needs;
  const outgoing = new Map<Call, Outgoing>();

  /** Stops the ringing: at once where the telephone was not reached yet, else when it has said that it did stop. */
  function giveUp(one: Outgoing, verdict: RingResult): void {
    if (one.call.state !== 'early' || one.verdict !== null) return;
    one.verdict = verdict;
    if (one.branch === '') return one.call.end();
    // RFC 3261, 9.1: not before the telephone has said anything.
    if (one.isRinging) cancel(one);
    one.call.later(timings.acknowledge, () => one.call.end());
  }

  function cancel({ call, branch }: Outgoing): void {
    call.send('CANCEL', { number: 1, branch });
  }

  function begin(user: string, { from, headers = [], name }: Caller): Outgoing | DemoRingResult {
    const at = registrar.find(user);
    if (at === null) return 'not_registered';
    const others = book.ofUser(user);
    // Nobody waits for a call to the echo. Whether another one rings beside a call is for the telephone to say.
    const lasting = others.filter(({ connection, number }) => connection.isOpen && number !== echoNumber);
    if (lasting.length >= mostCalls) return 'busy';
    if (book.isFull) return 'failed';
    for (const other of others) if (!other.connection.isOpen) other.end();
    const shown = name === null ? '' : `"${name.replace(/["\\]/g, '\\$&')}" `;
    const call = new Call({
      clock,
      openMedia,
      connection: at.connection,
      user,
      number: from,
      callId: token(),
      localParty: `${shown}<sip:${encodeURIComponent(from).replace('%2B', '+')}@${sipDomain}>`,
      remoteParty: `<sip:${user}@${sipDomain}>`,
      remoteTag: null,
      target: at.contact.uri,
      invite: null,
    });
    book.add(call);
    return { call, headers, branch: '', isRinging: false, verdict: null, passedTo: null, end: () => {} };
  }

  async function invite(one: Outgoing): Promise<void> {
    const { call } = one;
    try {
      const body = await call.offer();
      if (body === null) return;
      one.branch = call.send('INVITE', { headers: [...dialogHeaders, ...one.headers], body });
      call.later(timings.patience, () => giveUp(one, 'no_answer'));
    } catch {
      call.end();
    }
  }

  async function takeFinal(one: Outgoing, response: SipResponse): Promise<void> {
    const { call, branch } = one;
    const { status, to } = response;
    call.remoteTag = to.tag;
    call.remoteParty = to.text;
    if (status >= 300) {
      call.send('ACK', { number: 1, branch });
      one.verdict ??= resultOf(status);
      one.passedTo = userOf(parseAddress(headerOf(response, 'contact') ?? '')?.uri ?? '');
      return call.end();
    }
    call.target = parseAddress(headerOf(response, 'contact') ?? '')?.uri ?? call.target;
    call.state = 'confirmed';
    outgoing.delete(call);
    call.send('ACK', { number: 1 });
    // The answer crossed the hanging up.
    if (one.verdict !== null || !(await call.accept(response.body))) {
      call.hangUp();
      return one.end(one.verdict ?? 'failed');
    }
    one.end('answered');
  }

  return {
    ring(user, caller) {
      const one = begin(user, caller);
      if (typeof one === 'string')
        return { result: Promise.resolve(one), cancel: () => {}, call: null, passedTo: () => null };
      const result = new Promise<RingResult>((resolve) => {
        one.end = resolve;
      });
      outgoing.set(one.call, one);
      one.call.whenEnded(() => {
        if (outgoing.delete(one.call)) one.end(one.verdict ?? 'failed');
      });
      void invite(one);
      return { result, cancel: () => giveUp(one, 'canceled'), call: one.call, passedTo: () => one.passedTo };
    },

    async takeResponse(response) {
      const { callId, from, status, cseq } = response;
      const call = book.findOwn(callId, from.tag);
      if (call === null || cseq.method !== 'INVITE') return;
      const one = outgoing.get(call);
      if (one === undefined) {
        // The telephone says it again as long as it has not heard the ACK.
        if (call.isLive && call.invite === null && status >= 200 && status < 300) call.send('ACK', { number: 1 });
        return;
      }
      if (status >= 200) return takeFinal(one, response);
      if (!one.isRinging && one.verdict !== null) cancel(one);
      one.isRinging = true;
    },
  };
}

function resultOf(status: number): RingResult {
  switch (status) {
    case 302:
      return 'passed_on';
    case 486:
    case 600:
      return 'busy';
    case 480:
      return 'away';
    case 403:
    case 603:
      return 'declined';
    case 408:
      return 'no_answer';
    default:
      return 'failed';
  }
}
