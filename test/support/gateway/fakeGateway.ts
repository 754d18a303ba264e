import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import type { AgentStateView } from '../../../src/contract/agents.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import type {
  ClickToDialOffer,
  ClientToServerEvents,
  CrmScreenPop,
  Refusal,
  ServerToClientEvents,
} from '../../../src/contract/socket.ts';
import type { SessionSettings } from '../../../src/contract/telephony.ts';

type Line = Socket<ClientToServerEvents, ServerToClientEvents>;

export const session = '3f1d0a4e-5a37-4a86-9a4c-0d8b5b3f6a10';
const agentId = '01a1fd9a-df84-76de-b312-4c71c7114efc';

/** A Socket.IO server that speaks like a gateway and does what a test says: the other end of a softphone's line. */
export class FakeGateway {
  readonly url: string;
  /** In the order they came; those that ended too. */
  readonly lines: Line[] = [];
  /** What each connection presented. */
  readonly auths: unknown[] = [];
  /** Whether a connection is answered with a snapshot. */
  answers = true;
  /** Why connections from now on are not let in; a promise lets them wait. */
  refusal: Refusal | null | Promise<Refusal> = null;
  /** How many asked to be let in. */
  knocks = 0;
  /** With the snapshots from now on. */
  call: CallView | null = null;
  agent: Partial<AgentStateView> = {};
  /** What a softphone is told that asks for its settings; null: it gets no answer. */
  settings: SessionSettings | null = null;
  /** The gateway's clock is ahead of this machine's by so many milliseconds. */
  aheadMs = 0;
  readonly #io: Server<ClientToServerEvents, ServerToClientEvents>;

  private constructor(url: string, io: Server<ClientToServerEvents, ServerToClientEvents>) {
    this.url = url;
    this.#io = io;
    io.use((_line, next) => {
      this.knocks += 1;
      void Promise.resolve(this.refusal).then((data) =>
        data === null ? next() : next(Object.assign(new Error(), { data })),
      );
    });
    io.on('connection', (line) => {
      this.lines.push(line);
      this.auths.push(line.handshake.auth);
      line.on('read_settings', (_nothing, acknowledge) => {
        if (this.settings !== null) acknowledge({ ok: true, settings: this.settings });
      });
      line.on('read_time', (_nothing, acknowledge) => acknowledge({ ok: true, server_time: this.#time() }));
      if (this.answers) this.sendSnapshot(line);
    });
  }

  static async start(): Promise<FakeGateway> {
    const server = createServer();
    const io = new Server<ClientToServerEvents, ServerToClientEvents>(server, { transports: ['websocket'] });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeGateway(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, io);
  }

  get last(): Line {
    const line = this.lines.at(-1);
    if (line === undefined) throw new Error('nobody has connected yet');
    return line;
  }

  sendSnapshot(line: Line): void {
    line.emit('state_snapshot', {
      session,
      server_time: this.#time(),
      agent: agentView(this.agent),
      call: this.call,
      offer: null,
      dispositions: [],
      not_ready_reasons: [],
    });
  }

  #time(): string {
    return new Date(Date.now() + this.aheadMs).toISOString();
  }

  async close(): Promise<void> {
    await this.#io.close();
  }
}

/** A Ready agent, unless said otherwise. */
export function agentView(changes: Partial<AgentStateView> = {}): AgentStateView {
  return {
    agent_id: agentId,
    agent_code: 'a100',
    name: 'Agent',
    state: 'ready',
    reason: null,
    since: new Date().toISOString(),
    connection: 'connected',
    call_id: null,
    pending_state: null,
    pending_reason: null,
    wrap_up_ends_at: null,
    platform: null,
    version: 1,
    ...changes,
  };
}

/** A call that is being dialed. */
export function dialingCall(id: string): CallView {
  return {
    ...{
      id,
      agent_id: agentId,
      direction: 'outbound',
      trigger: 'click_to_dial',
      state: 'dialing',
      phone: '+15551230001',
      caller: null,
      caller_id: null,
    },
    ...{
      external_id: null,
      contact_id: null,
      campaign_id: null,
      customer_name: null,
      external_system: null,
      record_url: null,
      metadata: null,
      screen_pop: null,
    },
    ...{
      created_at: new Date().toISOString(),
      ringing_at: null,
      answered_at: null,
      ended_at: null,
      duration_seconds: null,
    },
    ...{
      end_reason: null,
      ended_by: null,
      end_detail: null,
      transferred_to: null,
      parent_call_id: null,
      transferred_from: null,
      sip_code: null,
      sip_call_id: null,
      dialed_number: null,
      disposition: null,
      source: null,
      platform_call_id: null,
      queue: null,
      tags: [],
      notes_draft: null,
      code_draft: null,
      callback_at_draft: null,
      draft_at: null,
      recording_url: null,
      do_not_call_override_by: null,
      held_at: null,
      hold_seconds: 0,
      quality: null,
    },
  };
}

/** The two messages of a click, as they come to the softphone. */
export function clickOf(callId: string): { pop: CrmScreenPop; dial: ClickToDialOffer } {
  const expires_at = new Date(Date.now() + 8_000).toISOString();
  const about = { call_id: callId, claim_id: callId, phone_number: '+15551230001', expires_at };
  return {
    pop: { ...about, pop_id: callId, trigger: 'click_to_dial', direction: 'outbound', found: false, screen_pop: {} },
    dial: about,
  };
}
