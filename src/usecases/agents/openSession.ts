import type { CrmScreenPop, StateSnapshot } from '../../contract/socket.ts';
import type { Principal } from '../../domain/access.ts';
import type { Call } from '../../domain/calls.ts';
import { toId, type AgentId, type CallId, type CompanyId, type Lease, type SessionId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Presence } from '../../domain/presence.ts';
import { callPop } from '../calls/lifecycle/callPop.ts';
import { followStoredCalls } from '../calls/lifecycle/reportProgress.ts';
import { endAbandonedCall } from '../calls/repair/endAbandonedCall.ts';
import { followPlatformOf } from '../cti/storedStates.ts';
import { retryUntilSuccess } from '../concurrency/retryUntilSuccess.ts';
import type { CallServices, Services } from '../services.ts';
import { agentStateView, isoTime } from '../views/agentViews.ts';
import { callView } from '../views/callView.ts';
import { changePresence, changePresenceInTurn } from './changePresence.ts';
import { allNotReadyReasons } from './setState.ts';

type Needs = CallServices & Pick<Services, 'ctiConnections' | 'nodeId' | 'platformAgents'>;
type SoftphoneAgent = Extract<Principal, { kind: 'agent' }>;

/** `before`: the presence that the session found, perhaps with another session that it replaced. */
export type OpenedSession = { sessionId: SessionId; lease: Lease; before: Presence | null; presence: Presence };

/**
 * A softphone connects. With its earlier session it finds everything as it was; without one it opens a new session and
 * replaces any other softphone of this agent.
 * @param lease the connection's own; with it the connection can later be ended, whatever is answered here
 */
export async function openSession(
  services: Needs,
  { companyId, agentId }: SoftphoneAgent,
  { asked, lease }: { asked: SessionId | null; lease: Lease },
): Promise<Outcome<OpenedSession>> {
  const current = await currentPresence(services, companyId, agentId);
  const sessionId = asked ?? toId<SessionId>(services.newId());
  const session = { sessionId, resumes: asked !== null, lease, nodeId: services.nodeId };
  const command = { type: 'open_session', companyId, agentId, ...session } as const;
  const opened = await changePresence(services, companyId, agentId, command, current);
  if (opened.kind === 'changed') {
    const owned = opened.after.platform === null ? await followPlatformOf(services, companyId, agentId) : null;
    return ok({ sessionId, lease, before: opened.before, presence: owned ?? opened.after });
  }
  if (opened.kind === 'unchanged') throw new Error('a session that is opened changes its agent');
  return refuse(
    'session_replaced',
    'Another softphone of this agent has taken over; connect without a session to take it back.',
  );
}

/** Repairs what the session found: a call that was left behind, or one that ended while the agent stayed on it. */
export async function mendSession(services: CallServices, { before, presence }: OpenedSession): Promise<void> {
  await retryUntilSuccess(services, 'a call that was left behind could not be ended', () =>
    endAbandonedCall(services, before, presence, 'softphone_lost'),
  );
  // The gateway died between the end of the call and the wrap-up: the agent is still on the call.
  await retryUntilSuccess(services, 'an agent could not be brought in line with the call', () =>
    followStoredCalls(services, presence),
  );
}

/** Without a presence (a restart, a store that lost its data) the durable record tells whether there are calls. */
async function currentPresence(services: Needs, companyId: CompanyId, agentId: AgentId): Promise<Presence | null> {
  const current = await services.presence.find(companyId, agentId);
  if (current !== null) return current;
  const calls = await services.calls.findActive(companyId, agentId);
  if (calls.length === 0) return null;
  const lostSince = services.presence.now();
  const restores = calls.map(
    ({ id: callId }) => ({ type: 'restore_call', companyId, agentId, callId, lostSince }) as const,
  );
  await changePresenceInTurn(services, companyId, agentId, restores, null);
  return services.presence.find(companyId, agentId);
}

type SnapshotNeeds = Pick<
  Services,
  'newId' | 'agentCard' | 'calls' | 'observer' | 'presence' | 'companyOf' | 'softphones'
>;

/**
 * What a softphone is told at each connect. `pop`: of a platform's call that the agent is on,
 * which the snapshot does not show.
 */
export async function readSnapshot(
  services: SnapshotNeeds,
  { companyId, agentId }: SoftphoneAgent,
  sessionId: SessionId,
): Promise<{ snapshot: Omit<StateSnapshot, 'offer'>; pop: CrmScreenPop | null }> {
  const [card, { settings }] = await Promise.all([
    services.agentCard(companyId, agentId),
    services.companyOf(companyId),
  ]);
  const { presence, call: found, second } = await readPresenceWithCalls(services, companyId, agentId);
  const snapshot = {
    session: sessionId,
    server_time: isoTime(services.presence.now()),
    agent: agentStateView(card, presence),
    // Of a platform's call the softphone knows the customer alone.
    call: found !== null && found.platform === null ? callView(found) : null,
    second_call: second === null ? null : callView(second),
    dispositions: settings.dispositions,
    not_ready_reasons: allNotReadyReasons(settings),
  };
  return {
    snapshot,
    pop: found === null || found.platform === null || found.state === 'ended' ? null : recordedPop(services, found),
  };
}

function recordedPop(services: SnapshotNeeds, call: Call): CrmScreenPop {
  const screenPop = call.screenPop ?? {};
  return callPop(services, call, { found: Object.keys(screenPop).length > 0, screenPop });
}

/**
 * The presence is read last and again after its calls: a snapshot must not be older than a change announced before it.
 */
async function readPresenceWithCalls(
  services: SnapshotNeeds,
  companyId: CompanyId,
  agentId: AgentId,
): Promise<{ presence: Presence | null; call: Call | null; second: Call | null }> {
  const { calls, presence } = services;
  // The softphone dials a call shown as `dialing`, so only a recorded call may be shown.
  const recorded = async (id: CallId | undefined) => {
    const found = id === undefined ? null : await calls.find(companyId, id);
    return found?.kind === 'found' ? found.value : null;
  };
  let current = await presence.find(companyId, agentId);
  for (;;) {
    if (current === null || current.callId === null) return { presence: current, call: null, second: null };
    const [call, second] = await Promise.all([recorded(current.callId), recorded(current.second?.callId)]);
    const now = await presence.find(companyId, agentId);
    if (now?.version === current.version) return { presence: now, call, second };
    current = now;
  }
}

/** A softphone's connection broke: the agent gets no calls from now on. A lease that was replaced changes nothing. */
export async function loseConnection(
  services: Pick<Services, 'presence' | 'softphones' | 'agentCard' | 'observer'>,
  { companyId, agentId, lease }: { companyId: CompanyId; agentId: AgentId; lease: Lease },
): Promise<void> {
  await changePresence(services, companyId, agentId, { type: 'lose_connection', lease });
}
