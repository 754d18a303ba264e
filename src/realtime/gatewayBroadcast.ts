import { type AgentId, type CompanyId, toId } from '../domain/ids.ts';
import type { Wallboard } from '../ports/wallboard.ts';
import type { RoomHearers } from '../ports/nodes.ts';
import type { TaskNews } from '../ports/softphones.ts';
import type { Io, SoftphoneSocket } from './io.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

/**
 * The supervisors of a company. These are the only rooms: each costs a Redis subscription on every gateway that has
 * a member.
 */
export const supervisorsRoom = (companyId: CompanyId): string => `supervisors:${companyId}`;

/** The rare messages that every gateway has to receive. */
export interface GatewayBroadcast {
  /** Ends all connections of an agent whose tokens were revoked, on every gateway. */
  revoke(companyId: CompanyId, agentId: AgentId): void;
  /** Drops what is cached of a company, on every gateway. */
  forget(companyId: CompanyId): void;
  /** Drops what is cached of a company and tells its softphones and supervisors to read their settings again. */
  settingsChanged(companyId: CompanyId): void;
  /** Drops what is cached of a company; supervisors may see other agents from now on, on every gateway. */
  rightsChanged(companyId: CompanyId): void;
  /** Tells all softphones of a company of a task that is nobody's yet. */
  task(companyId: CompanyId, news: TaskNews): void;
  /** Has every gateway look which messages its softphones of the company are to show. */
  messagesChanged(companyId: CompanyId): void;
  /** Sets how this gateway looks for messages. */
  onMessages(look: (companyId: CompanyId) => void): void;
  /** Sets how this gateway drops what it has cached of a company. */
  onForget(forget: (companyId: CompanyId) => void): void;
  /** Sets how the supervisors who are connected to this gateway follow their rights. */
  onRightsChanged(follow: (companyId: CompanyId) => void): void;
  /** What goes to the supervisors of a company, at whichever gateway; null: nobody watches. */
  toSupervisors(companyId: CompanyId): ReturnType<Io['to']> | null;
  /**
   * A connection of this gateway is in the company's room of supervisors. However many come at once, the other gateways
   * are asked once.
   * @returns resolves when it is sent whatever changes from now on, at every gateway; rejects when one did not answer
   */
  watched(companyId: CompanyId): Promise<void>;
  /** Messages may have been missed, and who is connected here may have been out of the others' reach. */
  gap(): void;
}

/** @param others null when there are no other gateways */
export function createGatewayBroadcast({
  io,
  registry,
  others,
}: {
  io: Io;
  registry: SoftphoneRegistry;
  others: RoomHearers | null;
}): GatewayBroadcast {
  const { adapter } = io.of('/');
  /** By the room that the other gateways are told of at this moment. */
  const telling = new Map<string, Promise<void>>();
  let forgetHere: (companyId: CompanyId) => void = () => {};
  let lookHere: (companyId: CompanyId) => void = () => {};
  let followHere: (companyId: CompanyId) => void = () => {};

  function disconnectHere(agentId: AgentId): void {
    for (const socket of registry.connectionsOf(agentId)) socket.disconnect(true);
  }

  function tellSettingsHere(companyId: CompanyId): void {
    // Drop the cache first: clients read again at once.
    forgetHere(companyId);
    const watching = supervisorsRoom(companyId);
    io.local.to(watching).emit('settings_changed');
    for (const { companyId: ofCompany, socket } of registry.all()) {
      if (ofCompany === companyId && !socket.rooms.has(watching)) socket.emit('settings_changed');
    }
  }

  function followRightsHere(companyId: CompanyId): void {
    forgetHere(companyId);
    followHere(companyId);
  }

  function tellTaskHere(companyId: CompanyId, news: TaskNews): void {
    for (const { companyId: ofCompany, socket } of registry.all()) if (ofCompany === companyId) emitTask(socket, news);
  }

  async function tellWatched(companyId: CompanyId, { isHeard }: RoomHearers): Promise<void> {
    await isHeard();
    await io.serverSideEmitWithAck('watched', companyId);
  }

  // Who comes behind the last one is in a room that is to be subscribed anew.
  adapter.on('delete-room', (room: string) => telling.delete(room));
  io.on('watched', (companyId, noted) => {
    others?.noteHearers(supervisorsRoom(toId<CompanyId>(companyId)));
    noted(null);
  });
  io.on('gap', () => others?.noteHearers(null));
  io.on('task', (companyId, news) => tellTaskHere(toId<CompanyId>(companyId), news));
  io.on('messages_changed', (companyId) => lookHere(toId<CompanyId>(companyId)));
  io.on('revoked', (companyId, agentId) => {
    forgetHere(toId<CompanyId>(companyId));
    disconnectHere(toId<AgentId>(agentId));
  });
  io.on('changed', (companyId) => forgetHere(toId<CompanyId>(companyId)));
  io.on('rights_changed', (companyId) => followRightsHere(toId<CompanyId>(companyId)));
  io.on('settings_changed', (companyId) => tellSettingsHere(toId<CompanyId>(companyId)));

  return {
    revoke(companyId, agentId) {
      disconnectHere(agentId);
      if (others !== null) io.serverSideEmit('revoked', companyId, agentId);
    },
    forget(companyId) {
      forgetHere(companyId);
      if (others !== null) io.serverSideEmit('changed', companyId);
    },
    settingsChanged(companyId) {
      tellSettingsHere(companyId);
      if (others !== null) io.serverSideEmit('settings_changed', companyId);
    },
    rightsChanged(companyId) {
      followRightsHere(companyId);
      if (others !== null) io.serverSideEmit('rights_changed', companyId);
    },
    task(companyId, news) {
      tellTaskHere(companyId, news);
      if (others !== null) io.serverSideEmit('task', companyId, news);
    },
    messagesChanged(companyId) {
      lookHere(companyId);
      if (others !== null) io.serverSideEmit('messages_changed', companyId);
    },
    onMessages(look) {
      lookHere = look;
    },
    onForget(forget) {
      forgetHere = forget;
    },
    onRightsChanged(follow) {
      followHere = follow;
    },
    toSupervisors(companyId) {
      const room = supervisorsRoom(companyId);
      return adapter.rooms.has(room) || others?.mayBeHeard(room) === true ? io.to(room) : null;
    },
    async watched(companyId) {
      const room = supervisorsRoom(companyId);
      // Nobody would take away what is noted of a room that has gone already.
      if (others === null || !adapter.rooms.has(room)) return;
      const told = telling.get(room) ?? tellWatched(companyId, others);
      telling.set(room, told);
      try {
        await told;
      } finally {
        if (telling.get(room) === told) telling.delete(room);
      }
    },
    gap() {
      if (others !== null) io.serverSideEmit('gap');
    },
  };
}

/** Tells one softphone. */
export function emitTask(socket: SoftphoneSocket, news: TaskNews): void {
  if (news.event === 'task_due') socket.emit('task_due', news.task);
  else socket.emit('task_closed', news.closed);
}

/** Broadcasts to the gateways where somebody watches. */
export function createWallboard(broadcast: GatewayBroadcast): Wallboard {
  return {
    callChanged: (companyId, call) => broadcast.toSupervisors(companyId)?.emit('live_call_changed', call()),
    clicksChanged: (companyId, tallies) => broadcast.toSupervisors(companyId)?.emit('clicks_changed', { tallies }),
  };
}
