import { createHmac, randomBytes } from 'node:crypto';
import { type DemoRingResult, demoSipPath } from '../../contract/demo.ts';
import type { AgentId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DemoCarrier } from '../../ports/telephony.ts';
import { CallBook } from './callBook.ts';
import { createHunt } from './hunt.ts';
import { takeInDialog } from './inDialog.ts';
import type { Line } from './line.ts';
import type { OpenMedia } from './media.ts';
import { createRegistrar, isSameTelephone } from './registrar.ts';
import { type Caller, createRinger, type Ringing } from './ringAgent.ts';
import { parseSip, type SipRequest } from './sipMessage.ts';
import { allowedMethods, sipDomain } from './sipText.ts';
import { cancelCall, takeCall } from './takeCall.ts';
import { type Timings, usualTimings } from './timings.ts';

/** An answering machine that agents' telephones reach by SIP over WebSocket (RFC 7118), and that rings them. */
export interface Carrier extends DemoCarrier {
  /** Calls an agent. */
  ring(agentId: AgentId, caller: Caller): Ringing<DemoRingResult>;
  /** Takes a frame from a page. Throws never. */
  take(line: Line, text: string): void;
  /** A page's line has closed. */
  lose(line: Line): void;
  /** How many calls last. */
  callCount(): number;
  /** Ends every call. */
  close(): void;
}

type Needs = {
  clock: Clock;
  openMedia: OpenMedia;
  onProblem: (message: string, error: unknown) => void;
  timings?: Partial<Timings>;
  maxCalls?: number;
};

/** More than the people at one machine. */
const usualMaxCalls = 50;

export function createCarrier({ clock, openMedia, onProblem, maxCalls = usualMaxCalls, ...given }: Needs): Carrier {
  const timings = { ...usualTimings, ...given.timings };
  // Secrets are derived from it, so that none has to be stored.
  const key = randomBytes(32);
  const secretOf = (user: string) => createHmac('sha256', key).update(user).digest('base64url');
  const registrar = createRegistrar({ clock, secretOf });
  const book = new CallBook(maxCalls);
  const needs = { clock, openMedia, book, registrar, timings };
  const ringer = createRinger(needs);
  const hunt = createHunt(needs, (user, caller) => ringer.ring(user, caller));

  async function serve(line: Line, request: SipRequest): Promise<void> {
    const { method, to } = request;
    if (method === 'REGISTER') return register(line, request);
    if (method === 'CANCEL') return cancelCall(needs, line, request);
    if (to.tag !== null || method === 'ACK') return takeInDialog(needs, line, request);
    if (method === 'INVITE') return takeCall(needs, line, request);
    if (method === 'OPTIONS') return line.reply(request, { status: 200, reason: 'OK', headers: [['Allow', allowedMethods]] });
    if (['BYE', 'INFO', 'UPDATE'].includes(method)) return line.reply(request, { status: 481, reason: 'No Such Call' });
    line.reply(request, { status: 405, reason: 'Method Not Allowed', headers: [['Allow', allowedMethods]] });
  }

  function register(line: Line, request: SipRequest): void {
    const made = registrar.register(line, request);
    if (made === null) return;
    hunt.takeRegistration(made.user);
    // The page lost its line for a moment, and its call goes on.
    for (const call of book.all()) {
      if (call.user === made.user && isSameTelephone(call.target, made.registration.contact.uri)) call.moveTo(line);
    }
  }

  return {
    account: (_companyId, agentId) => ({ path: demoSipPath, user: agentId, secret: secretOf(agentId), domain: sipDomain }),
    ring: (agentId, caller) => hunt.ring(agentId, caller),
    take(line, text) {
      // RFC 5626: a sign of life asks for one.
      if (text.trim() === '') return line.send('\r\n');
      const message = parseSip(text);
      if (message === null) return line.strike();
      const served = message.kind === 'request' ? serve(line, message) : ringer.takeResponse(message);
      served.catch((error: unknown) => {
        onProblem('a SIP message could not be served', error);
        if (message.kind === 'request' && message.method !== 'ACK') {
          line.reply(message, { status: 500, reason: 'Server Error' });
        }
      });
    },
    lose(line) {
      registrar.forget(line);
      for (const call of book.on(line)) {
        if (call.isLive) call.keep(timings.keep);
        else call.end();
      }
    },
    callCount: () => book.count,
    close() {
      hunt.close();
      for (const call of book.all()) call.hangUp();
    },
  };
}
