import { type AgentId, type CompanyId, toId } from '../domain/ids.ts';
import type { Wallboard } from '../ports/wallboard.ts';
import type { Io } from './io.ts';
import { supervisorsRoom } from './rooms.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

/** What every gateway has to hear of, which is rare. */
export interface GatewayBroadcast {
  /** An agent's tokens are dead: all connections end, wherever they are. */
  revoke(companyId: CompanyId, agentId: AgentId): void;
  /** What is remembered of a company may be out of date. */
  forget(companyId: CompanyId): void;
  /** What pages show of a company has changed: it is forgotten, and its softphones and supervisors are told. */
  settingsChanged(companyId: CompanyId): void;
  /** Says what forgetting means here. */
  onForget(forget: (companyId: CompanyId) => void): void;
  /** Resolves when other gateways are heard in every room that has been joined so far. */
  isHeard(): Promise<void>;
}

/** @param others null: no other gateway could hear anything */
export function createGatewayBroadcast({
  io,
  registry,
  others,
}: {
  io: Io;
  registry: SoftphoneRegistry;
  others: { isHeard(): Promise<void> } | null;
}): GatewayBroadcast {
  let forgetHere: (companyId: CompanyId) => void = () => {};

  function disconnectHere(agentId: AgentId): void {
    for (const socket of registry.connectionsOf(agentId)) socket.disconnect(true);
  }

  function tellSettingsHere(companyId: CompanyId): void {
    // Before: they ask at once.
    forgetHere(companyId);
    const watching = supervisorsRoom(companyId);
    io.local.to(watching).emit('settings_changed');
    for (const { companyId: ofCompany, socket } of registry.all()) {
      if (ofCompany === companyId && !socket.rooms.has(watching)) socket.emit('settings_changed');
    }
  }

  io.on('revoked', (companyId, agentId) => {
    forgetHere(toId<CompanyId>(companyId));
    disconnectHere(toId<AgentId>(agentId));
  });
  io.on('changed', (companyId) => forgetHere(toId<CompanyId>(companyId)));
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
    onForget(forget) {
      forgetHere = forget;
    },
    async isHeard() {
      await others?.isHeard();
    },
  };
}

/** Broadcasts to the gateways where somebody watches. */
export function createWallboard(io: Io): Wallboard {
  return {
    callChanged: (companyId, call) => void io.to(supervisorsRoom(companyId)).emit('live_call_changed', call),
    clicksChanged: (companyId, tallies) => void io.to(supervisorsRoom(companyId)).emit('clicks_changed', { tallies }),
  };
}
