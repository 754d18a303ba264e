import { toId, type Lease, type SessionId } from '../domain/ids.ts';
import { openSession, readSnapshot, mendSession, type OpenedSession } from '../usecases/agents/openSession.ts';
import type { Services } from '../usecases/services.ts';
import type { SoftphoneSocket } from './io.ts';
import type { NodeLink } from './nodeLink.ts';
import { endReplaced, showPop } from './localSoftphones.ts';
import type { LocalSoftphone, SoftphoneRegistry } from './softphoneRegistry.ts';

type Needs = { registry: SoftphoneRegistry; services: Services; link: NodeLink };

/** Opens the session and makes this connection its owner; null when another softphone keeps it. */
export async function takeSession(
  needs: Needs,
  socket: SoftphoneSocket,
  { asked, lease, ...takes }: { asked: string | null; lease: Lease; takesListeners: boolean; takesTransfers: boolean },
): Promise<OpenedSession | null> {
  const { registry, services } = needs;
  const { principal } = socket.data.holder;
  const { companyId, agentId } = principal;
  const opening = await openSession(services, principal, {
    asked: asked === null ? null : toId<SessionId>(asked),
    lease,
  });
  if (opening.kind === 'refused') {
    socket.emit('session_replaced');
    return null;
  }
  const opened = opening.value;
  const { sessionId, presence } = opened;
  const owned = {
    companyId,
    agentId,
    socket,
    sessionId,
    lease,
    ...takes,
    openedAt: presence.connectionSince,
    presence,
  };
  const softphone = { ...owned, offer: null, awaiting: null, rescinded: null, isShown: false, untold: null };
  // A connection that has already ended would stay registered for ever.
  const previous = socket.connected ? registry.own(softphone) : null;
  if (previous === 'outdated') {
    socket.emit('session_replaced');
    return null;
  }
  notifyPreviousOwner(needs, opened, previous);
  try {
    // Register first, then look for a take-over, so that none is missed.
    const owner = await services.presence.find(companyId, agentId);
    if (owner !== null && owner.lease !== lease) {
      registry.release(agentId, lease);
      socket.emit('session_replaced');
      return null;
    }
    await mendSession(services, opened);
  } catch (error) {
    giveUp(needs, socket, error);
  }
  return opened;
}

/** Tells the previous connection, on this or another gateway, that it was replaced. */
function notifyPreviousOwner(
  { services, link }: Needs,
  { sessionId, before, presence }: OpenedSession,
  previous: LocalSoftphone | null,
): void {
  if (previous !== null) endReplaced(services.clock, previous, sessionId);
  if (before === null || before.nodeId === null || before.lease === null || before.nodeId === services.nodeId) return;
  link.tell(before.nodeId, { kind: 'taken', agentId: presence.agentId, lease: before.lease, session: sessionId });
}

/** Closes the connection but not the session, so that the client reconnects by itself. */
export function giveUp({ services }: Pick<Needs, 'services'>, socket: SoftphoneSocket, error: unknown): void {
  services.observer.problem('a softphone connection failed', error);
  socket.conn.close();
}

/** Sends the snapshot to a softphone. */
export async function showState(
  { registry, services }: Pick<Needs, 'registry' | 'services'>,
  socket: SoftphoneSocket,
  session: SessionId,
): Promise<void> {
  const { principal } = socket.data.holder;
  const { pop, snapshot } = await readSnapshot(services, principal, session);
  const softphone = registry.find(principal.agentId);
  const offered = softphone?.offer ?? null;
  socket.emit('state_snapshot', { ...snapshot, offer: offered !== null && 'dial' in offered ? offered.dial : null });
  if (softphone?.socket !== socket) return;
  softphone.isShown = true;
  if (pop !== null) showPop(socket, pop);
  const { untold } = softphone;
  softphone.untold = null;
  if (untold !== null && untold.version > snapshot.agent.version) socket.emit('agent_state_changed', untold);
}
