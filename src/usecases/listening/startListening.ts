import type { ClientAnswers } from '../../contract/socket.ts';
import type { IceServer } from '../../contract/telephony.ts';
import type { ListeningMode } from '../../contract/vocabulary.ts';
import { isSupervisor, type Principal } from '../../domain/access.ts';
import { type AgentId, type CallId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { findShownAgent } from '../agents/findAgent.ts';
import { iceServersFor } from '../telephony/iceServers.ts';

type Needs = Pick<
  Services,
  | 'agentCard'
  | 'agents'
  | 'audit'
  | 'calls'
  | 'cipher'
  | 'clock'
  | 'ledAgents'
  | 'newId'
  | 'observer'
  | 'presence'
  | 'companyOf'
  | 'softphones'
  | 'telephony'
>;
type Listener = Extract<Principal, { kind: 'agent' }>;

/** Somebody who is in an agent's call. */
export type Listening = { listenId: string; agentId: AgentId; callId: CallId; mode: ListeningMode };
export type StartedListening = { listening: Listening; answer: ClientAnswers['start_listening'] };

/**
 * Lets a supervisor into an agent's call: the agent's softphone is asked for its side of a connection between both
 * pages, and what comes of it is written down before a sound is heard. Refuses with `role_required`, `wrong_company`,
 * `unknown_agent`, `conflict` and `dependency_unavailable`; the agent's softphone is told where it was asked already.
 */
export async function startListening(
  services: Needs,
  listener: Listener,
  asked: { agent_id: string; call_id: string; mode: ListeningMode },
): Promise<Outcome<StartedListening>> {
  const { companyId } = listener;
  const [agentId, callId] = [toId<AgentId>(asked.agent_id), toId<CallId>(asked.call_id)];
  const allowed = await mayListen(services, listener, agentId, callId);
  if (allowed.kind === 'refused') return allowed;
  const { isVisible } = allowed.value;
  const listening: Listening = { listenId: services.newId(), agentId, callId, mode: asked.mode };
  const by = isVisible ? await services.agentCard(companyId, listener.agentId) : null;
  const joins = {
    listen_id: listening.listenId,
    call_id: callId,
    mode: asked.mode,
    by: by === null ? null : { id: by.id, name: by.name },
  };
  const offered = await services.softphones.askToListen(companyId, agentId, joins);
  if (offered.kind === 'unable') {
    return refuse('conflict', 'The agent’s softphone cannot be listened to.', {
      cause: { code: 'cannot_be_listened_to' },
    });
  }
  if (offered.kind === 'silent') {
    // Its answer may be on the way.
    endListening(services, listener, listening);
    return refuse('dependency_unavailable', 'The agent’s softphone did not answer in time.', { retryAfterSeconds: 2 });
  }
  try {
    const iceServers = await iceServersOf(services, listener);
    await noteListening(services, listener, listening);
    return ok({
      listening,
      answer: { listen_id: listening.listenId, sdp: offered.sdp, ice_servers: iceServers, is_visible: isVisible },
    });
  } catch (error) {
    endListening(services, listener, listening);
    throw error;
  }
}

/**
 * Whether it may go on: neither the company nor the listener's rights have changed,
 * and the agent is in that call still.
 */
export async function mayGoOn(services: Needs, listener: Listener, { agentId, callId }: Listening): Promise<boolean> {
  return (await mayListen(services, listener, agentId, callId)).kind === 'ok';
}

/** Whether that call may be listened to by that person now. */
async function mayListen(
  services: Needs,
  listener: Listener,
  agentId: AgentId,
  callId: CallId,
): Promise<Outcome<{ isVisible: boolean }>> {
  const { companyId, role } = listener;
  if (!isSupervisor(role)) return refuse('role_required', 'Only supervisors and admins listen to calls.');
  const { listening: rule } = (await services.companyOf(companyId)).settings;
  if (rule === 'off') {
    return refuse('role_required', 'The company does not let calls be listened to.', {
      cause: { code: 'listening_off' },
    });
  }
  const agent = await findShownAgent(services, listener, agentId);
  if (agent.kind === 'refused') return agent;
  if (agentId === listener.agentId)
    return refuse('conflict', 'That is your own call.', { cause: { code: 'own_call' } });
  const call = await services.calls.find(companyId, callId);
  const lasts =
    call.kind === 'found' &&
    call.value.agentId === agentId &&
    call.value.platform === null &&
    (call.value.state === 'connected' || call.value.state === 'held');
  if (!lasts) return refuse('conflict', 'The agent is not talking in that call.', { cause: { code: 'not_talking' } });
  return ok({ isVisible: rule === 'visible' });
}

async function iceServersOf(services: Needs, listener: Listener): Promise<IceServer[]> {
  const { iceServersEncrypted, mode } = await services.telephony.find(listener.companyId);
  return mode === 'sip' ? iceServersFor(services, listener, iceServersEncrypted) : [];
}

/** Goes on in another way, if that is still allowed; written down first. @returns as it is from now on */
export async function changeListening(
  services: Needs,
  listener: Listener,
  listening: Listening,
  mode: ListeningMode,
): Promise<Outcome<Listening>> {
  const { agentId, callId, listenId } = listening;
  if (mode === listening.mode) return ok(listening);
  const allowed = await mayListen(services, listener, agentId, callId);
  if (allowed.kind === 'refused') return allowed;
  const changed = { ...listening, mode };
  await noteListening(services, listener, changed);
  services.softphones.listener(listener.companyId, agentId, {
    event: 'listener_changed',
    about: { listen_id: listenId, mode },
  });
  return ok(changed);
}

/** The agent's softphone ends the connection, if it has not yet. */
export function endListening(
  { softphones }: Pick<Services, 'softphones'>,
  { companyId }: Pick<Listener, 'companyId'>,
  { agentId, listenId }: Listening,
): void {
  softphones.listener(companyId, agentId, { event: 'listener_left', about: { listen_id: listenId } });
}

async function noteListening(
  { audit, clock, newId }: Needs,
  { agentId: by, companyId }: Listener,
  { agentId, callId, mode }: Listening,
): Promise<void> {
  await audit.addListening(companyId, { id: newId(), callId, agentId, mode, by, at: new Date(clock.now()) });
}
