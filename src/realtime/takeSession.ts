import { toId, type SessionId } from '../domain/ids.ts';
import { openSession, readSnapshot, type OpenedSession } from '../usecases/agents/openSession.ts';
import type { Services } from '../usecases/services.ts';
import type { Io, SoftphoneSocket } from './io.ts';
import { agentRoom, sessionRoom } from './rooms.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

type Needs = { io: Io; registry: SoftphoneRegistry; services: Services };

/** Opens the session and makes this connection its owner; null when another softphone keeps it. */
export async function takeSession(
  needs: Needs,
  socket: SoftphoneSocket,
  asked: string | null,
): Promise<OpenedSession | null> {
  const { io, registry, services } = needs;
  const { principal } = socket.data.holder;
  const { companyId, agentId } = principal;
  const opened = await openSession(services, principal, asked === null ? null : toId<SessionId>(asked));
  if (opened.kind === 'refused') {
    socket.emit('session_replaced');
    return null;
  }
  const { sessionId, lease, replaced } = opened.value;
  const room = agentRoom(companyId, agentId);
  if (replaced !== null) io.to(sessionRoom(replaced)).emit('session_replaced');
  // A connection of the same session that is still half open is of no use to anyone.
  io.in(sessionRoom(sessionId)).disconnectSockets(true);
  // A connection that has ended already would stay in the rooms for ever.
  if (!socket.connected) return opened.value;
  try {
    // First the room where a take-over is told, then the look whether there was one: none can be missed.
    await socket.join(sessionRoom(sessionId));
    const owner = await services.presence.find(companyId, agentId);
    if (owner !== null && owner.lease !== lease) {
      socket.emit('session_replaced');
      return null;
    }
    if (!socket.connected) return opened.value;
    io.in(room).socketsLeave(room);
    await socket.join(room);
    registry.own(agentId, { socket, sessionId, lease, offer: null });
  } catch (error) {
    giveUp(needs, socket, error);
  }
  return opened.value;
}

/** Ends the line, not the session: a client whose session was ended would not try again by itself. */
export function giveUp({ services }: Needs, socket: SoftphoneSocket, error: unknown): void {
  services.observer.problem('a softphone connection failed', error);
  socket.conn.close();
}

/** Tells the softphone how everything stands. */
export async function showState({ registry, services }: Needs, socket: SoftphoneSocket, session: OpenedSession): Promise<void> {
  const { principal } = socket.data.holder;
  const snapshot = await readSnapshot(services, principal, session.sessionId);
  socket.emit('state_snapshot', { ...snapshot, offer: registry.find(principal.agentId)?.offer ?? null });
}
