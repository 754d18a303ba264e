import { createHmac, randomBytes } from 'node:crypto';
import { type DemoRingResult, demoSipPath } from '../../contract/demo.ts';
import type { AgentId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DemoCarrier } from '../../ports/telephony.ts';
import { CallBook } from './callBook.ts';
import { callAgent } from './callAgent.ts';
import { createHunt } from './hunt.ts';
import type { OpenMedia } from './media.ts';
import { echoNumber } from './numbers.ts';
import { refer } from './refer.ts';
import { createRegistrar, isSameTelephone } from './registrar.ts';
import { type Caller, createRinger, type Ringing } from './ringAgent.ts';
import type { SipConnection } from './sipConnection.ts';
import { parseSip, type SipRequest } from './sipMessage.ts';
import { allowedMethods, sipDomain } from './sipText.ts';
import { cancelCall, takeCall, takeInDialog, type Timings, usualTimings } from './takeCall.ts';

/**
 * An answering machine that agents' telephones reach by SIP over WebSocket (RFC 7118), and that rings them.
 * Between agents it is a small PBX: they call each other by their accounts, and hand calls on (RFC 3515, 3891).
 */
export interface Carrier extends DemoCarrier {
  /** Calls an agent. */
  ring(agentId: AgentId, caller: Caller): Pick<Ringing<DemoRingResult>, 'result' | 'cancel'>;
  /** Takes a frame from a page. Throws never. */
  take(connection: SipConnection, text: string): void;
  /** A page's connection has closed. */
  lose(connection: SipConnection): void;
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

  async function serve(connection: SipConnection, request: SipRequest): Promise<void> {
    const { method, to } = request;
    if (method === 'REGISTER') return register(connection, request);
    if (method === 'CANCEL') return cancelCall(needs, connection, request);
    if (to.tag !== null || method === 'ACK') {
      return takeInDialog(
        { ...needs, refer: (call, asked) => refer({ book, registrar, ringer }, call, asked) },
        connection,
        request,
      );
    }
    if (method === 'INVITE')
      return takeCall({ ...needs, callAgent: (begun) => callAgent({ ...needs, ringer }, begun) }, connection, request);
    if (method === 'OPTIONS')
      return connection.reply(request, { status: 200, reason: 'OK', headers: [['Allow', allowedMethods]] });
    if (['BYE', 'INFO', 'UPDATE'].includes(method))
      return connection.reply(request, { status: 481, reason: 'No Such Call' });
    connection.reply(request, { status: 405, reason: 'Method Not Allowed', headers: [['Allow', allowedMethods]] });
  }

  function register(connection: SipConnection, request: SipRequest): void {
    const made = registrar.register(connection, request);
    if (made === null) return;
    hunt.takeRegistration(made.user);
    // The page lost its connection for a moment, and its call goes on.
    for (const call of book.all()) {
      if (call.user === made.user && isSameTelephone(call.target, made.registration.contact.uri))
        call.moveTo(connection);
    }
  }

  return {
    account: (_companyId, agentId) => ({
      path: demoSipPath,
      user: agentId,
      secret: secretOf(agentId),
      domain: sipDomain,
      echoNumber,
    }),
    ring: (agentId, caller) => hunt.ring(agentId, caller),
    take(connection, text) {
      // RFC 5626: a sign of life asks for one.
      if (text.trim() === '') return connection.send('\r\n');
      const message = parseSip(text);
      if (message === null) return connection.strike();
      const served = message.kind === 'request' ? serve(connection, message) : ringer.takeResponse(message);
      served.catch((error: unknown) => {
        onProblem('a SIP message could not be served', error);
        if (message.kind === 'request' && message.method !== 'ACK') {
          connection.reply(message, { status: 500, reason: 'Server Error' });
        }
      });
    },
    lose(connection) {
      registrar.forget(connection);
      for (const call of book.on(connection)) {
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
