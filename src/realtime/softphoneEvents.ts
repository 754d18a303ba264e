import type { z } from 'zod';
import { toCallQuality } from '../contract/calls.ts';
import type { ClientAnswers, ClientEvent, clientPayloads } from '../contract/socket.ts';
import { type AgentId, type CallId, type CompanyId, type Lease, toId } from '../domain/ids.ts';
import { ok, type Outcome, refuse } from '../domain/outcome.ts';
import { setState } from '../usecases/agents/setState.ts';
import type { TokenHolder } from '../usecases/auth/authenticate.ts';
import { changeCaller } from '../usecases/calls/lifecycle/changeCaller.ts';
import { reportProgress } from '../usecases/calls/lifecycle/reportProgress.ts';
import { incomingCall, startCall } from '../usecases/calls/lifecycle/softphoneCalls.ts';
import { recordTurnedAway } from '../usecases/calls/lifecycle/turnedAway.ts';
import { extendWrapUp, submitDisposition } from '../usecases/calls/lifecycle/wrapUp.ts';
import { cancelTransfer } from '../usecases/calls/transfer/cancelTransfer.ts';
import { startTransfer } from '../usecases/calls/transfer/startTransfer.ts';
import { acknowledgeMessage } from '../usecases/messages/acknowledgeMessage.ts';
import { chooseRecord } from '../usecases/screenPops/chooseRecord.ts';
import type { Services } from '../usecases/services.ts';
import { readSettings } from '../usecases/telephony/readSettings.ts';
import { agentStateView, isoTime } from '../usecases/views/agentViews.ts';
import { callView, plainScreenPop } from '../usecases/views/callView.ts';
import type { ListeningEvent } from './listeningEvents.ts';
import { rightsOf } from './rights.ts';

type Parsed<E extends ClientEvent> = z.output<(typeof clientPayloads)[E]>;
export type SoftphoneContext = {
  services: Services;
  companyId: CompanyId;
  agentId: AgentId;
  lease: Lease;
  holder: TokenHolder;
  /** Replaces the token by a fresh one of the same agent. */
  renewToken: (token: string) => Promise<Outcome<{ expiresAt: number }>>;
};

/** All but those of supervisors who listen, who need no softphone for it. */
type SoftphoneEvent = Exclude<ClientEvent, ListeningEvent>;

/** The handler of each softphone event; every write carries the lease of the session. */
export const softphoneEvents: {
  [E in SoftphoneEvent]: (context: SoftphoneContext, payload: Parsed<E>) => Promise<Outcome<ClientAnswers[E]>>;
} = {
  async set_state({ services, companyId, agentId, lease }, requested) {
    const changed = await setState(services, { companyId, agentId, lease }, requested);
    if (changed.kind === 'refused') return changed;
    return ok({ agent: agentStateView(await services.agentCard(companyId, agentId), changed.value) });
  },

  async start_call(
    { services, companyId, agentId, lease, holder },
    { phone_number, override_do_not_call, contact_id, caller_id },
  ) {
    const asked = {
      principal: await rightsOf(services, holder),
      isOverridden: override_do_not_call === true,
      contactId: contact_id ?? null,
      callerId: caller_id,
    };
    const started = await startCall(services, { companyId, agentId, lease }, phone_number, asked);
    return started.kind === 'refused' ? started : ok({ call: callView(started.value.call) });
  },

  async incoming_call({ services, companyId, agentId, lease }, ring) {
    const rung = await incomingCall(services, { companyId, agentId, lease }, ring);
    if (rung.kind === 'refused') return rung;
    const { call, pop } = rung.value;
    return ok({ call: callView(call), found: pop.found, screen_pop: plainScreenPop(pop.screenPop) });
  },

  async caller_turned_away({ services, companyId, agentId, lease }, ring) {
    const recorded = await recordTurnedAway(services, { companyId, agentId, lease }, ring);
    return recorded.kind === 'refused' ? recorded : ok({ call: callView(recorded.value) });
  },

  async caller_changed({ services, companyId, agentId, lease }, { call_id, phone_number, display_name }) {
    const changed = await changeCaller(
      services,
      { companyId, agentId, lease },
      toId<CallId>(call_id),
      phone_number,
      display_name,
    );
    return changed.kind === 'refused' ? changed : ok({ call: callView(changed.value) });
  },

  async call_progress({ services, companyId, agentId, lease }, payload) {
    const changed = await reportProgress(services, companyId, agentId, lease, {
      callId: toId<CallId>(payload.call_id),
      state: payload.state,
      endReason: payload.end_reason,
      endedBy: payload.ended_by,
      sipCode: payload.sip_code,
      sipCallId: payload.sip_call_id,
      endDetail: payload.end_detail,
      transferredTo: payload.transferred_to,
      quality: payload.quality === undefined ? undefined : toCallQuality(payload.quality),
    });
    return changed.kind === 'refused' ? changed : ok({ call: callView(changed.value) });
  },

  async start_transfer({ services, companyId, agentId, lease }, { call_id, ...target }) {
    return startTransfer(services, { companyId, agentId, lease }, toId<CallId>(call_id), target);
  },

  async cancel_transfer({ services, companyId, agentId, lease }, { call_id }) {
    const canceled = await cancelTransfer(services, { companyId, agentId, lease }, toId<CallId>(call_id));
    return canceled.kind === 'refused' ? canceled : ok({});
  },

  async extend_wrap_up({ services, companyId, agentId, lease }, { call_id }) {
    const extended = await extendWrapUp(services, { companyId, agentId, lease }, toId<CallId>(call_id));
    if (extended.kind === 'refused') return extended;
    return ok({ agent: agentStateView(await services.agentCard(companyId, agentId), extended.value) });
  },

  async submit_disposition({ services, companyId, agentId, lease, holder }, { call_id, ...disposition }) {
    const presence = await services.presence.find(companyId, agentId);
    if (presence?.lease !== lease) return refuse('session_replaced', 'Another softphone of this agent has taken over.');
    const wrapped = await submitDisposition(services, await rightsOf(services, holder), call_id, disposition, presence);
    return wrapped.kind === 'refused' ? wrapped : ok({ call: callView(wrapped.value) });
  },

  async choose_record({ services, companyId, agentId, lease, holder }, { call_id, ...record }) {
    const presence = await services.presence.find(companyId, agentId);
    if (presence?.lease !== lease) return refuse('session_replaced', 'Another softphone of this agent has taken over.');
    const chosen = await chooseRecord(services, await rightsOf(services, holder), call_id, record);
    return chosen.kind === 'refused' ? chosen : ok({ call: callView(chosen.value) });
  },

  acknowledge_message: ({ services, companyId, agentId, lease }, { message_id }) =>
    acknowledgeMessage(services, { companyId, agentId, lease }, message_id),

  async read_settings({ services, companyId, agentId, lease }) {
    const read = await readSettings(services, { companyId, agentId, lease });
    return read.kind === 'refused' ? read : ok({ settings: read.value });
  },

  read_time: ({ services }) => Promise.resolve(ok({ server_time: isoTime(services.presence.now()) })),

  renew_token: renewToken,
};

/** Replaces the token of a connection, whether or not it is the agent's softphone. */
export async function renewToken(
  { renewToken: renew }: Pick<SoftphoneContext, 'renewToken'>,
  { token }: Parsed<'renew_token'>,
): Promise<Outcome<ClientAnswers['renew_token']>> {
  const renewed = await renew(token);
  return renewed.kind === 'refused' ? renewed : ok({ expires_at: isoTime(renewed.value.expiresAt) });
}
