import { type AgentScope, isSupervisor, isWithin, ledTeamsOf } from '../domain/access.ts';
import type { CompanyId, TeamId } from '../domain/ids.ts';
import { silenceBelievedMs } from '../ports/nodes.ts';
import { agentScopeOf } from '../usecases/agents/agentScope.ts';
import { listAgentStates } from '../usecases/agents/findAgent.ts';
import type { TokenHolder } from '../usecases/auth/authenticate.ts';
import { withDeadline } from '../usecases/concurrency/withDeadline.ts';
import { listClicks, listLiveCalls } from '../usecases/live/readLive.ts';
import type { Services } from '../usecases/services.ts';
import { isoTime } from '../usecases/views/agentViews.ts';
import { whenTaken } from './connectionLimits.ts';
import { type GatewayBroadcast, supervisorsRoom } from './gatewayBroadcast.ts';
import type { SoftphoneSocket } from './io.ts';
import { filterOutgoing, type OutgoingFilter } from './outgoingFilter.ts';
import { readPrincipal } from './rights.ts';
import { giveUp } from './takeSession.ts';

/** By then every gateway tells of a company that is watched, also one that does not answer. Milliseconds. */
const heardAfterMs = silenceBelievedMs + 100;

/** What the supervisors who are connected to this gateway see of the company: the current view, then every change. */
export interface SupervisorViews {
  /** Sends the current view to a supervisor, who then gets every change of the agents whom the supervisor may see. */
  show(socket: SoftphoneSocket): Promise<void>;
  /**
   * Looks whether the supervisor may see others by now, where `fresh`, the same supervisor as it was read,
   * gives reason to.
   */
  follow(socket: SoftphoneSocket, fresh: TokenHolder['principal']): void;
}

/** Whom a connection shows. `teams` null: everybody; a connection that never was limited has no filter. */
type View = {
  socket: SoftphoneSocket;
  teams: readonly TeamId[] | null;
  scope: AgentScope;
  filter: OutgoingFilter | null;
  /** What is under way; one thing comes after the other. */
  last: Promise<void>;
  /** It is to be looked again after that. */
  isAsked: boolean;
};

export function createSupervisorViews({
  services,
  broadcast,
}: {
  services: Services;
  broadcast: GatewayBroadcast;
}): SupervisorViews {
  const views = new Map<SoftphoneSocket, View>();

  broadcast.onRightsChanged((companyId) => {
    for (const view of views.values()) if (companyOf(view.socket) === companyId) follow(view);
  });

  /**
   * Whatever was seen before is seen no more where that fails: the client comes back, and gets what it may see then.
   */
  function follow(view: View): void {
    // However many teams are changed meanwhile.
    if (view.isAsked) return;
    view.isAsked = true;
    view.last = view.last.then(() => refresh(view)).catch((error: unknown) => giveUp({ services }, view.socket, error));
  }

  async function refresh(view: View): Promise<void> {
    const { socket } = view;
    view.isAsked = false;
    if (!socket.connected) return;
    const { holder } = socket.data;
    const principal = await readPrincipal(services, holder.principal);
    // What the connection asks for counts by the same rights.
    holder.principal = principal;
    if (await limit(view, principal)) await send(view);
  }

  /** Shows changes of those agents alone from now on. @returns whether they are others than before */
  async function limit(view: View, principal: TokenHolder['principal']): Promise<boolean> {
    const scope = await agentScopeOf(services, principal);
    const teams = ledTeamsOf(principal);
    if (isSame(scope, view.scope) && String(teams) === String(view.teams)) return false;
    Object.assign(view, { scope, teams });
    if (scope !== 'all') view.filter ??= filterOutgoing(view.socket, (agentId) => isWithin(view.scope, agentId));
    return true;
  }

  /** Changes that come while the lists are read go out after them: of two the later one counts. */
  async function send({ socket, scope, teams, filter }: View): Promise<void> {
    if (!socket.connected) return;
    const companyId = companyOf(socket);
    filter?.hold();
    try {
      const agents = await listAgentStates(services, companyId, scope);
      socket.emit('agents_snapshot', {
        agents,
        server_time: isoTime(services.presence.now()),
        team_ids: teams && [...teams],
      });
      // One after the other, so that a large company over a slow network is not taken for a slow consumer.
      await whenTaken(socket.conn);
      socket.emit('calls_snapshot', { calls: await listLiveCalls(services, companyId, scope) });
      await whenTaken(socket.conn);
      // Nobody took most clicks that were not dialed: they are of no team.
      socket.emit('clicks_snapshot', { tallies: scope === 'all' ? await listClicks(services, companyId) : [] });
    } finally {
      filter?.release();
    }
  }

  async function begin(view: View): Promise<void> {
    const { socket } = view;
    const { holder } = socket.data;
    await limit(view, holder.principal);
    if (!socket.connected) return;
    await socket.join(supervisorsRoom(companyOf(socket)));
    const { clock } = services;
    // Join first, so that no change between the list and the first message is missed.
    const watched = broadcast.watched(companyOf(socket)).catch(() => new Promise<void>(() => undefined));
    await withDeadline(clock, clock.now() + heardAfterMs, watched);
    await send(view);
  }

  return {
    async show(socket) {
      if (!isSupervisor(socket.data.holder.principal.role) || !socket.connected) return;
      const view: View = { socket, teams: null, scope: 'all', filter: null, last: Promise.resolve(), isAsked: false };
      views.set(socket, view);
      socket.once('disconnect', () => views.delete(socket));
      view.last = begin(view);
      await view.last;
    },
    follow(socket, fresh) {
      const view = views.get(socket);
      // Who sees everybody, and did before, has nothing to follow.
      // It may have been read before the latest change: it is read again.
      if (view !== undefined && (view.teams !== null || ledTeamsOf(fresh) !== null)) follow(view);
    },
  };
}

function companyOf(socket: SoftphoneSocket): CompanyId {
  return socket.data.holder.principal.companyId;
}

function isSame(one: AgentScope, other: AgentScope): boolean {
  if (one === 'all' || other === 'all') return one === other;
  return one.size === other.size && [...one].every((agentId) => other.has(agentId));
}
